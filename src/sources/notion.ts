/**
 * The pages of a Notion workspace, or of one of its databases or pages, that an integration may see. Each is identified by when it was last
 * edited, so the blocks of an unchanged page are never requested.
 */
import type { ItemOrder, ItemsOrder } from '../ports/sources'
import { type NotionBlock, notionMarkdown, notionTitle } from '../reading/notion-page'
import type { Kind } from './kind'
import { askFor, doorOf, isFailed, isTrash, type NotionPage, pageSchema } from './notion-api'
import { blocksOf, listPiece } from './notion-list'
import { failed, type Reader, takeBytes } from './page'

export const notion: Kind = {
  pace: 334,

  async list(reader, order) {
    const door = await doorOf(reader, order)
    return isFailed(door) ? door : listPiece(door, order)
  },

  async look(reader, order, item) {
    const door = await doorOf(reader, order)
    if (isFailed(door)) return door
    const page = await askFor(door, pageSchema, `/pages/${item.key}`)
    if (isFailed(page)) return page.last === 'http_404' ? { kind: 'missing', last: page.last } : page
    if (isTrash(page)) return { kind: 'missing', last: 'trash' }
    if (item.known?.etag === page.last_edited_time) return { kind: 'unchanged', mark: page.last_edited_time }
    const blocks = await blocksOf(door, page.id)
    return isFailed(blocks) ? blocks : take(reader, { order, item }, page, blocks)
  },
}

async function take(
  reader: Reader,
  { order, item }: { readonly order: ItemsOrder; readonly item: ItemOrder },
  { id, url, last_edited_time: mark, properties }: NotionPage,
  blocks: readonly NotionBlock[],
) {
  const title = notionTitle(properties) || item.title
  const bytes = new Uint8Array(new TextEncoder().encode(notionMarkdown(title, properties, blocks)))
  const address = URL.parse(url)?.protocol === 'https:' ? url : null
  try {
    const taken = { ...item, title, url: address, metadata: { ...order.metadata, notion: id } }
    const outcome = await takeBytes(reader, taken, { bytes, type: 'text/markdown', path: 'page.md', etag: mark, modified: null })
    return outcome.kind === 'fetched' || outcome.kind === 'unchanged' ? { ...outcome, mark } : outcome
  } catch {
    return failed('unreadable')
  }
}
