/**
 * The items of a feed, each as a document: the page it links to, if that is on the feed's own site, or else the feed's own content. An item
 * that a feed no longer lists is not gone: feeds list what is new.
 */
import { MAX_TEXT, MAX_TITLE } from '../contract/document-limits'
import { canonicalJson } from '../core/canonical-json'
import { fingerprint } from '../core/ids'
import type { DocumentInput } from '../ports/documents'
import type { Listed, ListOrder } from '../ports/sources'
import { type FeedItem, readFeed } from '../reading/feed'
import type { Kind } from './kind'
import { failed, fetchPage, type Reader, storable } from './page'
import { isTaken } from './paths'
import { idOf } from './sitemap'
import { fetchText } from './text-file'

const ACCEPT = 'application/atom+xml,application/rss+xml;q=0.9,application/xml;q=0.8,text/xml;q=0.7,*/*;q=0.1'
const MAX_HELD = 4 * 1024 * 1024 // bytes of content in one listing: the rest waits for the next

export const feed: Kind = {
  async list(reader, order) {
    const text = await fetchText(reader, order.url, ACCEPT)
    if (typeof text !== 'string') return text
    const items = parse(text, order.room)
    if (!items) return failed('not_a_feed')
    const entries: Listed[] = []
    let held = 0
    for (const item of items) {
      const entry = await listedOf(reader, order, item)
      held += entry?.content ? entry.content.text.length : 0
      if (held > MAX_HELD) break
      if (entry) entries.push(entry)
    }
    return { kind: 'listed', entries, next: null, isComplete: false }
  },

  look(reader, order, item) {
    const { origin } = new URL(order.url)
    return fetchPage(reader, { ...item, url: item.key, metadata: order.metadata, origin })
  },
}

function parse(text: string, max: number) {
  try {
    return readFeed(text, max)
  } catch {
    return null
  }
}

async function listedOf(reader: Reader, order: ListOrder, item: FeedItem): Promise<Listed | null> {
  const base = new URL(order.url)
  const link = item.link !== '' && URL.canParse(item.link, base.href) ? new URL(item.link, base.href) : null
  if (link) link.hash = ''
  const page = link && /^https?:$/.test(link.protocol) ? link : null
  if (!isTaken(order.options, page?.pathname ?? item.id)) return null
  const { published } = item
  const title = storable(item.title).slice(0, MAX_TITLE)
  if (order.options.content === 'linked' && page?.origin === base.origin) {
    const mark = fingerprint(item.title, published ?? '', item.content)
    return { key: page.href, document: idOf(order.source, page.href), mark, title, published }
  }
  const key = page?.href ?? item.id
  if (key === '') return null
  const text = storable(await textOf(reader, item)).trim() || title
  if (text === '' || new TextEncoder().encode(text).length > MAX_TEXT) return null
  const content: DocumentInput = {
    id: idOf(order.source, key),
    text,
    title,
    url: page?.href ?? null,
    metadata: order.metadata,
    ...(published ? { dates: { published_at: { value: published, source: 'feed' } } } : {}),
  }
  return { key, document: content.id, mark: fingerprint(canonicalJson({ text, title, published })), title, published, content }
}

async function textOf({ convert }: Reader, { content, isHtml }: FeedItem): Promise<string> {
  if (!isHtml || content === '') return content
  const done = await convert({ bytes: new TextEncoder().encode(content), type: 'html', charset: 'utf-8' })
  return done.kind === 'converted' ? done.text : ''
}
