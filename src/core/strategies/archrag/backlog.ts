/**
 * What came with a change too large for one transaction: it waits in the graph and is folded in piece by piece, in commits of its own. A piece is
 * whole documents if possible, since their entities are linked among each other more than to anything else. Without this, a batch of a thousand
 * documents would fill the object's memory and keep everybody waiting for minutes.
 */
import { mentionsOf } from '../../builders/mention-list'
import type { Draft } from '../../graph/draft'
import type { GraphReader } from '../../graph/reader'
import type { Json } from '../../graph/types'
import { layerSpace } from './rows'
import type { ArchSettings } from './settings'

const SPACE = 'archrag/owed' // key = number, value = list of [entity, is it not in the lowest layer yet?], so that thousands cost few rows
const COUNT_SPACE = 'archrag/missing' // its one key holds how many entities are not in it
const ALL = 'all'
const DIGITS = 12
const NUMBER = /^\d+$/
const MAX_LISTS = 100_000

interface Clustering {
  readonly draft: Draft
  readonly settings: ArchSettings
  /** Has this change taken text away? */
  readonly shrunk: boolean
}

/** Are there entities that do not have their right place in the communities and the index yet? */
export function hasBacklog(graph: GraphReader): boolean {
  return graph.values(SPACE, '', 1).length > 0
}

/** Entities that are in the graph but not yet in the lowest layer. O(1). */
export function backlogSize(graph: GraphReader): number {
  return Number(graph.value(COUNT_SPACE, ALL) ?? 0)
}

/**
 * Which of the entities that a change touched are folded in now: all of them, or, if there are many, those that are gone, those that may repeat
 * text that is gone, and a piece of the others; the rest joins the backlog.
 */
export function firstBatch(clustering: Clustering, touched: ReadonlySet<string>): ReadonlySet<string> {
  const { draft, settings, shrunk } = clustering
  const max = settings.piece
  if (touched.size <= max || settings.growth === 'whole') {
    removeFromBacklog(draft, touched)
    return touched
  }
  draft.preload({ nodes: [...touched], values: [{ space: layerSpace(0), keys: [...touched] }] })
  const urgent = (id: string): boolean => !draft.node(id) || (shrunk && isPlaced(draft, id))
  const now = new Set([...touched].filter(urgent))
  removeFromBacklog(draft, now)
  addToBacklog(
    draft,
    [...touched].filter((id) => !now.has(id)),
    settings.piece,
  )
  return new Set([...now, ...nextBatch(clustering, max - now.size)])
}

/** Takes up to so many entities from the backlog. */
export function nextBatch({ draft }: Clustering, max: number): ReadonlySet<string> {
  const out = new Set<string>()
  const next = (): List | undefined => (out.size < max ? lists(draft, 1)[0] : undefined)
  for (let list = next(); list; list = next()) {
    const now = list.waiting.slice(0, max - out.size)
    for (const [id] of now) out.add(id)
    removeFrom(draft, list, new Set(now.map(([id]) => id)))
  }
  return out
}

/**
 * All that a document names, starting with the first to name an entity: these entities are new together, and linked among each other more than to
 * anything else.
 */
function namedBeside(draft: Draft, id: string): string[] {
  const chunk = draft.edgesTo('mentions', id, 1)[0]?.source
  if (chunk === undefined) return []
  const document = draft.document(draft.placements(chunk)[0]?.document ?? '')
  const chunks = document ? document.chunks.map((one) => one.chunk) : [chunk]
  return chunks.flatMap((one) => mentionsOf(draft, one).map(({ entity }) => entity))
}

function isPlaced(draft: Draft, id: string): boolean {
  return draft.value(layerSpace(0), id) !== undefined
}

type Waiting = readonly [entity: string, comes: boolean]

interface List {
  readonly key: string
  readonly waiting: readonly Waiting[]
}

/** The lists in order. A row from before there were lists is one entity. */
function lists(graph: GraphReader, limit = MAX_LISTS): readonly List[] {
  return graph.values(SPACE, '', limit).map(({ key, value }) => ({
    key,
    waiting: Array.isArray(value) ? (value as unknown as Waiting[]) : [[key, value === true]],
  }))
}

/** Keeps whole documents together, after what is already waiting. */
function addToBacklog(draft: Draft, ids: readonly string[], size: number): void {
  const before = lists(draft)
  const known = new Set(before.flatMap((list) => list.waiting.map(([id]) => id)))
  const left = new Set(ids.filter((id) => !known.has(id)))
  const waiting: Waiting[] = []
  for (const id of left) {
    for (const one of [id, ...namedBeside(draft, id)]) if (left.delete(one)) waiting.push([one, !isPlaced(draft, one)])
  }
  let number = before.reduce((max, { key }) => (NUMBER.test(key) ? Math.max(max, Number(key) + 1) : max), 0)
  for (let at = 0; at < waiting.length; at += size, number++) {
    draft.putValue(SPACE, String(number).padStart(DIGITS, '0'), waiting.slice(at, at + size) as unknown as Json)
  }
  keepCount(draft, backlogSize(draft) + waiting.filter(([, comes]) => comes).length)
}

function removeFromBacklog(draft: Draft, ids: ReadonlySet<string>): void {
  if (!hasBacklog(draft)) return
  for (const list of lists(draft)) removeFrom(draft, list, ids)
}

function removeFrom(draft: Draft, { key, waiting }: List, ids: ReadonlySet<string>): void {
  const gone = waiting.filter(([id]) => ids.has(id))
  if (gone.length === 0) return
  if (gone.length === waiting.length) draft.dropValue(SPACE, key)
  else draft.putValue(SPACE, key, waiting.filter(([id]) => !ids.has(id)) as unknown as Json)
  keepCount(draft, backlogSize(draft) - gone.filter(([, comes]) => comes).length)
}

function keepCount(draft: Draft, count: number): void {
  if (count > 0) draft.putValue(COUNT_SPACE, ALL, count)
  else draft.dropValue(COUNT_SPACE, ALL)
}
