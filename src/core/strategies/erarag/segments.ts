/**
 * Which segments a layer has after nodes have come and gone: the canonical trie cut, or the paper's split and merge. Decides only the part that may
 * have changed, and reads little more than that part.
 */
import { hammingBetween } from '../../algorithms/gray-code'
import { splitMerge } from '../../algorithms/split-merge'
import { trieCut } from '../../algorithms/trie-cut'
import { trieRecut } from '../../algorithms/trie-recut'
import type { Place } from '../../graph/types'
import type { Shape } from './shape'
import { allPlaces, bucketOf, keyIn, parentOf, segmentOf, sortedLayer, spaceOf, type Tree } from './tree'

const NEW = 'new:' // before the bucket of nodes that join no segment: no summary's id begins like this

export interface Changes {
  readonly come: readonly Place[]
  readonly gone: readonly Place[]
}

/** Segments of a layer whose index already holds the changes. New nodes have no parent yet; `orphaned` are the former parents of those gone. */
export function changedSegments(tree: Tree, layer: number, changes: Changes, orphaned: ReadonlySet<string>): (readonly Place[])[] {
  if (tree.draft.count('summary', layer + 1) === 0) return allSegments(tree, layer)
  return tree.shape.segmentation === 'trie' ? recut(tree, layer, changes) : remerge(tree, layer, changes, orphaned)
}

/** Every segment, from the keys alone. */
export function allSegments({ draft, shape }: Tree, layer: number): (readonly Place[])[] {
  const places = allPlaces(draft, spaceOf(layer))
  if (shape.segmentation === 'split-merge') return mergeBuckets(places, shape)
  const starts = trieCut(
    places.map((place) => place.key),
    shape,
  )
  return starts.map((start, i) => places.slice(start, starts[i + 1] ?? places.length))
}

/** Is the layer too small, or as high as the tree may grow? Then nothing is grouped. */
export function isTop({ draft, shape }: Tree, layer: number): boolean {
  return layer >= shape.layers || draft.order(spaceOf(layer), { limit: shape.max + 1 }).length <= shape.max
}

function recut({ draft, shape }: Tree, layer: number, { come, gone }: Changes): (readonly Place[])[] {
  const parted = (left: Place, right: Place): boolean => {
    const [a, b] = [parentOf(draft, left.id), parentOf(draft, right.id)]
    return a !== undefined && b !== undefined && a !== b
  }
  const keys = [...come, ...gone].map((place) => place.key)
  return trieRecut(sortedLayer(draft, layer), shape, keys, parted)
}

function remerge(tree: Tree, layer: number, { come, gone }: Changes, orphaned: ReadonlySet<string>): (readonly Place[])[] {
  const { draft, shape } = tree
  const sorted = sortedLayer(draft, layer)
  const before = ({ key }: Place): Place | undefined => sorted.down(key, 2).find((one) => one.key !== key)
  const after = ({ key }: Place): Place | undefined => sorted.up(key, 2).find((one) => one.key !== key)
  const joined = new Map<string, Place[]>() // by the summary of the segment they join, or by the bucket they start
  const host = new Map<string, string>()
  for (const place of [...come].sort(byKey)) {
    const previous = before(place)
    const left = previous && { place: previous, segment: host.get(previous.id) ?? parentOf(draft, previous.id) ?? '' }
    const joins = segmentFor(place, left, nextOld(tree, place, after))
    host.set(place.id, joins)
    joined.set(joins, [...(joined.get(joins) ?? []), place])
  }
  const kept = (summary: string): readonly Place[] => membersOf(tree, summary, gone)
  const touched = [...new Set([...joined.keys(), ...orphaned])]
    .map((summary) => [...kept(summary), ...(joined.get(summary) ?? [])].sort(byKey))
    .filter((run) => run.length > 0)
  return splitMerge(touched, shape, { before, after, run: ({ id }) => kept(parentOf(draft, id) ?? ''), ...distanceOf(shape) })
}

/** Every bucket, split if it is too large and merged if it is too small. */
function mergeBuckets(places: readonly Place[], shape: Shape): (readonly Place[])[] {
  const at = new Map(places.map((place, i) => [place.key, i]))
  const beside = (step: number) => (place: Place) => places[(at.get(place.key) as number) + step]
  const buckets: Place[][] = []
  for (const place of places) {
    const last = buckets[buckets.length - 1]
    if (last && sameBucket(place, last[0])) last.push(place)
    else buckets.push([place])
  }
  return splitMerge(buckets, shape, { before: beside(-1), after: beside(1), run: (place) => [place], ...distanceOf(shape) })
}

const distanceOf = ({ merge }: Shape) =>
  merge === 'hamming' ? { distance: (a: Place, b: Place) => hammingBetween(bucketOf(a.key), bucketOf(b.key)) } : {}

function sameBucket(place: Place, other: Place | undefined): Place | undefined {
  return other && bucketOf(other.key) === bucketOf(place.key) ? other : undefined
}

interface Neighbour {
  readonly place: Place
  readonly segment: string
}

/** The segment of its bucket; if it starts a bucket, the segment around it; between two segments, a segment of its own. */
function segmentFor(place: Place, left: Neighbour | undefined, right: Neighbour | undefined): string {
  if (left && sameBucket(place, left.place)) return left.segment
  if (right && sameBucket(place, right.place)) return right.segment
  return left && left.segment === right?.segment ? left.segment : NEW + bucketOf(place.key)
}

/** The first node after this one that is not new as well. */
function nextOld({ draft }: Tree, place: Place, after: (place: Place) => Place | undefined): Neighbour | undefined {
  for (let at = after(place); at; at = after(at)) {
    const segment = parentOf(draft, at.id)
    if (segment !== undefined) return { place: at, segment }
  }
  return undefined
}

function byKey(a: Place, b: Place): number {
  return a.key < b.key ? -1 : 1
}

/** Members of a stored segment that are still in the layer, with their keys. */
function membersOf(tree: Tree, summary: string, gone: readonly Place[]): Place[] {
  const node = tree.draft.node(summary)
  if (!node) return []
  const away = new Set(gone.map((place) => place.id))
  return segmentOf(node)
    .members.filter((id) => !away.has(id))
    .map((id) => ({ id, key: keyIn(tree, id) }))
    .sort(byKey)
}
