/**
 * One code path for building and growing (EraRAG, Algorithms 1 and 3): what has come and gone in a layer changes some of its segments; their
 * summaries come and go in the layer above; and so on up. A new top layer appears when the last one holds more than S_max nodes, and goes when it
 * is no longer needed. Segments that come out unchanged keep their summary. None of this needs a model.
 */
import type { GraphNode, Place } from '../../graph/types'
import { nodeId } from '../../ids'
import { accumulate } from '../../vectors'
import { type Changes, changedSegments, isTop } from './segments'
import { allPlaces, dropSummary, keyOf, parentOf, putSummary, type Segment, segmentOf, spaceOf, type Tree } from './tree'

/** Applies the changes to a layer, and everything that follows from them to the layers above. */
export function grow(tree: Tree, layer: number, changes: Changes): void {
  let [at, now] = [layer, changes]
  for (; now.come.length + now.gone.length > 0; at++) now = growLayer(tree, at, now)
}

/** Applies the changes to one layer; returns what changes in the layer above. */
function growLayer(tree: Tree, layer: number, changes: Changes): Changes {
  const { draft } = tree
  const space = spaceOf(layer)
  const orphaned = new Set<string>()
  for (const { key, id } of changes.gone) {
    draft.dropPlace(space, key)
    const parent = parentOf(draft, id)
    if (parent === undefined) continue
    orphaned.add(parent)
    draft.dropEdge('member', id, parent)
  }
  for (const { key, id } of changes.come) draft.putPlace(space, key, id)
  if (isTop(tree, layer))
    return {
      come: [],
      gone: dropSummaries(
        tree,
        layer + 1,
        allPlaces(draft, spaceOf(layer + 1)).map((place) => place.id),
      ),
    }
  const segments = changedSegments(tree, layer, changes, orphaned)
  return replaceSegments(tree, layer + 1, segments, orphaned)
}

/** Replaces the former segments of these members. */
export function replaceSegments(
  tree: Tree,
  layer: number,
  segments: readonly (readonly Place[])[],
  orphaned: ReadonlySet<string>,
): Changes {
  const { draft } = tree
  const named = new Map(segments.map((segment) => [summaryId(layer, segment), segment] as const))
  draft.preload({
    edges: [...named].flatMap(([target, segment]) => segment.map(({ id }) => ({ kind: 'member' as const, source: id, target }))),
  })
  const former = new Set(orphaned)
  for (const segment of segments) for (const { id } of segment) for (const parent of [parentOf(draft, id) ?? []].flat()) former.add(parent)
  const kept = new Set([...former].filter((id) => named.has(id) && isIntact(tree, id)))
  const going = [...former].filter((id) => !kept.has(id)).sort()
  const home = new Map([...named].flatMap(([id, segment]) => segment.map((place) => [place.id, id] as const)))
  const carried = carryTexts(tree, going, home)
  const gone = dropSummaries(tree, layer, going)
  const come: Place[] = []
  for (const [id, segment] of named) if (!kept.has(id)) come.push(addSummary(tree, layer, id, segment, carried.get(id)))
  return { come, gone }
}

export function summaryId(layer: number, members: readonly Place[]): string {
  return nodeId('summary', 'erarag', layer, ...members.map((place) => place.id))
}

/** A summary of exactly these members that has since lost one (because that got another key) is made again, though under the same id. */
function isIntact({ draft }: Tree, id: string): boolean {
  const node = draft.node(id)
  return node !== undefined && segmentOf(node).members.every((member) => draft.edge('member', member, id) !== undefined)
}

function dropSummaries(tree: Tree, layer: number, ids: readonly string[]): Place[] {
  return ids.flatMap((id): Place[] => {
    const node = tree.draft.node(id)
    if (!node || node.layer !== layer) return []
    dropSummary(tree, node)
    return [{ id, key: segmentOf(node).key }]
  })
}

/**
 * The text of a former summary may stay, marked stale, in a new one that holds all its leaves: then it says nothing that is not below it. In any
 * other it might outlive the document it came from.
 */
function carryTexts({ draft, into }: Tree, going: readonly string[], home: ReadonlyMap<string, string>): Map<string, GraphNode> {
  const carried = new Map<string, GraphNode>()
  for (const id of going) {
    const node = draft.node(id)
    if (!node) continue
    const homes = new Set(segmentOf(node).members.map((member) => home.get(into.get(member) ?? member)))
    const [target] = homes
    if (homes.size !== 1 || target === undefined) continue
    into.set(id, target)
    const other = carried.get(target)
    if (node.text !== '' && (!other || segmentOf(other).leaves < segmentOf(node).leaves)) carried.set(target, node)
  }
  return carried
}

/** Exact: the sums are integers, so the order of members, and of their arrival, does not matter. */
export function sumMembers({ draft }: Tree, members: readonly Place[]): { readonly sum: Int32Array; readonly leaves: number } {
  const sum = new Int32Array(draft.dimensions)
  let leaves = 0
  for (const { id } of members) {
    const node = draft.node(id)
    const vector = node?.sum ?? draft.vector(id)
    if (vector) accumulate(sum, vector)
    leaves += node ? segmentOf(node).leaves : 1
  }
  return { sum, leaves }
}

function addSummary(tree: Tree, layer: number, id: string, members: readonly Place[], carried: GraphNode | undefined): Place {
  const { draft, planes } = tree
  const { sum, leaves } = sumMembers(tree, members)
  for (const member of members) draft.putEdge({ kind: 'member', source: member.id, target: id, weight: 1 })
  const key = keyOf(planes, sum, leaves, id)
  const { input, generator } = carried ? segmentOf(carried) : { input: undefined, generator: undefined }
  const segment: Segment = {
    basis: 'segment',
    members: members.map((place) => place.id),
    leaves,
    key,
    ...(input === undefined ? {} : { input }),
    ...(generator === undefined ? {} : { generator }),
  }
  putSummary(tree, {
    id,
    kind: 'summary',
    layer,
    text: carried?.text ?? '',
    tokens: carried?.tokens ?? 0,
    ...(carried?.vector ? { vector: carried.vector } : {}),
    sum,
    stale: true,
    data: { ...segment },
  })
  tree.made.add(id)
  return { id, key }
}
