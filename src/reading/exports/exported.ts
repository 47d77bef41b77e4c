/** What exports of other programs come to. */
import { fingerprint } from '../../core/ids'
import type { Dates } from '../../core/text/iso-date'

export interface ExportedDocument {
  /** Its place in the export, without endings and ids: unlike that of any other. */
  readonly path: string
  readonly title: string
  readonly text: string
  readonly url?: string
  /** ISO 8601. */
  readonly published?: string
  readonly metadata: { readonly [key: string]: string }
}

/** By path; text files alone. */
export type Files = ReadonlyMap<string, Uint8Array>

const MAX_ID = 256 // bytes
const MAX_TITLE = 1000 // characters

/** As a document, under a name that is the same whenever the export is taken in again. */
export function asDocument(under: string, { path, title, text, url, published, metadata }: ExportedDocument) {
  const id = `${under}/${path}`
  const dates: Dates = published ? { published_at: { value: published, source: 'feed' } } : {}
  return {
    id: new TextEncoder().encode(id).length <= MAX_ID ? id : `${under.slice(0, 100)}/${fingerprint(path)}`,
    text: text.replaceAll('\0', '\uFFFD').toWellFormed(),
    title: title.slice(0, MAX_TITLE),
    ...(url ? { url } : {}),
    metadata,
    dates,
  }
}
