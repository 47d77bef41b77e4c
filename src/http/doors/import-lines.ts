/**
 * Lines of an import, read one by one. A document of our own export has its text in its chunks: put together again where they stood. What lies
 * between two chunks and in neither is blank, and comes back as line breaks, so that offsets hold.
 */
import { utf8 } from '../body'
import { Problem } from '../problem'
import { importedSchema, type Line } from '../schemas/import'

type DocumentLine = Extract<Line, { type: 'document' }>
export type LabelLine = Extract<Line, { type: 'label' }>
export type Whole = Omit<DocumentLine, 'type' | 'chunks' | 'text'> & { readonly text: string }

export interface Import {
  readonly documents: readonly Whole[]
  readonly labels: readonly LabelLine[]
}

const TAKEN: ReadonlySet<unknown> = new Set(['document', 'chunk', 'label'])
const NEWLINE = 0x0a
const MOST_FAULTS = 100 // told at once
const MOST_TEXT = 1024 * 1024 // UTF-16 units; a document's own limit in bytes is checked where it is taken in

export function importOf(bytes: Uint8Array): Import {
  const documents: DocumentLine[] = []
  const labels: LabelLine[] = []
  const chunks = new Map<string, string>()
  const errors: { path: string; message: string }[] = []
  for (const { text, number } of linesOf(bytes)) {
    const line = lineOf(text, number, errors)
    if (line?.type === 'document') documents.push(line)
    else if (line?.type === 'label') labels.push(line)
    else if (line) chunks.set(line.id, line.text)
    if (errors.length >= MOST_FAULTS) break
  }
  const whole = documents.flatMap((one) => {
    const text = one.text ?? joined(one, chunks)
    if (text === undefined || text.trim() === '')
      errors.push({ path: `document ${one.id}`, message: 'has no text, and not all of its chunks are here' })
    return text === undefined ? [] : [{ id: one.id, text, title: one.title, url: one.url, metadata: one.metadata }]
  })
  if (errors.length > 0) throw new Problem('invalid', 'Not every line can be taken in; see `errors`. Nothing was.', { errors })
  return { documents: [...new Map(whole.map((one) => [one.id, one])).values()], labels }
}

function lineOf(text: string, number: number, errors: { path: string; message: string }[]): Line | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    errors.push({ path: `line ${number}`, message: 'is not JSON' })
    return undefined
  }
  if (typeof value !== 'object' || value === null || !('type' in value) || !TAKEN.has(value.type)) return undefined
  const result = importedSchema.safeParse(value)
  if (result.success) return result.data
  errors.push(...result.error.issues.map(({ path, message }) => ({ path: [`line ${number}`, ...path].join('.'), message })))
  return undefined
}

/** Never the whole body as one string: it would be twice in memory. */
function* linesOf(bytes: Uint8Array): Generator<{ readonly text: string; readonly number: number }> {
  for (let from = 0, number = 1; from < bytes.length; number++) {
    const end = bytes.indexOf(NEWLINE, from)
    const to = end < 0 ? bytes.length : end
    const text = utf8(bytes.subarray(from, to)).trim()
    if (text !== '') yield { text, number }
    from = to + 1
  }
}

/** Undefined where a chunk is missing. */
function joined({ chunks: placed = [] }: DocumentLine, texts: ReadonlyMap<string, string>): string | undefined {
  let text = ''
  for (const { chunk, start } of [...placed].sort((a, b) => a.start - b.start)) {
    const own = texts.get(chunk)
    if (own === undefined || start > MOST_TEXT) return undefined
    text = text.padEnd(start, '\n')
    text += own.slice(Math.max(0, text.length - start))
  }
  return placed.length === 0 ? undefined : text
}
