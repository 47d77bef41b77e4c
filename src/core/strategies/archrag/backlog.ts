/**
 * What came with a change too large for one transaction: it waits in the graph and is folded in a piece at a time, in commits of its own.
 * A piece is whole documents where it can be, whose entities are linked among each other more than to anything else. Without this a batch of a thousand documents would hold the object's
 * memory, and keep everybody waiting, for minutes.
 */
import { mentionsOf } from '../../builders/mention-list'
import type { Draft } from '../../graph/draft'
import type { GraphReader } from '../../graph/reader'
import { layerSpace } from './rows'
import type { ArchSettings } from './settings'

const SPACE = 'archrag/owed' // key = entity, value = is it not in the lowest layer yet?
const COUNT_SPACE = 'archrag/missing' // its one key holds how many are not
const ALL = 'all'
const LARGE_LAYER = 2000 // entities in the lowest layer beyond which a piece is half as large, since each of its own costs twice as much; beyond twice as many, a quarter

interface Clustering {
  readonly draft: Draft
  readonly settings: ArchSettings
  /** Has text gone in this change? */
  readonly shrunk: boolean
}

/** Are there entities that are not yet as they should be in the communities and the index? */
export function hasBacklog(graph: GraphReader): boolean {
  return firstInBacklog(graph) !== undefined
}

/** Entities that are in the graph, and not yet in the lowest layer. O(1). */
export function backlogSize(graph: GraphReader): number {
  return Number(graph.value(COUNT_SPACE, ALL) ?? 0)
}

/** How many entities are folded in at a time. */
export function batchSize({ draft, settings }: Pick<Clustering, 'draft' | 'settings'>): number {
  const placed = draft.count('entity') - backlogSize(draft)
  const share = placed > 2 * LARGE_LAYER ? 4 : placed > LARGE_LAYER ? 2 : 1
  return Math.ceil(settings.piece / share)
}

/**
 * What a change folds in now, of the entities it touched: all of them, or, where they are many, those that have gone, those that may repeat text
 * that has gone, and a piece of the others; the rest is owed.
 */
export function firstBatch(clustering: Clustering, touched: ReadonlySet<string>): ReadonlySet<string> {
  const { draft, settings, shrunk } = clustering
  const max = batchSize(clustering)
  if (touched.size <= max || settings.growth === 'whole') {
    removeFromBacklog(draft, touched)
    return touched
  }
  const urgent = (id: string): boolean => !draft.node(id) || (shrunk && isPlaced(draft, id))
  const now = new Set([...touched].filter(urgent))
  removeFromBacklog(draft, now)
  addToBacklog(
    draft,
    [...touched].filter((id) => !now.has(id)),
  )
  return new Set([...now, ...nextBatch(clustering, max - now.size)])
}

/** Up to so many of those that are owed; they are no longer. */
export function nextBatch({ draft }: Clustering, max: number): ReadonlySet<string> {
  const out = new Set<string>()
  for (let id = firstInBacklog(draft); id !== undefined && out.size < max; id = firstInBacklog(draft)) {
    const all = [id, ...namedBeside(draft, id)].filter((one) => draft.value(SPACE, one) !== undefined)
    const some = new Set(all.slice(0, Math.max(0, max - out.size)))
    for (const one of some) out.add(one)
    removeFromBacklog(draft, some)
  }
  return out
}

/** What the document names that names an entity first: it is new together, and linked among itself more than to anything else. */
function namedBeside(draft: Draft, id: string): string[] {
  const chunk = draft.edgesTo('mentions', id, 1)[0]?.source
  if (chunk === undefined) return []
  const document = draft.document(draft.placements(chunk)[0]?.document ?? '')
  const chunks = document ? document.chunks.map((one) => one.chunk) : [chunk]
  return chunks.flatMap((one) => mentionsOf(draft, one).map(({ entity }) => entity))
}

function firstInBacklog(draft: GraphReader): string | undefined {
  return draft.values(SPACE, '', 1)[0]?.key
}

function isPlaced(draft: Draft, id: string): boolean {
  return draft.value(layerSpace(0), id) !== undefined
}

function addToBacklog(draft: Draft, ids: readonly string[]): void {
  let count = backlogSize(draft)
  for (const id of ids) {
    if (draft.value(SPACE, id) !== undefined) continue
    const comes = !isPlaced(draft, id)
    draft.putValue(SPACE, id, comes)
    if (comes) count++
  }
  keepCount(draft, count)
}

function removeFromBacklog(draft: Draft, ids: Iterable<string>): void {
  if (!hasBacklog(draft)) return
  let count = backlogSize(draft)
  for (const id of ids) {
    const comes = draft.value(SPACE, id)
    if (comes === undefined) continue
    draft.dropValue(SPACE, id)
    if (comes === true) count--
  }
  keepCount(draft, count)
}

function keepCount(draft: Draft, count: number): void {
  if (count > 0) draft.putValue(COUNT_SPACE, ALL, count)
  else draft.dropValue(COUNT_SPACE, ALL)
}
