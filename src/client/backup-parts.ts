/** The parts of a backup, from its lines: from a file, a response or anything else. The service checks every digest. */

export interface BackupPart {
  /** From 1. */
  readonly number: number
  /** With its last line; as `restorePart` takes it. */
  readonly text: string
  readonly digest: string
  /** Where the service continues after it; undefined: it is the last. */
  readonly cursor?: string
  readonly rows: number
}

/** As much of the first line of all as is shown. */
export interface BackupBegin {
  readonly type: string
  readonly backup?: string
  readonly corpus?: string
  readonly taken_at?: string
  readonly version?: number
  readonly state?: string
}

type Tail = { readonly type: 'next'; readonly digest: string; readonly cursor: string } | { readonly type: 'end'; readonly digest: string }

const LAST = /^\{"type":"(?:next|end)"/ // rows are lists, and tables have another type

/** Ends silently where the lines break off within a part. */
export async function* backupParts(source: AsyncIterable<string>): AsyncGenerator<BackupPart, void, void> {
  let [number, lines]: [number, string[]] = [0, []]
  for await (const line of source) {
    lines.push(line)
    if (!LAST.test(line)) continue
    const tail = json<Tail>(line)
    if (!tail) return // the last line, cut
    const rows = lines.filter((one) => one.startsWith('[')).length
    number++
    yield { number, text: `${lines.join('\n')}\n`, digest: tail.digest, rows, ...(tail.type === 'next' ? { cursor: tail.cursor } : {}) }
    if (tail.type === 'end') return
    lines = []
  }
}

/** Undefined: the first line is no JSON. */
export async function backupBegin(source: AsyncIterable<string>): Promise<BackupBegin | undefined> {
  for await (const line of source) return json<BackupBegin>(line)
  return undefined
}

/** Of a file in a browser. No line is longer than `MAX`, which is what a row may be and more: another file is not read whole in search of one. */
export async function* linesOf(file: Blob): AsyncGenerator<string, void, void> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (let rest = ''; ; ) {
      const { value, done } = await reader.read()
      const pieces = `${rest}${value ?? ''}`.split('\n')
      rest = pieces.pop() ?? ''
      yield* pieces
      if (rest.length > MAX) throw new Error('This is not a backup: one of its lines is longer than any in a backup.')
      if (!done) continue
      if (rest !== '') yield rest
      return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const MAX = 16 * 1024 * 1024 // characters; what a part has at most

function json<T>(line: string): T | undefined {
  try {
    return JSON.parse(line) as T
  } catch {
    return undefined
  }
}
