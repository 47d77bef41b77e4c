/**
 * Links by likeness (ArchRAG, "augment"; the official compute_distance): between each node and the nearest nodes whose cosine is above a percentile
 * of the related pairs' cosines, at most as many as a node has relations on average. A node without any link is given its nearest ones, so that
 * nothing is without a home. The nearest are found exactly up to a size, and by C-HNSW beyond it.
 */
import { insert, remove } from '../../algorithms/c-hnsw'
import { descend, type Scored } from '../../algorithms/c-hnsw-search'
import { closeness } from '../../algorithms/nearness'
import { mentionsOf } from '../../builders/mention-list'
import { type Clustering, grouping, isOutgrown, keepState, type State, sizeOf, stateOf } from './clustering-state'
import { descend as descendTogether } from './descent'
import { type ExactKnn, exactKnn } from './exact-knn'
import { isLinked, isPlaced, shapeOf } from './linking'
import { fetchWeights, relatedTo, relationWeights } from './relation-weights'
import { likenessTo, linksOf } from './weighted-links'

const WIDTH = 40 // candidates for likeness
const TURN = 30 // degrees a vector may turn before its links are chosen again; a name said for the nth time turns by about 1/n
const LAG = 8 // degrees by which a community's place may lag behind its vector, which every newcomer turns a little
const HOMES = 3 // links of a node that has no others: the nearest one's community may be full
const ABOVE = 3 // nearest ones that a community is linked to whatever their likeness: a layer of stars, whose hubs are full, groups nothing
const TOGETHER = 250 // nodes whose related ones are read at once
const MANY = 0.5 // of a layer
const SAMPLE = 2048 // nodes that speak for a larger layer: what is measured changes little with more, and reading all would fill the object's memory
const SPARE = 8 // nearest ones considered beyond the cap, since those already related do not count

/** Puts a node of a layer into the index. */
export function addLinks(clustering: Clustering, layer: number, id: string, vector: Int8Array): void {
  const { rows, arrived } = clustering
  if (!isPlaced(clustering.draft, layer, id)) {
    rows.write(layer, id, { vector, links: [], ups: [] })
    return
  }
  const near = insert(rows, layer, id, vector, shapeOf(clustering))
  if (layer === 0) arrived.set(id, near)
}

/** Removes a node from what others are like. */
export function unlink({ rows }: Clustering, layer: number, id: string): void {
  for (const other of rows.read(layer, id)?.near ?? []) {
    const near = rows.read(layer, other)?.near.filter((one) => one !== id)
    if (near) rows.setNear(layer, other, near)
  }
  rows.setNear(layer, id, [])
}

/** Removes a node from the index, and from what others are like. */
export function removeLinks(clustering: Clustering, layer: number, id: string): void {
  const { rows } = clustering
  unlink(clustering, layer, id)
  if (rows.entry(layer) !== undefined) remove(rows, layer, id, shapeOf(clustering))
  else rows.write(layer, id, undefined)
}

/** Indexes a node with this vector: in its present place if it has turned little, else in a new one. Keeps what it is like. */
export function reindex(clustering: Clustering, layer: number, id: string, vector: Int8Array): void {
  const { rows } = clustering
  const row = rows.read(layer, id)
  const lag = layer > 0 && clustering.settings.growth === 'local' ? LAG : 0
  if (row && (isSameVector(row.vector, vector) || (lag > 0 && degrees(row.vector, vector) <= lag))) return
  const turned = row && isPlaced(clustering.draft, layer, id) ? (row.turned ?? 0) + degrees(row.vector, vector) : 0
  if (row && turned <= TURN) {
    rows.turn(layer, id, vector, turned)
    return
  }
  if (row) removeLinks(clustering, layer, id)
  addLinks(clustering, layer, id, vector)
  for (const other of row?.near ?? []) if (rows.read(layer, other)) linkBoth(clustering, layer, id, other)
}

/** The angle between two vectors, rounded up. */
function degrees(a: Int8Array, b: Int8Array): number {
  return Math.ceil((Math.acos(Math.min(1, Math.max(-1, closeness(a, b)))) * 180) / Math.PI)
}

function isSameVector(a: Int8Array, b: Int8Array): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i])
}

/**
 * What a layer is clustered with is kept as it is, or taken from the layer now: at first, and whenever it has doubled, since what a few nodes have
 * among themselves says nothing about thousands. True if it was taken; then every node is read once or twice, of a large layer those of a sample.
 */
export function settleState(clustering: Clustering, layer: number, sample = SAMPLE): boolean {
  const { rows } = clustering
  const before = stateOf(clustering.draft, layer)
  if (before && !isOutgrown(clustering, layer, before)) return false
  const size = sizeOf(clustering, layer)
  const ids = sampleOf(clustering, layer, sample)
  fetchWeights(clustering, layer, ids)
  const cosines: number[] = []
  let degrees = 0
  let joined = 0
  for (const [i, id] of ids.entries()) {
    if (i % TOGETHER === 0)
      rows.fetch(
        layer,
        ids.slice(i, i + TOGETHER).flatMap((one) => [one, ...relatedTo(clustering, layer, one)]),
      )
    const others = [...relatedTo(clustering, layer, id)]
    if (others.length > 0) joined++
    degrees += others.length
    const close = likenessTo(grouping(clustering, layer, id))
    for (const other of others) if (other > id && rows.read(layer, other)) cosines.push(close(grouping(clustering, layer, other)))
  }
  cosines.sort((a, b) => a - b)
  const at = Math.min(cosines.length - 1, Math.floor(clustering.settings.percentile * cosines.length))
  const cap = joined > 0 ? Math.floor(degrees / joined) : Math.floor(Math.sqrt(size) / 2)
  const { clustered = 0, modularity = 0, likeness = 0 } = before ?? {}
  keepState(clustering.draft, layer, {
    size,
    threshold: cosines[at] ?? 0,
    cap: Math.max(1, cap),
    mean: 0,
    clustered,
    modularity,
    likeness,
  })
  return true
}

/** Called once links by likeness are made. */
export function settleMean(clustering: Clustering, layer: number): void {
  const state = stateOf(clustering.draft, layer)
  const ids = sampleOf(clustering, layer, SAMPLE)
  let total = 0
  for (const id of ids) for (const weight of linksOf(clustering, layer, id).values()) total += weight
  if (state) keepState(clustering.draft, layer, { ...state, mean: ids.length > 0 ? total / ids.length : 0 })
}

/** All nodes of a layer, or of a large one a part that is drawn evenly. */
function sampleOf({ draft, rows }: Clustering, layer: number, sample: number): readonly string[] {
  return sizeOf({ draft }, layer) <= sample ? rows.ids(layer) : rows.some(layer, sample)
}

/** Links nodes to those they are like. */
export function linkNearest(clustering: Clustering, layer: number, ids: readonly string[]): void {
  const { rows, steps } = clustering
  const state = stateOf(clustering.draft, layer)
  if (!state || !steps.linksAlike) return
  fetchWeights(clustering, layer, ids)
  const floor = layer > 0 ? 0 : Math.max(0, state.threshold)
  const count = Math.max(state.cap, ABOVE) + SPARE
  const search = neighbourSearch(clustering, layer, ids, count)
  const every = ids.length < sizeOf(clustering, layer) ? search.several?.(ids, count, floor) : search.every?.(count, floor)
  for (const id of ids) {
    const row = rows.read(layer, id)
    if (!row) continue
    const known = relationWeights(clustering, layer, id)
    const alone = known.size === 0 && row.near.length === 0
    const found = (alone && floor > 0 ? undefined : every?.get(id)) ?? search.nearest(id, count, alone ? 0 : floor)
    const chosen = alikeAmong(found, known, state, layer)
    const others = chosen.length === 0 && alone ? shelterOf(clustering, layer, id, found) : chosen
    for (const other of others) linkBoth(clustering, layer, id, other)
  }
}

/** Which nodes a node without any link is placed beside. */
function shelterOf(clustering: Clustering, layer: number, id: string, found: readonly Scored[]): readonly string[] {
  return found.length > 0 ? found.slice(0, HOMES).map((one) => one.id) : namedBeside(clustering, layer, id)
}

/** Of the nearest, best first: those similar enough, at most `cap`; above the lowest layer the very nearest in any case. */
function alikeAmong(found: readonly Scored[], related: ReadonlyMap<string, number>, { threshold, cap }: State, layer: number): string[] {
  const others = found.filter((one) => !related.has(one.id))
  const [min, max] = layer > 0 ? [ABOVE, Math.max(ABOVE, cap)] : [0, cap]
  return others
    .filter((one, at) => at < min || one.score > threshold)
    .slice(0, max)
    .map((one) => one.id)
}

function linkBoth({ rows }: Clustering, layer: number, a: string, b: string): void {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const row = rows.read(layer, one)
    if (row && !row.near.includes(other)) rows.setNear(layer, one, [...row.near, other])
  }
}

/** Finds nodes whose cosine is above a floor, best first, at most `count`, without the node itself. If a large share of a layer is asked for, all are compared, which is exact. */
function neighbourSearch(
  clustering: Clustering,
  layer: number,
  ids: readonly string[],
  count: number,
): Pick<ExactKnn, 'nearest'> & Partial<ExactKnn> {
  const { rows } = clustering
  if (ids.length === 0) return { nearest: () => [] }
  if (ids.length > MANY * sizeOf(clustering, layer)) return exactKnn(rows.load(layer), (id) => grouping(clustering, layer, id))
  if (layer === 0 && isLinked(clustering.draft)) return { nearest: (id, count, floor) => byLinks(clustering, id, count, floor) }
  const near = descendTogether(clustering, layer, ids, count)
  if (layer === 0) return { nearest: (id, _, floor) => (near.get(id) ?? []).filter((one) => one.score > floor) }
  // Communities are grouped by their sums; their vectors in the index are a rounded copy of these.
  return {
    nearest(id, _, floor) {
      const close = likenessTo(grouping(clustering, layer, id))
      const found = (near.get(id) ?? []).map((one): Scored => ({ id: one.id, score: close(grouping(clustering, layer, one.id)) }))
      return found.filter((one) => one.score > floor).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    },
  }
}

function byLinks({ rows, arrived }: Clustering, id: string, count: number, floor: number): Scored[] {
  const vector = rows.read(0, id)?.vector
  const known = arrived.get(id)?.filter((one) => rows.read(0, one.id))
  const found = known ?? (vector ? descend(rows, vector, 0, Math.max(WIDTH, count)) : [])
  return found
    .filter((one) => one.id !== id && one.score > Math.max(0, floor))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, count)
}

/** Without vectors, an entity without relations is placed beside another name of its text. */
function namedBeside({ draft, rows }: Clustering, layer: number, id: string): readonly string[] {
  const [edge] = layer === 0 ? draft.edgesTo('mentions', id, 1) : []
  const others = edge ? mentionsOf(draft, edge.source).map((one) => one.entity) : []
  return others.filter((other) => other !== id && rows.read(layer, other)).slice(0, 1)
}
