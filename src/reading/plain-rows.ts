/** A row of a user's own file (JSON lines, CSV) as a document: text, id, title and url by their usual names; a list `access` contains labels; everything else becomes metadata. */
import type { JsonObject } from '../contract/json-object'

const NAMES = {
  text: ['text', 'content', 'contents', 'body', 'passage', 'document', 'page_content'],
  id: ['id', '_id', 'doc_id', 'docid', 'uuid'],
  title: ['title', 'name', 'headline'],
  url: ['url', 'link', 'source_url'],
} as const

/** Names chosen by the caller. */
export interface Columns {
  readonly text?: string | undefined
  readonly id?: string | undefined
}

export type Cells = { readonly [column: string]: unknown }

export interface PlainRow {
  readonly text: string
  readonly id?: string
  readonly title?: string
  readonly url?: string
  readonly metadata?: JsonObject
  readonly access?: readonly string[]
}

export const isCells = (value: unknown): value is Cells => typeof value === 'object' && value !== null && !Array.isArray(value)

const columnOf = (record: Cells) => {
  const keys = new Map(Object.keys(record).map((key) => [key.trim().toLowerCase(), key]))
  return (what: keyof typeof NAMES): string | undefined => keys.get(NAMES[what].find((name) => keys.has(name)) ?? '')
}

export const hasText = (record: Cells): boolean => columnOf(record)('text') !== undefined

/** Without a text column, every column describes the thing that the row is about. */
export function readRow(record: Cells, columns: Columns = {}): PlainRow {
  const named = columnOf(record)
  const names = { text: columns.text ?? named('text'), id: columns.id ?? named('id'), title: named('title'), url: named('url') }
  if (names.text === undefined) return { text: formatRow(record) }
  const taken = new Set(Object.values(names))
  const cell = (name: string | undefined): unknown => (name === undefined ? undefined : record[name])
  const [text, id, title, url] = [cell(names.text), cell(names.id), cell(names.title), cell(names.url)]
  const rest = Object.fromEntries(Object.entries(record).filter(([name]) => !taken.has(name)))
  const { access, ...others } = rest
  const isLabelled = Array.isArray(access) && access.every((one) => typeof one === 'string')
  const metadata = metadataIn(isLabelled ? others : rest)
  return {
    text: typeof text === 'string' ? text : text == null ? '' : JSON.stringify(text),
    ...(id == null || id === '' ? {} : { id: String(id) }),
    ...(typeof title === 'string' && title ? { title } : {}),
    ...(typeof url === 'string' && /^https?:/.test(url) ? { url } : {}),
    ...(metadata ? { metadata } : {}),
    ...(isLabelled ? { access } : {}),
  }
}

const MAX_CALLED = 120 // characters; anything longer is a text, not a name

/** The name of a table's row if no column gives one: its first column that contains words and is not the text itself. */
export function calledBy(record: Cells, columns: Columns = {}): string | undefined {
  const named = columnOf(record)
  const taken = [columns.text ?? named('text'), columns.id ?? named('id'), named('url')]
  const cells = Object.entries(record).filter(([name]) => !taken.includes(name))
  return cells.map(([, value]) => (typeof value === 'string' ? value.trim() : '')).find(isName)
}

const isName = (value: string): boolean =>
  /\p{L}/u.test(value) && value.length <= MAX_CALLED && !/[\r\n]|:\/\//.test(value) && !/^\d{4}-\d\d-\d\dT/.test(value)

const formatRow = (record: Cells): string =>
  Object.entries(record)
    .filter(([, value]) => value != null && value !== '')
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join('\n')

/** From `{metadata: {…}}` if the row has it, and otherwise from the other columns. */
function metadataIn({ metadata, ...rest }: Cells): JsonObject | undefined {
  const own = isCells(metadata) ? metadata : metadata === undefined ? {} : { metadata }
  const all = { ...rest, ...own } as JsonObject // it was parsed from JSON, or contains only strings
  return Object.keys(all).length > 0 ? all : undefined
}
