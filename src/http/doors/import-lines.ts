/**
 * Lines of an import, read one by one. A document of our own export has its text in its chunks, which are assembled again at their
 * offsets. What lies between two chunks is blank and is restored as line breaks, so that offsets stay valid. The cost of reading
 * follows from the bytes that were sent: lines are counted before they are parsed, and the assembled text is bounded for each
 * document and for all of them.
 */

import { MAX_TEXT } from '../../contract/document-limits'
import { importedSchema, type Line } from '../../contract/imports'
import { unknownValue } from '../../contract/nearest'
import { joinChunks, type NoText } from '../../reading/chunks'
import { type Cells, hasText, isCells, readRow } from '../../reading/plain-rows'
import { isDeeperThan, MAX_DEPTH, utf8 } from '../body'
import { type Fault, Problem } from '../problem'
import { faultsOf } from '../schema-faults'

type DocumentLine = Extract<Line, { type: 'document' }>
export type LabelLine = Extract<Line, { type: 'label' }>
/** With its text, or as a file that is still to be read. */
export type WholeDocument = Omit<DocumentLine, 'type' | 'chunks'>

export interface Import {
  readonly documents: readonly WholeDocument[]
  readonly labels: readonly LabelLine[]
}

const TAKEN: ReadonlySet<unknown> = new Set(['document', 'chunk', 'label'])
/** Of an export, and derived again from what is taken. */
const PASSED: ReadonlySet<unknown> = new Set(['corpus', 'node', 'edge', 'receipt', 'next', 'end'])
const TYPES = [...TAKEN, ...PASSED] as readonly string[]
const NEWLINE = 0x0a
const MAX_LINES = 250_000 // blank ones included; an export of 16 MiB has some 100,000
const MAX_FAULTS = 100 // reported at once
const MAX_JOINED = 16 * MAX_TEXT // UTF-16 units of all assembled texts: chunks may be named again and again, and may be far apart

/** What applies to a caller's own rows, which say less than lines of an export. */
export interface OwnRows {
  /** The name of the file: a row without an id is named after it and its line. */
  readonly name: string
  /** Labels of rows that bring none. */
  readonly access: readonly string[]
}

export function parseImport(bytes: Uint8Array, own: OwnRows = { name: 'import', access: [] }): Import {
  const documents = new Map<string, DocumentLine>()
  const labels: LabelLine[] = []
  const chunks = new Map<string, string>()
  const errors: Fault[] = []
  for (const { text, number } of linesOf(bytes)) {
    const line = lineOf(text, { ...own, number }, errors)
    if (line?.type === 'document') documents.set(line.id, line)
    else if (line?.type === 'label') labels.push(line)
    else if (line) chunks.set(line.id, line.text)
    if (errors.length >= MAX_FAULTS) throw refusalOf(errors)
  }
  return { documents: assembleDocuments([...documents.values()], chunks, errors), labels }
}

/** With their texts, or with everything that is wrong. */
function assembleDocuments(documents: readonly DocumentLine[], chunks: ReadonlyMap<string, string>, errors: Fault[]): WholeDocument[] {
  const whole: WholeDocument[] = []
  let left = MAX_JOINED
  for (const { type: _, text: own, chunks: placed = [], ...rest } of documents) {
    const { id } = rest
    if (rest.content_base64) {
      if (own === undefined && placed.length === 0) whole.push(rest)
      else errors.push({ path: `document ${id}.content_base64`, message: 'cannot be given together with `text`' })
      continue
    }
    const text = own ?? joined(id, joinChunks(placed, chunks, Math.min(left, MAX_TEXT)))
    if (own === undefined) left -= text?.length ?? 0
    if (text !== undefined && text.trim() !== '') whole.push({ ...rest, text })
    else errors.push({ path: `document ${id}`, message: 'has no text, and not all of its chunks are here' })
    if (errors.length >= MAX_FAULTS) break
  }
  if (errors.length > 0) throw refusalOf(errors)
  return whole
}

/** Undefined where a chunk is missing. */
function joined(id: string, text: string | NoText): string | undefined {
  if (typeof text === 'string') return text
  if (text.fault === 'too_long') throw tooLong(id)
  return undefined
}

function tooLong(id: string): Problem {
  const detail = `The texts assembled from chunks may have ${MAX_JOINED} characters in all, and each of them ${MAX_TEXT}: send fewer documents at once.`
  return new Problem('too_large', detail, { errors: [{ path: `document ${id}`, message: 'exceeds that' }] })
}

function refusalOf(errors: readonly Fault[]): Problem {
  return new Problem('invalid', 'Some lines cannot be imported; see `errors`. Nothing was imported.', {
    errors: errors.slice(0, MAX_FAULTS),
  })
}

function lineOf(text: string, own: OwnRows & { readonly number: number }, errors: Fault[]): Line | undefined {
  const path = `line ${own.number}`
  const value = parseLine(text)
  if (value === undefined) errors.push({ path, message: `is not a JSON object of at most ${MAX_DEPTH} levels` })
  else if (value.type === undefined && hasText(value)) return parseKnownLine(documentOf(value, own), path, errors)
  else if (TAKEN.has(value.type)) return parseKnownLine(value, path, errors)
  else if (!PASSED.has(value.type)) errors.push({ path: `${path}.type`, message: unknownValue(value.type, TYPES) })
  return undefined
}

function documentOf(row: Cells, { number, name, access }: OwnRows & { readonly number: number }): object {
  return { type: 'document', id: `${name}#${number}`, ...(access.length > 0 ? { access } : {}), ...readRow(row) }
}

function parseLine(text: string): (Cells & { readonly type?: unknown }) | undefined {
  try {
    const value: unknown = isDeeperThan(text, MAX_DEPTH) ? undefined : JSON.parse(text)
    return isCells(value) ? value : undefined
  } catch {
    return undefined
  }
}

function parseKnownLine(value: object, path: string, errors: Fault[]): Line | undefined {
  const result = importedSchema.safeParse(value)
  if (result.success) return result.data
  errors.push(...result.error.issues.flatMap(faultsOf).map((fault) => ({ ...fault, path: [path, fault.path].filter(Boolean).join('.') })))
  return undefined
}

/** Never the whole body as one string: it would be twice in memory. */
function* linesOf(bytes: Uint8Array): Generator<{ readonly text: string; readonly number: number }> {
  for (let from = 0, number = 1; from < bytes.length; number++) {
    if (number > MAX_LINES) throw new Problem('too_large', `An import may have at most ${MAX_LINES} lines.`)
    const end = bytes.indexOf(NEWLINE, from)
    const to = end < 0 ? bytes.length : end
    const text = to === from ? '' : utf8(bytes.subarray(from, to)).trim()
    if (text !== '') yield { text, number }
    from = to + 1
  }
}
