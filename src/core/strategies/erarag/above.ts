/**
 * The tree above those of the parts of a corpus: its leaves are the top summaries of the parts' trees, and it is grown by the same code, hashed by the
 * same hyperplanes, within the same bounds. It follows from its leaves alone, whatever their order, and needs no model: its texts are the best
 * sentences of those below. Its layers are numbered on from the most that a part's tree may have.
 */
import { draftOf } from '../../graph/draft'
import { membersIn } from '../../graph/members'
import { MemoryGraph } from '../../graph/memory'
import type { GraphReader } from '../../graph/reader'
import type { GraphNode, Vector } from '../../graph/types'
import type { SummaryAbove } from '../../joint/joint-trees'
import type { Settings } from '../../settings'
import { cosine, quantize } from '../../vectors'
import { grow } from './grow'
import { planesOf, shapeOf, storedShape } from './shape'
import { support } from './support'
import { keyOf, type Segment, segmentOf, spaceOf } from './tree'
import { settle } from './writing'

const PAGE = 1000 // more than the summaries that 64 parts have above them

/** A summary of the top layer of a part's tree, with what a tree above it is grown from. */
export interface Top extends Pick<GraphNode, 'id' | 'layer' | 'text' | 'tokens'> {
  readonly sum: Int32Array
  readonly leaves: number
}

/** None: the tree has no summaries yet, or is cut off at a layer of more than S_max. */
export function topsOf(graph: GraphReader, { erarag }: Pick<Settings, 'erarag'>): readonly Top[] {
  let layer = 0
  while (graph.count('summary', layer + 1) > 0) layer++
  const { max } = storedShape(graph, erarag) ?? erarag
  const places = layer === 0 ? [] : graph.order(spaceOf(layer), { limit: max + 1 })
  if (places.length > max) return []
  return places.flatMap(({ id }): readonly Top[] => {
    const node = graph.node(id)
    if (!node?.sum) return []
    const { text, tokens, sum } = node
    return [{ id, layer, text, tokens, sum, leaves: segmentOf(node).leaves }]
  })
}

/** O(tops): a few hundred at most. Summaries of its own are those of higher layers than `settings.erarag.layers`. */
export function treeAbove(tops: readonly Top[], { dimensions, ...settings }: Settings): GraphReader {
  const draft = draftOf(new MemoryGraph(dimensions))
  const erarag = { ...settings.erarag, writing: 'eager', regroup: 'members' } as const
  const shape = { ...shapeOf(erarag), layers: 2 * erarag.layers }
  const tree = { draft, shape, planes: planesOf(draft, shape), made: new Set<string>(), dropped: new Map(), into: new Map() }
  const come = tops.map(({ id, sum, leaves }) => ({ id, key: keyOf(tree.planes, sum, leaves, id) }))
  for (const [i, { leaves, ...top }] of tops.entries()) {
    const segment: Segment = { basis: 'segment', members: [], leaves, key: come[i]?.key ?? '' }
    draft.putNode({ ...top, kind: 'summary', data: { ...segment } })
  }
  grow(tree, erarag.layers, { come, gone: [] })
  settle({ tree, settings: { ...settings, dimensions, writer: false, erarag }, tasks: new Map(), fresh: new Set() }, tree.made)
  return draft
}

/** All that such a tree has above its leaves, in order of id, each with the leaves below it that are nearest to the question. */
export function summariesAbove(
  tree: GraphReader,
  { erarag }: Pick<Settings, 'erarag'>,
  partOf: (top: string) => number,
  question?: Vector,
): readonly SummaryAbove[] {
  return tree.page('summary', '', PAGE).flatMap((id): readonly SummaryAbove[] => {
    const node = tree.node(id)
    if (!node || node.layer <= erarag.layers) return []
    const { sum, ...rest } = node
    const leaves = leavesOf(tree, node, erarag.layers, question).map((leaf) => [leaf, partOf(leaf)] as const)
    return [{ node: { ...rest, ...(sum ? { vector: quantize(sum) } : {}) }, leaves }]
  })
}

/** As one walks down a tree in one graph (support.ts), but by vectors alone: how rare a word is, only the parts together know. */
function leavesOf(tree: GraphReader, node: GraphNode, base: number, question: Vector | undefined): readonly string[] {
  const nearness = ({ sum }: GraphNode): number => (question && sum ? cosine(question, sum) : 0)
  let level: readonly GraphNode[] = [node]
  while ((level[0]?.layer ?? 0) > base) {
    const children = level.flatMap((one) => membersIn(one).flatMap((id) => tree.node(id) ?? []))
    level = children.sort((a, b) => nearness(b) - nearness(a) || (a.id < b.id ? -1 : 1)).slice(0, support.beam)
  }
  return level.map(({ id }) => id)
}
