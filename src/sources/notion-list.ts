/**
 * Lists the followed part of a Notion workspace, a piece at a time. The workspace is what search returns: search does not promise to be
 * complete, so a page that it leaves out is requested before it counts as missing. A database consists of the rows of its data sources, a
 * page of itself and everything below it.
 */
import type { Listed, Listing, ListOrder } from '../ports/sources'
import type { NotionBlock } from '../reading/notion-page'
import { notionTitle } from '../reading/notion-page'
import {
  askFor,
  blockSchema,
  type Door,
  databaseSchema,
  fields,
  isAbsent,
  isFailed,
  isTrash,
  listSchema,
  type NotionPage,
  PAGE,
  pageSchema,
} from './notion-api'
import { type Failed, failed } from './page'
import { idOf } from './sitemap'

const MAX_TODO = 2000 // things that one listing may still have to open
const limits = {
  requests: 100, // for the blocks of one page
  depth: 8, // of nested blocks
} as const

/** Opened one by one. `root`: the database or page in the source's address. */
interface Todo {
  readonly of: 'search' | 'root' | 'database' | 'rows' | 'page'
  readonly id: string
  /** The position in its own listing. */
  readonly at?: string
}

interface Cursor {
  readonly todo: readonly Todo[]
  /** Something could not be opened, or there was too much: a missing page may be below it. */
  readonly isPartial: boolean
}

interface Opened {
  readonly pages: readonly NotionPage[]
  readonly below: readonly Todo[]
  readonly isPartial?: boolean
}

export async function listPiece(door: Door, order: ListOrder): Promise<Listing | Failed> {
  const cursor: Cursor = order.cursor === null ? { todo: [startOf(order.url)], isPartial: false } : JSON.parse(order.cursor)
  const [first, ...rest] = cursor.todo
  if (!first) return failed('unreadable')
  const opened = await open(door, first)
  if (isFailed(opened)) {
    return isPassedOver(first, opened) ? piece(order, { todo: rest, isPartial: true }, { pages: [], below: [] }) : opened
  }
  return piece(order, { todo: rest, isPartial: cursor.isPartial }, opened)
}

/** The listing continues without it: it no longer exists, may not be read, or its cursor is no longer valid. */
const isPassedOver = ({ of, at }: Todo, why: Failed): boolean =>
  of === 'search' || of === 'root' ? at !== undefined && why.last === 'http_400' : isAbsent(why) || why.last === 'too_large'

/** The id is at the end of an address, after the title. */
const startOf = (url: string): Todo => {
  const id = /([0-9a-f]{32})$/.exec(new URL(url).pathname)?.[1]
  return id ? { of: 'root', id } : { of: 'search', id: '' }
}

function piece(order: ListOrder, { todo, isPartial: wasPartial }: Cursor, { pages, below, isPartial = false }: Opened): Listing {
  const found = pages.filter((page) => !isTrash(page))
  const entries = found.slice(0, order.room).map((page): Listed => {
    const { id, last_edited_time: mark, properties } = page
    return { key: id, document: idOf(order.source, `notion/${id}`), mark, title: notionTitle(properties), published: null }
  })
  const next = [...below, ...todo]
  const isCut = found.length > order.room || next.length > MAX_TODO || isPartial || wasPartial
  const isOver = next.length === 0 || entries.length >= order.room
  const cursor = isOver ? null : JSON.stringify({ todo: next.slice(0, MAX_TODO), isPartial: isCut } satisfies Cursor)
  const isComplete = next.length === 0 && !isCut
  return { kind: 'listed', entries, next: cursor, isComplete, ...(startOf(order.url).of === 'search' ? { isUnsure: true } : {}) }
}

async function open(door: Door, todo: Todo): Promise<Opened | Failed> {
  switch (todo.of) {
    case 'search':
      return openList(door, todo, '/search', { filter: { property: 'object', value: 'page' }, sort: OLDEST_FIRST })
    case 'rows':
      return openList(door, todo, `/data_sources/${todo.id}/query`, { sorts: [OLDEST_FIRST] })
    case 'page':
      return openPage(door, todo.id)
    default: {
      const database = await askFor(door, databaseSchema, `/databases/${todo.id}`)
      if (!isFailed(database)) return { pages: [], below: database.data_sources.map(({ id }) => ({ of: 'rows', id })) }
      return todo.of === 'root' && isAbsent(database) ? openPage(door, todo.id) : database
    }
  }
}

/** A page that is edited meanwhile comes again at the end, and none is skipped. */
const OLDEST_FIRST = { timestamp: 'last_edited_time', direction: 'ascending' } as const

async function openList(door: Door, todo: Todo, path: string, body: object): Promise<Opened | Failed> {
  const list = await askFor(door, listSchema, path, { ...body, page_size: PAGE, ...(todo.at ? { start_cursor: todo.at } : {}) })
  if (isFailed(list)) return list
  const pages = list.results.flatMap((one): NotionPage[] => {
    const page = pageSchema.safeParse(one)
    return page.success ? [page.data] : []
  })
  const isMore = list.has_more && list.next_cursor !== null
  const below = isMore ? [{ ...todo, at: list.next_cursor ?? '' }] : []
  return { pages, below, isPartial: list.request_status?.type === 'incomplete' || (list.has_more && !isMore) }
}

async function openPage(door: Door, id: string): Promise<Opened | Failed> {
  const page = await askFor(door, pageSchema, `/pages/${id}`)
  if (isFailed(page)) return page
  if (isTrash(page)) return { pages: [], below: [] }
  const below: Todo[] = []
  const blocks = await blocksOf(door, page.id, (of, child) => below.push({ of, id: child }))
  return isFailed(blocks) ? blocks : { pages: [page], below }
}

/** All blocks of a page, in order; nested ones are requested one after another. Other pages are reported to `meet`: they become their own documents. */
export async function blocksOf(
  door: Door,
  page: string,
  meet: (of: 'page' | 'database', id: string) => void = () => undefined,
): Promise<readonly NotionBlock[] | Failed> {
  let requests = 0
  const within = async (parent: string, depth: number): Promise<NotionBlock[] | Failed> => {
    const found: NotionBlock[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      if (++requests > limits.requests) return failed('too_large')
      const after = cursor === undefined ? '' : `&start_cursor=${encodeURIComponent(cursor)}`
      const list = await askFor(door, listSchema, `/blocks/${parent}/children?page_size=${PAGE}${after}`)
      if (isFailed(list)) return list
      for (const one of list.results) {
        const block = await readBlock(one, depth)
        if (block && isFailed(block)) return block
        if (block) found.push(block)
      }
      cursor = list.has_more ? list.next_cursor : null
    }
    return found
  }
  const readBlock = async (one: unknown, depth: number): Promise<NotionBlock | Failed | null> => {
    const read = blockSchema.safeParse(one)
    if (!read.success) return null
    const { id, type, has_children: hasChildren } = read.data
    if (type === 'child_page') meet('page', id)
    if (type === 'child_database') meet('database', id)
    const isOpened = hasChildren === true && depth < limits.depth && type !== 'child_page' && type !== 'child_database'
    const children = isOpened ? await within(id, depth + 1) : []
    if (!Array.isArray(children)) return children
    const body = fields.safeParse(read.data[type])
    return { type, body: body.success ? body.data : {}, children }
  }
  return within(page, 0)
}
