/**
 * A file as documents `{ id, title, text, url?, metadata? }`. Which reader by its ending; large libraries are loaded only when a
 * file needs them. What cannot be read is skipped with a reason, never guessed.
 */
import { readFileSync, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import type { ReadText } from '../../src/reading/html'
import type { Many, Read, SourceDocument } from '../documents'
import { decode } from './decode'
import type { Columns, Row } from './rows'
import { fitDocument } from './split'

interface File {
  readonly path: string
  readonly columns: Columns
}

/** What a reader finds. A row has its number, and may have an id of its own. */
type Found = Omit<SourceDocument, 'id'> & Partial<Pick<Row, 'id' | 'row'>> & Pick<ReadText, 'dates'>
type Reader = (file: File) => Promise<Many<Found>>

const READERS = {
  markdown: async ({ path }) => [(await import('../../src/reading/markdown')).readMarkdown(decode(readFileSync(path)))],
  plain: async ({ path }) => [{ text: decode(readFileSync(path)) }],
  html: async ({ path }) => [(await import('./html')).readPage(decode(readFileSync(path)))],
  pdf: async ({ path }) => [await (await import('./pdf')).readPdf(readFileSync(path))],
  docx: async ({ path }) => [await (await import('./docx')).readDocx(readFileSync(path))],
  epub: async ({ path }) => [(await import('./epub')).readEpub(readFileSync(path))],
  jsonl: async ({ path, columns }) => (await import('./rows')).readJsonLines(path, columns),
  csv: async ({ path, columns }) => (await import('./rows')).readCsv(path, columns),
} as const satisfies { readonly [name: string]: Reader }

type ReaderName = keyof typeof READERS

const ENDINGS: { readonly [name in ReaderName]: readonly string[] } = {
  markdown: ['md', 'markdown', 'mdx', 'qmd', 'rmd'],
  plain: ['txt', 'text', 'rst', 'adoc', 'asciidoc', 'org', 'tex'],
  html: ['html', 'htm', 'xhtml'],
  pdf: ['pdf'],
  docx: ['docx'],
  epub: ['epub'],
  jsonl: ['jsonl', 'ndjson'],
  csv: ['csv', 'tsv'],
}
const NAMES = Object.keys(ENDINGS) as ReaderName[]
const READER = new Map(NAMES.flatMap((name) => ENDINGS[name].map((ending): [string, ReaderName] => [`.${ending}`, name])))
const MAX_BYTES = 200 * 1024 * 1024 // of a file that is read at once; rows are read one by one
const MAX_REASON = 120 // characters

const readerFor = (path: string): ReaderName | undefined => READER.get(extname(path).toLowerCase())

export const isReadable = (path: string): boolean => readerFor(path) !== undefined

interface As {
  readonly id: string
  readonly columns?: Columns
}

export async function* readDocuments(
  { path, isNamed }: { readonly path: string; readonly isNamed: boolean },
  { id, columns = {} }: As,
): AsyncGenerator<Read> {
  const name = readerFor(path) ?? (isNamed ? 'plain' : undefined)
  if (!name) return
  const hasRows = name === 'jsonl' || name === 'csv'
  if (!hasRows && statSync(path).size > MAX_BYTES) return yield { skipped: id, why: 'larger than 200 MB' }
  try {
    const reader: Reader = READERS[name]
    for await (const one of await reader({ path, columns })) yield* toDocuments(one, { id, path })
  } catch (error) {
    yield { skipped: id, why: reasonOf(error) }
  }
}

function* toDocuments({ row, dates, ...one }: Found, file: { readonly id: string; readonly path: string }): Generator<Read> {
  const id = row === undefined ? file.id : (one.id ?? `${file.id}#${row}`)
  if (one.text.trim() === '') return yield { skipped: id, why: 'holds no text' }
  const title = one.title || (row === undefined ? basename(file.path, extname(file.path)) : '')
  for (const document of fitDocument({ ...dates, ...one, id, title })) yield { document }
}

/** A library's message may quote the file; its first words tell enough. */
function reasonOf(error: unknown): string {
  const { message = 'cannot be read' } = error as Partial<Error>
  return (message.split('\n')[0] ?? '').slice(0, MAX_REASON)
}
