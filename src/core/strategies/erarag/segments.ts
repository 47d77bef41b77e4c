/**
 * Which segments a layer is in, after nodes have come and gone: the canonical trie cut, or the paper's split and merge. Says it only for
 * the part that may have changed, and reads little more than that part.
 */
import { parts, splitMerge } from '../../algorithms/split-merge'
import { trieCut } from '../../algorithms/trie-cut'
import { trieRecut } from '../../algorithms/trie-recut'
import type { Place } from '../../graph/types'
import { allPlaces, keyIn, parentOf, segmentOf, sortedLayer, spaceOf, type Tree } from './tree'

/** Stands for a segment that no summary had, where every node of the layer is new. */
const NEW = ''

export interface Changes {
  readonly come: readonly Place[]
  readonly gone: readonly Place[]
}

/** Segments of a layer whose index already holds the changes. Nodes that have come have no parent yet; `orphaned` are the former parents of those gone. */
export function changedSegments(tree: Tree, layer: number, changes: Changes, orphaned: ReadonlySet<string>): (readonly Place[])[] {
  if (tree.draft.count('summary', layer + 1) === 0) return allSegments(tree, layer)
  return tree.shape.segmentation === 'trie' ? recut(tree, layer, changes) : remerged(tree, layer, changes, orphaned)
}

/** Every segment, from the keys alone. */
export function allSegments({ draft, shape }: Tree, layer: number): (readonly Place[])[] {
  const places = allPlaces(draft, spaceOf(layer))
  if (shape.segmentation === 'split-merge') return parts(places, shape)
  const starts = trieCut(
    places.map((place) => place.key),
    shape,
  )
  return starts.map((start, i) => places.slice(start, starts[i + 1] ?? places.length))
}

/** Too small a layer, or as high as the tree may grow: nothing is grouped. */
export function isTop({ draft, shape }: Tree, layer: number): boolean {
  return layer >= shape.layers || draft.order(spaceOf(layer), { limit: shape.most + 1 }).length <= shape.most
}

function recut({ draft, shape }: Tree, layer: number, { come, gone }: Changes): (readonly Place[])[] {
  const parted = (left: Place, right: Place): boolean => {
    const [a, b] = [parentOf(draft, left.id), parentOf(draft, right.id)]
    return a !== undefined && b !== undefined && a !== b
  }
  const keys = [...come, ...gone].map((place) => place.key)
  return trieRecut(sortedLayer(draft, layer), shape, keys, parted)
}

function remerged(tree: Tree, layer: number, { come, gone }: Changes, orphaned: ReadonlySet<string>): (readonly Place[])[] {
  const { draft, shape } = tree
  const sorted = sortedLayer(draft, layer)
  const before = ({ key }: Place): Place | undefined => sorted.down(key, 2).find((one) => one.key !== key)
  const after = ({ key }: Place): Place | undefined => sorted.up(key, 2).find((one) => one.key !== key)
  const joined = new Map<string, Place[]>() // by the summary of the segment they join
  const host = new Map<string, string>()
  for (const place of [...come].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    const [previous, next] = [before(place), after(place)]
    const home = (previous && (host.get(previous.id) ?? parentOf(draft, previous.id))) ?? nextHome(tree, next, after) ?? NEW
    host.set(place.id, home)
    joined.set(home, [...(joined.get(home) ?? []), place])
  }
  const kept = (summary: string): readonly Place[] => membersOf(tree, summary, gone)
  const touched = [...new Set([...joined.keys(), ...orphaned])]
    .map((summary) => [...kept(summary), ...(joined.get(summary) ?? [])].sort((a, b) => (a.key < b.key ? -1 : 1)))
    .filter((run) => run.length > 0)
  return splitMerge(touched, shape, { before, after, run: ({ id }) => kept(parentOf(draft, id) ?? '') })
}

/** What comes before all others joins the segment that begins the layer. */
function nextHome({ draft }: Tree, place: Place | undefined, after: (place: Place) => Place | undefined): string | undefined {
  for (let at = place; at; at = after(at)) {
    const home = parentOf(draft, at.id)
    if (home !== undefined) return home
  }
  return undefined
}

/** Members of a stored segment that are still in the layer, with their keys. */
function membersOf(tree: Tree, summary: string, gone: readonly Place[]): Place[] {
  const node = tree.draft.node(summary)
  if (!node) return []
  const away = new Set(gone.map((place) => place.id))
  return segmentOf(node)
    .members.filter((id) => !away.has(id))
    .map((id) => ({ id, key: keyIn(tree, id) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}
