/**
 * A file as documents `{ id, title, text, url?, metadata? }`. Which reader by its ending; large libraries are loaded only when a
 * file needs them. What cannot be read is skipped with a reason, never guessed.
 */
import { readFileSync, statSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { decoded } from './decoded.mjs'
import { markdown, plain } from './markdown.mjs'
import { fitted } from './split.mjs'

const READERS = {
  markdown: async ({ path }) => [markdown(decoded(readFileSync(path)))],
  plain: async ({ path }) => [plain(decoded(readFileSync(path)))],
  html: async ({ path }) => [(await import('./html.mjs')).html(decoded(readFileSync(path)))],
  pdf: async ({ path }) => [await (await import('./pdf.mjs')).pdf(readFileSync(path))],
  docx: async ({ path }) => [await (await import('./docx.mjs')).docx(readFileSync(path))],
  epub: async ({ path }) => [await (await import('./epub.mjs')).epub(readFileSync(path))],
  jsonl: async ({ path, columns }) => (await import('./rows.mjs')).jsonl(path, columns),
  csv: async ({ path, columns }) => (await import('./rows.mjs')).csv(path, columns),
}

const ENDINGS = {
  markdown: ['md', 'markdown', 'mdx', 'qmd', 'rmd'],
  plain: ['txt', 'text', 'rst', 'adoc', 'asciidoc', 'org', 'tex'],
  html: ['html', 'htm', 'xhtml'],
  pdf: ['pdf'],
  docx: ['docx'],
  epub: ['epub'],
  jsonl: ['jsonl', 'ndjson'],
  csv: ['csv', 'tsv'],
}
const READER = new Map(Object.entries(ENDINGS).flatMap(([reader, endings]) => endings.map((ending) => [`.${ending}`, reader])))
const LARGEST = 200 * 1024 * 1024 // bytes of a file that is read at once; rows are read one by one

export const readable = (path) => READER.has(extname(path).toLowerCase())

/**
 * @param {{path: string, named: boolean}} file
 * @param {{id: string, columns?: {text?: string, id?: string}}} as
 * @yields {{document: object} | {skipped: string, why: string}}
 */
export async function* documentsIn({ path, named }, { id, columns = {} }) {
  const reader = READER.get(extname(path).toLowerCase()) ?? (named ? 'plain' : undefined)
  if (!reader) return
  const rows = reader === 'jsonl' || reader === 'csv'
  if (!rows && statSync(path).size > LARGEST) return yield { skipped: id, why: 'larger than 200 MB' }
  try {
    for await (const one of await READERS[reader]({ path, columns })) yield* kept(one, { id, path, rows })
  } catch (error) {
    yield { skipped: id, why: field(error) }
  }
}

function* kept({ row, ...one }, { id, path, rows }) {
  const own = rows ? (one.id ?? `${id}#${row}`) : id
  if (one.text.trim() === '') return yield { skipped: own, why: 'holds no text' }
  const title = one.title || (rows ? '' : basename(path, extname(path)))
  for (const document of fitted({ ...one, id: own, title })) yield { document }
}

/** A library's message may quote the file; its first words tell enough. */
function field({ message = 'cannot be read' }) {
  return message.split('\n')[0].slice(0, 120)
}
