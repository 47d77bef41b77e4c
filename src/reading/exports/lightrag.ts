/** LightRAG's `kv_store_full_docs.json` as documents. Faults are named by file and entry. */
import type { ReadBounds } from '../bounds'
import { Unreadable } from '../unreadable'
import { type Budget, type ExportedDocument, fitting } from './exported'

export const LIGHTRAG_FILE = 'kv_store_full_docs.json'

const PLACEHOLDERS: ReadonlySet<unknown> = new Set(['unknown_source', 'no-file-path'])
const MAX_NAMED = 80 // characters of an id shown in a fault

type Fields = { readonly [name: string]: unknown }

/** `where`: the file that a fault names. */
export function* lightRagDocuments(json: string, where: string, bounds: ReadBounds, budget: Budget): Generator<ExportedDocument> {
  for (const [id, one] of Object.entries(objectIn(json, where))) {
    const at = `entry ${id.slice(0, MAX_NAMED)}`
    if (!isFields(one)) throw new Unreadable('broken', `${where}: ${at} is not an object`)
    const { content, file_path: file } = one
    if (content === undefined || content === null) continue
    if (typeof content !== 'string') throw new Unreadable('broken', `${where}: \`content\` of ${at} is not text`)
    if (content.trim() === '') continue
    if (id === '') throw new Unreadable('broken', `${where}: an entry has no id`)
    const title = typeof file === 'string' && !PLACEHOLDERS.has(file) ? file : ''
    yield fitting({ path: id, title, text: content, metadata: { source: 'lightrag' } }, `${where}, ${at}`, bounds, budget)
  }
}

export function objectIn(json: string, where: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new Unreadable('broken', `${where}: is not JSON`)
  }
  if (!isFields(value)) throw new Unreadable('broken', `${where}: is not an object of documents by id`)
  return value
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
