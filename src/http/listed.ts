/**
 * Lists of the read model for an asker who may not see all of it. D1 holds the rows for everybody; the object says which of them an
 * asker may see, and how. A name that is searched for must be one that the caller sees, and a list continues after something that the
 * caller was shown.
 */

import type { Asker } from '../core/access/labels'
import { atOnce } from '../core/at-once'
import { fold, type ListedNode } from '../core/graph/listed'
import { partitionsOf, partitionUids } from '../corpus-uid'
import { joinNodes } from '../flows/partitions/graph'
import { workerLimits } from '../platform-limits'
import type { CorpusObject } from '../ports/object'
import { askerOf } from './asker'
import { type Ctx, objectOf } from './context'
import { encode, type Place } from './cursor'

export const looked = {
  page: 500, // rows of D1 looked at in one call
  pages: 30, // calls for one list: a Worker's invocation may make only a limited number
} as const
const limits = {
  ...looked,
  counted: 4, // pages looked at to count a layer
} as const
const PINNED = '+' // begins a place among pinned entities; no id does
const WHOLE = -1 // the partition of what is the whole corpus's
const HIDDEN_PLACE = 8 // characters of an id that name a place between ids, but not an id

export interface Where {
  readonly kind: string
  readonly layer?: number
  readonly q?: string
}

export async function listNodes(c: Ctx, where: Where, { after, limit }: Place) {
  const asker = await askerOf(c)
  const first = await pageOf(c, where, after, asker, limit + 1)
  if (first.all) {
    const data = first.rows.slice(0, limit)
    return { data, next_cursor: first.rows.length > limit ? encode(data.at(-1)?.id ?? '') : null }
  }
  const data: ListedNode[] = []
  let at = after
  const most = Math.ceil(limits.pages / partitionsOf(c.get('corpus').uid))
  for (let pages = 0; pages < most; pages++) {
    const found = await pageOf(c, where, at, asker, limits.page)
    data.push(...found.rows)
    if (data.length > limit) return { data: data.slice(0, limit), next_cursor: encode(data[limit - 1]?.id ?? '') }
    if (found.last === null) return { data, next_cursor: null }
    at = found.last
  }
  return { data, next_cursor: encode(data.at(-1)?.id ?? at.slice(0, HIDDEN_PLACE)) }
}

/** One way to list entities; its places do not begin as pinned ones do. */
export type List = (
  c: Ctx,
  where: Where,
  place: Place,
) => Promise<{ readonly data: readonly ListedNode[]; readonly next_cursor: string | null }>

/**
 * Entities, pinned ones before all others, on separate pages while there are more than one page holds. A later page may hold fewer
 * than its limit.
 */
export async function listPinnedFirst(c: Ctx, where: Where, { after, limit }: Place, list: List) {
  const isAtPinned = after === '' || after.startsWith(PINNED)
  if (!isAtPinned) {
    const { data, next_cursor } = await list(c, where, { after, limit })
    return { data: data.filter((one) => !isPinned(one)), next_cursor }
  }
  const named = (node: ListedNode): boolean => where.q === undefined || fold(node.text).includes(fold(where.q))
  const pinned = (await objectOf(c).pinned(await askerOf(c))).filter(named)
  const from = after === '' ? 0 : Number(after.slice(PINNED.length))
  const first = pinned.slice(from, from + limit)
  if (first.length === limit) return { data: first, next_cursor: encode(`${PINNED}${from + limit}`) }
  const { data, next_cursor } = await list(c, where, { after: '', limit: limit - first.length })
  return { data: [...first, ...data.filter((one) => !isPinned(one))], next_cursor }
}

function isPinned({ data }: ListedNode): boolean {
  return (data as { readonly pinned?: boolean } | undefined)?.pinned === true
}

/** How many nodes of a layer the asker may see; for a large layer, among the first ones that are checked. */
export async function countLayers(c: Ctx, kind: string): Promise<readonly { readonly layer: number; readonly count: number }[]> {
  const asker = await askerOf(c)
  const layers = await layersOf(c, kind)
  if ((await objectOf(c).seen({}, asker)).all) return [...layers, ...(await layersAbove(c, kind))]
  const most = Math.ceil(limits.counted / partitionsOf(c.get('corpus').uid))
  const counted: { layer: number; count: number }[] = []
  for (const { layer } of layers) {
    let count = 0
    for (let pages = 0, at: string | null = ''; pages < most && at !== null; pages++) {
      const found: Found = await pageOf(c, { kind, layer }, at, asker, limits.page)
      count += found.rows.length
      at = found.last
    }
    if (count > 0) counted.push({ layer, count })
  }
  return counted
}

/** For everybody; in a corpus in partitions, of all of them together. */
async function layersOf(c: Ctx, kind: string): Promise<readonly { readonly layer: number; readonly count: number }[]> {
  const { listings } = c.get('world')
  const corpus = c.get('corpus')
  const uids = partitionUids(corpus.uid)
  if (uids.length === 0) return listings.layers(corpus, kind)
  const slot = atOnce(workerLimits.safeConnections)
  const found = await Promise.all(uids.map((uid) => slot(() => listings.layers({ ...corpus, uid }, kind))))
  const layers = Map.groupBy(found.flat(), ({ layer }) => layer)
  return [...layers]
    .map(([layer, all]) => ({ layer, count: all.reduce((sum, { count }) => sum + count, 0) }))
    .sort((a, b) => a.layer - b.layer)
}

/** Summaries of what several partitions say: for those who may read everything in all of them. */
async function aboveOf(c: Ctx): Promise<readonly ListedNode[]> {
  const above = await objectOf(c).above()
  return above.map(({ node: { id, kind, layer, text, tokens, data } }) => ({ id, kind, layer, text, tokens, partition: WHOLE, data }))
}

async function layersAbove(c: Ctx, kind: string): Promise<readonly { readonly layer: number; readonly count: number }[]> {
  if (kind !== 'summary' || partitionsOf(c.get('corpus').uid) === 1) return []
  const layers = Map.groupBy(await aboveOf(c), ({ layer }) => layer)
  return [...layers].map(([layer, { length: count }]) => ({ layer, count })).sort((a, b) => a.layer - b.layer)
}

function pageAbove(rows: readonly ListedNode[], { layer }: Where, { after, limit }: Place): readonly ListedNode[] {
  return rows.filter((row) => row.id > after && (layer === undefined || row.layer === layer)).slice(0, limit)
}

interface Found {
  readonly all: boolean
  readonly rows: readonly ListedNode[]
  /** Of the rows looked at; null: there are no more. */
  readonly last: string | null
}

async function pageOf(c: Ctx, where: Where, after: string, asker: Asker, limit: number): Promise<Found> {
  if (partitionsOf(c.get('corpus').uid) > 1) return joinedPage(c, where, { after, limit }, asker)
  const rows = await c.get('world').listings.nodes(c.get('corpus'), where, { after, limit })
  const last = rows.length < limit ? null : (rows.at(-1)?.id ?? null)
  return { ...(await shownOf(c, rows, where.q, asker)), last }
}

/** In a corpus in partitions: each says what of its own the asker may see, which is then put together. */
async function joinedPage(c: Ctx, where: Where, place: Place, asker: Asker): Promise<Found> {
  const { listings, corpus: objectAt } = c.get('world')
  const corpus = c.get('corpus')
  const slot = atOnce(workerLimits.safeConnections)
  const pageIn = async (uid: string, partition: number) => {
    const found = await listings.nodes({ ...corpus, uid }, where, place)
    const rows = where.kind === 'summary' ? found.map((row) => ({ ...row, partition })) : found // an entity is in several
    return { rows, shown: await shownIn(objectAt(uid), rows, where.q, asker) }
  }
  const uids = partitionUids(corpus.uid)
  const pages = await Promise.all(uids.map((uid, part) => slot(() => pageIn(uid, part))))
  const isAll = pages.every(({ shown }) => shown.all)
  if (isAll && where.kind === 'summary') {
    const rows = pageAbove(await aboveOf(c), where, place)
    pages.push({ rows, shown: { all: true, rows } })
  }
  const all = joinNodes(
    pages.map(({ rows }) => rows),
    place.limit,
  )
  const last = all.length < place.limit ? null : (all.at(-1)?.id ?? null)
  const looked = new Set(all.map(({ id }) => id))
  const rows = joinNodes(
    pages.map(({ shown }) => shown.rows.filter(({ id }) => looked.has(id))),
    place.limit,
  )
  return { all: isAll, rows, last }
}

/** Rows of D1 as the asker may see them. `all`: nothing is hidden from them. */
export const shownOf = (c: Ctx, rows: readonly ListedNode[], q: string | undefined, asker: Asker): Promise<Shown> =>
  shownIn(objectOf(c), rows, q, asker)

interface Shown {
  readonly all: boolean
  readonly rows: readonly ListedNode[]
}

async function shownIn(
  object: Pick<CorpusObject, 'seen'>,
  rows: readonly ListedNode[],
  q: string | undefined,
  asker: Asker,
): Promise<Shown> {
  const documents = rows.flatMap(({ about }) => about?.document ?? [])
  const seen = await object.seen({ nodes: rows.map((row) => row.id), documents }, asker)
  if (seen.all) return { all: true, rows }
  const own = new Map(seen.nodes.map((node) => [node.id, node]))
  const shown = rows.flatMap((row): ListedNode[] => {
    const node = own.get(row.id)
    if (!node || (q !== undefined && !fold(node.text).includes(fold(q)))) return []
    const { about, stale: _, ...rest } = row
    const shownAbout = about && seen.documents[about.document] ? { about } : {}
    return [{ ...rest, text: node.text, tokens: node.tokens, data: node.data, ...shownAbout }]
  })
  return { all: false, rows: shown }
}
