/**
 * The pages that a sitemap lists, one file per piece: an index names further files, which wait in the cursor. Only addresses on the
 * sitemap's own site are used, as the protocol requires. If the site says when a page changed, an unchanged page is not requested.
 */
import { fingerprint } from '../core/ids'
import type { Listed, Listing, ListOrder } from '../ports/sources'
import { readSitemap } from '../reading/sitemap'
import type { Kind } from './kind'
import { type Failed, failed, fetchPage, type Reader } from './page'
import { isTaken } from './paths'
import { fetchText } from './text-file'

const MAX_FILES = 200 // sitemaps in one listing
const MAX_NAMED = 50_000 // addresses in a file, the protocol's own limit
const MAX_ID = 256 // bytes
const ACCEPT = 'application/xml,text/xml;q=0.9,text/plain;q=0.5,*/*;q=0.1'

/** Files still to read, and those already read: a sitemap may name itself. */
interface Cursor {
  readonly todo: readonly string[]
  readonly done: readonly string[]
  /** A file could not be read, or there were too many: missing pages may be listed there. */
  readonly isPartial: boolean
}

export const sitemap: Kind = {
  async list(reader, order) {
    const cursor: Cursor = order.cursor === null ? { todo: [order.url], done: [], isPartial: false } : JSON.parse(order.cursor)
    const [url = order.url, ...rest] = cursor.todo
    const read = await readFile(reader, order, url)
    if (!('kind' in read)) return piece(order, { ...cursor, todo: rest, done: [...cursor.done, url] }, read)
    // A file that will be missing next time too must not keep the rest from being read.
    const isLost = url !== order.url && (/^http_4(?!29)/.test(read.last) || HOPELESS.has(read.last))
    return isLost ? piece(order, { todo: rest, done: [...cursor.done, url], isPartial: true }, { pages: [], files: [] }) : read
  },

  look(reader, order, item) {
    const { origin } = new URL(order.url)
    return fetchPage(reader, { ...item, url: item.key, metadata: order.metadata, origin })
  },
}

const HOPELESS: ReadonlySet<string> = new Set(['not_a_sitemap', 'too_large', 'unreadable', 'robots', 'redirect_origin'])

interface Named {
  readonly pages: readonly Listed[]
  readonly files: readonly string[]
}

function piece(order: ListOrder, { todo, done, isPartial }: Cursor, { pages, files }: Named): Listing {
  const known = new Set([...todo, ...done])
  const fresh = [...new Set(files)].filter((url) => !known.has(url))
  const taken = fresh.slice(0, Math.max(0, MAX_FILES - known.size))
  const next: Cursor = { todo: [...todo, ...taken], done, isPartial: isPartial || taken.length < fresh.length }
  const isFull = pages.length >= order.room
  const isOver = next.todo.length === 0 || isFull
  return { kind: 'listed', entries: pages, next: isOver ? null : JSON.stringify(next), isComplete: isOver && !isFull && !next.isPartial }
}

async function readFile(reader: Reader, order: ListOrder, url: string): Promise<Named | Failed> {
  const text = await fetchText(reader, url, ACCEPT)
  if (typeof text !== 'string') return text
  const read = parse(text)
  if (!read) return failed('not_a_sitemap')
  const { origin } = new URL(order.url)
  const entries = read.entries.flatMap((one) => {
    const address = URL.canParse(one.url) ? new URL(one.url) : null
    if (address?.origin !== origin) return []
    address.hash = ''
    return [{ url: address.href, path: address.pathname, modified: one.modified }]
  })
  if (read.kind === 'sitemaps') return { pages: [], files: entries.map((one) => one.url) }
  const pages = entries.filter((one) => isTaken(order.options, one.path)).slice(0, order.room)
  return { files: [], pages: pages.map((one): Listed => listed(order.source, one.url, one.modified)) }
}

function parse(text: string) {
  try {
    return readSitemap(text, MAX_NAMED)
  } catch {
    return null
  }
}

const listed = (source: string, url: string, modified: string): Listed => ({
  key: url,
  document: idOf(source, url),
  mark: modified || null,
  title: '',
  published: null,
})

/** Its address, if that is not too long for an id. */
export const idOf = (source: string, name: string): string =>
  new TextEncoder().encode(name).length <= MAX_ID ? name : `${source}/${fingerprint(name)}`
