/** What exports of other programs are turned into. */

import { MAX_TEXT } from '../../contract/document-limits'
import { type JsonObject, objectSchema } from '../../contract/json-object'
import { storable } from '../../contract/storable'
import { fingerprint } from '../../core/ids'
import type { SentGraph } from '../../core/text/brought'
import type { Dates } from '../../core/text/iso-date'
import type { ReadBounds } from '../bounds'
import { Unreadable } from '../unreadable'

export interface ExportedDocument {
  /** Its place in the export, without endings and ids; no other document has the same. */
  readonly path: string
  readonly title: string
  readonly text: string
  readonly url?: string
  /** ISO 8601. */
  readonly published?: string
  readonly metadata: JsonObject
  /** Of another program, about this text. */
  readonly graph?: SentGraph
}

/** By path; text files only. */
export type Files = ReadonlyMap<string, Uint8Array>

/** How much more of an export may be read, in unpacked bytes. */
export interface Budget {
  left: number
}

export const MAX_DOCUMENTS = 5000
const MAX_ID = 256 // bytes
const MAX_TITLE = 1000 // characters

/** As a document, under an id that is the same whenever the export is imported again; `under` is empty where ids are kept unchanged. */
export function asDocument(under: string, { path, title, text, url, published, metadata, graph }: ExportedDocument) {
  const id = storable(under === '' ? path : `${under}/${path}`)
  const dates: Dates = published ? { published_at: { value: published, source: 'feed' } } : {}
  return {
    id: new TextEncoder().encode(id).length <= MAX_ID ? id : `${under.slice(0, 100)}/${fingerprint(path)}`.replace(/^\//, ''),
    text: storable(text),
    title: storable(title.slice(0, MAX_TITLE)),
    ...(url ? { url } : {}),
    metadata,
    ...(graph ? { graph } : {}),
    dates,
  }
}

/** The most that a stranger's document may contain; on a person's own machine longer texts are sent in parts. */
export function fitting(document: ExportedDocument, where: string, { isTrusted }: ReadBounds, budget: Budget): ExportedDocument {
  if (isTrusted) return document
  const encoder = new TextEncoder()
  const { text, metadata } = document
  budget.left -= text.length
  if (budget.left < 0) throw tooLarge(`more text than can be read at once`, where)
  if (text.length > MAX_TEXT || encoder.encode(text).length > MAX_TEXT) throw tooLarge(`a \`text\` of more than ${MAX_TEXT} bytes`, where)
  const { data, error } = objectSchema.safeParse(metadata)
  if (!data) throw new Unreadable('broken', `${where}: \`metadata\`: ${error.issues[0]?.message}`)
  return { ...document, metadata: data }
}

export const tooLarge = (what: string, where = 'This export'): Unreadable =>
  new Unreadable('too_large', `${where} contains ${what}. \`loam import\` reads it on your own machine and sends it in parts.`)
