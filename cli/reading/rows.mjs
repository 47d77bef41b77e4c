/** JSON lines and CSV: one document a row, read one by one. Text, id, title and url by their usual names; a list `access` holds labels; what else there is becomes metadata. */
import { closeSync, openSync, readSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { linesOf, pieces } from './decoded.mjs'

const NAMES = {
  text: ['text', 'content', 'contents', 'body', 'passage', 'document', 'page_content'],
  id: ['id', '_id', 'doc_id', 'docid', 'uuid'],
  title: ['title', 'name', 'headline'],
  url: ['url', 'link', 'source_url'],
}
const MOST_METADATA = 16 * 1024 // bytes of JSON

export async function* jsonl(path, columns) {
  let row = 0
  for await (const line of linesOf(path)) {
    row++
    const said = line.trim()
    if (said === '') continue
    yield { row, ...documentOf(parsed(said, row), columns) }
  }
}

export async function* csv(path, columns) {
  const { parse } = await import('csv-parse')
  const parser = parse({ columns: true, bom: true, delimiter: separatorOf(path), skip_empty_lines: true, relax_column_count: true })
  let row = 0
  const reading = pipeline(Readable.from(pieces(path)), parser) // which ends the parser with its own error
  reading.catch(() => {})
  for await (const record of parser) {
    row++
    yield { row, ...documentOf(record, columns) }
  }
  await reading
}

function parsed(line, row) {
  let value
  try {
    value = JSON.parse(line)
  } catch {
    throw new Error(`line ${row} is not JSON`)
  }
  if (typeof value === 'string') return { text: value }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`line ${row} is neither an object nor a text`)
  return value
}

/** The one of comma, semicolon and tab that the first line has most. */
function separatorOf(path) {
  const buffer = Buffer.alloc(4096)
  const file = openSync(path, 'r')
  const head = buffer.toString('utf8', 0, readSync(file, buffer)).split('\n')[0]
  closeSync(file)
  const count = (sign) => head.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

export function documentOf(record, columns = {}) {
  const keys = new Map(Object.keys(record).map((key) => [key.trim().toLowerCase(), key]))
  const nameOf = (what) => columns[what] ?? keys.get(NAMES[what].find((name) => keys.has(name)) ?? '')
  const names = { text: nameOf('text'), id: nameOf('id'), title: nameOf('title'), url: nameOf('url') }
  if (names.text === undefined) return { text: wholeRow(record) } // every column says something of the thing the row is about
  const { [names.text]: text, [names.id]: id, [names.title]: title, [names.url]: url, ...rest } = record
  const { access, ...others } = rest
  const labels = Array.isArray(access) && access.every((one) => typeof one === 'string')
  const metadata = metadataOf(labels ? others : rest)
  return {
    text: typeof text === 'string' ? text : text == null ? '' : JSON.stringify(text),
    ...(id == null || id === '' ? {} : { id: String(id) }),
    ...(typeof title === 'string' && title ? { title } : {}),
    ...(typeof url === 'string' && /^https?:/.test(url) ? { url } : {}),
    ...(metadata ? { metadata } : {}),
    ...(labels ? { access } : {}),
  }
}

const wholeRow = (record) =>
  Object.entries(record)
    .filter(([, value]) => value != null && value !== '')
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join('\n')

/** As `{metadata: {…}}` if the row has it so, else the other columns. Left out where it is too large to be stored. */
function metadataOf({ metadata, ...rest }) {
  const own =
    typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? metadata : metadata === undefined ? {} : { metadata }
  const all = { ...rest, ...own }
  const size = Buffer.byteLength(JSON.stringify(all))
  return size > 2 && size <= MOST_METADATA ? all : undefined
}
