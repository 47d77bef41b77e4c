/** The parts of a backup in a file, each with its digest checked against its lines: what is whole, and where the next begins. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Failure } from '../failure'

export interface FilePart {
  readonly number: number
  readonly text: string
  readonly digest: string
  /** Where the service goes on behind it; undefined: it is the last. */
  readonly cursor?: string
  /** Bytes of the file up to its end. */
  readonly upTo: number
  readonly rows: number
}

/** The first line of all. */
export interface Head {
  readonly type: string
  readonly backup?: string
  readonly corpus?: string
  readonly version?: number
  readonly state?: string
}

type Tail = { readonly type: 'next'; readonly digest: string; readonly cursor: string } | { readonly type: 'end'; readonly digest: string }

const LAST = /^\{"type":"(?:next|end)"/ // rows are lists, and tables have another type

/** Ends silently where the file breaks off within a part; throws where a part is not as it was written. */
export async function* partsIn(file: string): AsyncGenerator<FilePart, void, void> {
  let [number, before, upTo, lines]: [number, string, number, string[]] = [0, '', 0, []]
  for await (const line of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })) {
    lines.push(line)
    if (!LAST.test(line)) continue
    const tail = tailOf(line)
    if (!tail) return // the last line of the file, cut
    const own = `${lines.slice(0, -1).join('\n')}\n`
    number++
    if (createHash('sha256').update(`${before}\n${own}`).digest('hex') !== tail.digest)
      throw new Failure(`${file}: part ${number} is not as it was written: altered, or not the whole of it`)
    const text = `${own}${line}\n`
    upTo += Buffer.byteLength(text)
    const rows = lines.filter((one) => one.startsWith('[')).length
    yield { number, text, digest: tail.digest, upTo, rows, ...(tail.type === 'next' ? { cursor: tail.cursor } : {}) }
    if (tail.type === 'end') return
    ;[before, lines] = [tail.digest, []]
  }
}

function tailOf(line: string): Tail | undefined {
  try {
    return JSON.parse(line) as Tail
  } catch {
    return undefined
  }
}

/** Undefined: the first line is no JSON. */
export async function headOf(file: string): Promise<Head | undefined> {
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) {
    lines.close()
    try {
      return JSON.parse(line) as Head
    } catch {
      return undefined
    }
  }
  return undefined
}
