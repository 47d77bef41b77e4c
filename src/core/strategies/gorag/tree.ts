/**
 * The part of the keyword–label graph that a text lights up: a Steiner tree over its keywords (GORAG §3.3). Its labels are the candidates, and it
 * is shown to the reader as the reason. A single keyword is its own tree, joined by its labels.
 */
import { type SteinerTree, steinerTree } from '../../algorithms/steiner'
import { forestOf, steinerTreeInForest } from '../../algorithms/steiner-mst'
import { packed, type WeightedEdge, type WeightedGraph } from '../../algorithms/weighted-graph'
import { nodeId } from '../../ids'
import { asWritten, type Counts } from './keywords'
import type { GoragSettings } from './settings'
import type { View } from './view'
import { weightsOf } from './weights'

export interface Tree {
  readonly nodes: readonly { readonly id: string; readonly kind: 'keyword' | 'label' | 'hub'; readonly text: string }[]
  readonly edges: readonly { readonly source: string; readonly target: string; readonly weight: number }[]
}

/** Labels are numbered as in the view, then comes the hub, then the keywords in their order. */
interface Numbered {
  readonly weigh: typeof weightsOf
  readonly keywords: readonly string[]
  readonly numbers: ReadonlyMap<string, number>
  readonly graph: WeightedGraph
  forest: readonly WeightedEdge[] | undefined
}

const maps = new WeakMap<View, Numbered>()

export interface Found {
  readonly tree: SteinerTree
  /** Numbers of the labels in it. */
  readonly labels: readonly number[]
}

export function steinerOf(view: View, counts: Counts, settings: GoragSettings, weigh = weightsOf): Found {
  const map = mapOf(view, weigh)
  const terminals = terminalsOf(view, counts, settings.terminals).map((keyword) => map.numbers.get(keyword) ?? 0)
  const [only, ...more] = terminals
  if (only === undefined) return { tree: { nodes: [], edges: [], cost: 0 }, labels: [] }
  const tree = more.length === 0 ? starAround(map.graph, only) : span(map, terminals, settings)
  return { tree, labels: tree.nodes.filter((node) => node < view.labelled.labels.length) }
}

/** The tree in words. `names` gives the label's id by its number. */
export function treeView(view: View, tree: SteinerTree, names: (label: number) => string): Tree {
  const map = mapOf(view, weightsOf)
  const labels = view.labelled.labels
  const idOf = (node: number): string => {
    if (node < labels.length) return labels[node] ?? ''
    return node === labels.length ? 'hub' : nodeId('keyword', map.keywords[node - labels.length - 1] ?? '')
  }
  return {
    nodes: tree.nodes.map((node) => {
      if (node < labels.length) return { id: idOf(node), kind: 'label', text: names(node) }
      if (node === labels.length) return { id: 'hub', kind: 'hub', text: '' }
      return { id: idOf(node), kind: 'keyword', text: asWritten(map.keywords[node - labels.length - 1] ?? '') }
    }),
    // Edges run from keyword to label, as they are stored, and from label to hub.
    edges: tree.edges.map(({ u, v, weight }) => {
      const [source, target] = v > labels.length ? [v, u] : [u, v]
      return { source: idOf(source), target: idOf(target), weight }
    }),
  }
}

/** The text's keywords that the graph knows, by Eq. 2. */
export function terminalsOf(view: View, counts: Counts, max: number): string[] {
  return [...counts]
    .filter(([keyword]) => view.cells.has(keyword))
    .map(([keyword, count]) => ({ keyword, score: count * view.salience(keyword) }))
    .sort((a, b) => b.score - a.score || (a.keyword < b.keyword ? -1 : 1))
    .slice(0, max)
    .map(({ keyword }) => keyword)
}

function span(map: Numbered, terminals: readonly number[], settings: GoragSettings): SteinerTree {
  if (settings.steiner === 'mehlhorn') return steinerTree(map.graph, terminals)
  map.forest ??= forestOf(map.graph)
  return steinerTreeInForest(map.forest, terminals)
}

function starAround(graph: WeightedGraph, centre: number): SteinerTree {
  const edges: WeightedEdge[] = []
  for (let i = graph.offsets[centre] ?? 0; i < (graph.offsets[centre + 1] ?? 0); i++) {
    edges.push({ u: graph.targets[i] ?? 0, v: centre, weight: graph.weights[i] ?? 0 })
  }
  const ends = edges.map(({ u }) => u).sort((a, b) => a - b)
  return { nodes: [...ends, centre], edges, cost: edges.reduce((sum, { weight }) => sum + weight, 0) }
}

function mapOf(view: View, weigh: typeof weightsOf): Numbered {
  const known = maps.get(view)
  if (known?.weigh === weigh) return known
  const weights = weigh(view)
  const hub = view.labelled.labels.length
  const keywords = keywordsOf(view)
  const numbers = new Map<string, number>()
  const from: number[] = []
  const to: number[] = []
  const lengths: number[] = []
  const link = (u: number, v: number, weight: number): void => {
    from.push(u)
    to.push(v)
    lengths.push(weight)
  }
  for (const [label, weight] of weights.hub.entries()) link(label, hub, weight)
  for (const [i, keyword] of keywords.entries()) {
    numbers.set(keyword, hub + 1 + i)
    const row = weights.rows.get(keyword)
    for (const [at, cell] of (view.cells.get(keyword) ?? []).entries()) link(cell.label, hub + 1 + i, row?.[at] ?? 1)
  }
  const graph = packed(hub + 1 + keywords.length, from, to, lengths)
  const made: Numbered = { weigh, keywords, numbers, graph, forest: undefined }
  maps.set(view, made)
  return made
}

const sorted = new WeakMap<View['labelled'], readonly string[]>()

/** Those of labelled texts in order, then in order those that were only learned: sorted again only when a label changes. */
function keywordsOf(view: View): readonly string[] {
  const told = sorted.get(view.labelled) ?? [...view.labelled.keywords].sort()
  sorted.set(view.labelled, told)
  if (view.cells.size === told.length) return told
  return [...told, ...[...view.cells.keys()].filter((keyword) => !view.labelled.keywords.has(keyword)).sort()]
}
