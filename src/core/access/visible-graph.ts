/**
 * The graph as an asker may see it: whatever reads it (channels, walks, neighbourhoods, evidence, traces) sees only texts they may read and what follows
 * from them, and nothing reveals that there is more. What counts without being shown (frequencies of terms, the number of passages, how a corpus is grouped
 * and weighted) is that of the whole corpus. A list is read further until enough of it may be seen, or `limits.read` of it were read. The results are
 * remembered: they may serve questions as long as the graph is as it was when this was made.
 */

import { mentionsOf } from '../builders/mention-list'
import { publishedTerm } from '../builders/published-term'
import { walkable } from '../graph/edge-ends'
import type { Admits, GraphReader, KeyedValue, Range, TextNode } from '../graph/reader'
import type { Chunk, DocumentRecord, Edge, EdgeKind, GraphNode, Hit, NodeKind, Place, Placement, Value, Vector } from '../graph/types'
import { chunkOf, kindOf } from '../ids'
import { SeenNodes } from './seen-nodes'
import { type Sight, texts } from './sight'
import { visibleEntity } from './visible-entity'
import { sortedEdges, visibleRelation } from './visible-relation'
import { type ValueRule, type Viewer, visibleValue, visibleValues } from './visible-value'

const limits = {
  wider: 4, // times as much is read at each attempt to fill a list
  read: 4096, // of a list, at most: reading all of a hub does not help an asker who may see almost nothing of it
  postings: 64, // passages of a published keyword, at most (ketrag/keyword-mean.ts)
} as const

export class VisibleGraph implements GraphReader {
  readonly isPartial = true
  readonly version: number
  readonly dimensions: number
  readonly stemmings: GraphReader['stemmings'] = () => this.#graph.stemmings()
  readonly #graph: GraphReader
  readonly #sight: Sight
  readonly #isWhole: boolean
  readonly #viewer: Viewer
  readonly #nodes = new SeenNodes()
  readonly #relations = new WeakMap<Edge, { readonly seen: Edge | undefined }>()

  /** `rule`: which of strategies' own values may be seen. */
  constructor(graph: GraphReader, sight: Sight, rule: ValueRule) {
    this.#graph = graph
    this.#sight = sight
    this.#isWhole = sight.isWhole === true
    this.#viewer = { sight, rule, sees: (id) => this.#sees(id) }
    this.version = graph.version
    this.dimensions = graph.dimensions
  }

  /** That what was found out takes, about. */
  get bytes(): number {
    return this.#nodes.bytes
  }

  count(kind: NodeKind, layer?: number): number {
    return this.#graph.count(kind, layer)
  }

  node(id: string): GraphNode | undefined {
    const known = this.#nodes.get(id)
    if (known === 'whole') return this.#graph.node(id)
    if (known !== undefined || this.#nodes.has(id)) return known
    const node = this.#graph.node(id)
    const seen = node && this.#seen(node)
    this.#nodes.set(id, seen && seen === node ? 'whole' : seen)
    return seen
  }

  chunk(id: string): Chunk | undefined {
    return this.#isWhole || this.#sight.chunk(id) ? this.#graph.chunk(id) : undefined
  }

  text(id: string): TextNode | undefined {
    return this.#isWhole || this.#sight.chunk(chunkOf(id)) ? this.#graph.text(id) : undefined
  }

  document(id: string): DocumentRecord | undefined {
    return this.#sight.document(id) ? this.#graph.document(id) : undefined
  }

  placements(chunk: string): readonly Placement[] {
    return this.#graph.placements(chunk).filter((place) => this.#sight.document(place.document))
  }

  /** For whoever may read only some, `homesOf` counts what they may read. */
  get homes() {
    return this.#isWhole ? this.#graph.homes : undefined
  }

  vector(id: string): Vector | undefined {
    return this.#sees(id) ? this.#graph.vector(id) : undefined
  }

  edge(kind: EdgeKind, source: string, target: string): Edge | undefined {
    const edge = this.#graph.edge(kind, source, target)
    return edge && this.#edge(edge)
  }

  edges(kind: EdgeKind, source: string, limit?: number): readonly Edge[] {
    walkable(kind, 'source')
    return this.#edges(kind, source, limit, (enough) => this.#graph.edges(kind, source, enough))
  }

  edgesTo(kind: EdgeKind, target: string, limit?: number): readonly Edge[] {
    walkable(kind, 'target')
    return this.#edges(kind, target, limit, (enough) => this.#graph.edgesTo(kind, target, enough))
  }

  degreeTo(kind: EdgeKind, target: string, enough?: number): number {
    walkable(kind, 'target')
    return enough === undefined ? this.#graph.degreeTo(kind, target) : this.edgesTo(kind, target, enough).length
  }

  order(space: string, range: Range): readonly Place[] {
    const sees = (place: Place): boolean => (space === 'names' ? this.#sight.document(place.id) : this.#sees(place.id))
    return filled(range.limit, (limit) => this.#graph.order(space, { ...range, limit }), sees)
  }

  value(space: string, key: string): Value | undefined {
    return visibleValue({ space, key, value: this.#graph.value(space, key) }, this.#viewer)
  }

  valuesOf(space: string, keys: readonly string[]): readonly (Value | undefined)[] {
    const found = this.#graph.valuesOf(space, keys)
    return keys.map((key, i) => visibleValue({ space, key, value: found[i] }, this.#viewer))
  }

  values(space: string, from: string, limit: number): readonly KeyedValue[] {
    return visibleValues(space, this.#graph.values(space, from, limit), this.#viewer)
  }

  keptValues(space: string): readonly KeyedValue[] | undefined {
    const kept = this.#graph.keptValues?.(space)
    return kept && visibleValues(space, kept, this.#viewer)
  }

  /** Not bounded by `read`: the keyword index bounds itself. */
  match(terms: readonly string[], limit: number, admits?: Admits): readonly Hit[] {
    if (this.#isWhole) return this.#graph.match(terms, limit, admits)
    const sees = this.#sight.chunk
    return this.#graph.match(terms, limit, admits ? (chunk) => sees(chunk) && admits(chunk) : sees)
  }

  /** Passages are those that `match` has shown. */
  get lexicon() {
    return this.#graph.lexicon
  }

  frequency(terms: readonly string[]): readonly number[] {
    return this.#graph.frequency(terms)
  }

  page(kind: 'document' | 'chunk' | GraphNode['kind'], after: string, limit: number): readonly string[] {
    const sees = (id: string): boolean => (kind === 'document' ? this.#sight.document(id) : this.#sees(id))
    return filled(limit, (wide) => this.#graph.page(kind, after, wide), sees)
  }

  /** Of any node but a document, whose id may look like anything. */
  #sees(id: string): boolean {
    const kind = kindOf(id)
    if (kind === 'chunk' || kind === 'passage' || kind === 'unit') return this.#isWhole || this.#sight.chunk(chunkOf(id))
    if (kind === undefined || kind === 'document') return false
    if (this.#isWhole && kind !== 'summary' && kind !== 'community') return true
    return this.#nodes.has(id) ? this.#nodes.get(id) !== undefined : this.node(id) !== undefined
  }

  #seen(node: GraphNode): GraphNode | undefined {
    const isWritten = node.kind === 'summary' || node.kind === 'community'
    if (this.#isWhole) return !isWritten || this.#sight.derived(node) ? node : undefined
    switch (node.kind) {
      case 'entity':
        return visibleEntity(node, {
          mentions: (limit) => this.#graph.edgesTo('mentions', node.id, limit),
          said: (chunk) => mentionsOf(this.#graph, chunk).filter((one) => one.entity === node.id),
          sees: (chunk) => this.#sight.chunk(chunk),
        })
      case 'keyword':
        return this.#keyword(node)
      case 'label':
        return node
      case 'summary':
        return this.#sight.derived(node) ? node : undefined
      case 'community':
        return this.#sight.derived(node) ? this.#community(node) : undefined
    }
  }

  /** A word of texts exists if a readable text says it; a word of a label's examples belongs to the corpus. */
  #keyword(node: GraphNode): GraphNode | undefined {
    const term = publishedTerm(this.#graph, node.id)
    return term === undefined || this.match([term], limits.postings).length > 0 ? node : undefined
  }

  /** Members its report says nothing of may be names that only other texts say. */
  #community(node: GraphNode): GraphNode {
    const all = texts(node.data.members)
    const members = all.filter((id) => this.#sees(id))
    return members.length === all.length ? node : { ...node, data: { ...node.data, members, leaves: members.length } }
  }

  #edges(kind: EdgeKind, end: string, limit: number | undefined, read: (limit?: number) => readonly Edge[]): readonly Edge[] {
    if (kind !== 'links' && kind !== 'mentions' && !this.#sees(end)) return []
    if (limit === undefined) return sortedEdges(kind, end, this.#visible(read()))
    for (let wide = limit; ; wide *= limits.wider) {
      const found = read(wide)
      const seen = this.#visible(found)
      if (seen.length >= limit || found.length < wide || wide >= limits.read) return sortedEdges(kind, end, seen).slice(0, limit)
    }
  }

  #visible(edges: readonly Edge[]): Edge[] {
    return edges.flatMap((edge) => this.#edge(edge) ?? [])
  }

  #edge(edge: Edge): Edge | undefined {
    const { kind, source, target } = edge
    switch (kind) {
      case 'mentions':
        return this.#sight.chunk(source) ? edge : undefined
      case 'links':
        return this.#sight.document(source) && this.#sight.document(target) ? edge : undefined
      case 'relates':
        return this.#relation(edge)
      case 'indicates':
        return edge
      case 'member':
      case 'near':
      case 'down':
        return this.#sees(source) && this.#sees(target) ? edge : undefined
    }
  }

  #relation(edge: Edge): Edge | undefined {
    if (this.#isWhole) return edge
    const known = this.#relations.get(edge)
    if (known) return known.seen
    const seen = visibleRelation(this, edge, (chunk) => this.#sight.chunk(chunk))
    this.#relations.set(edge, { seen })
    return seen
  }
}

/** So many things that may be seen, or as many as there are among those read. */
function filled<T>(limit: number, read: (limit: number) => readonly T[], sees: (thing: T) => boolean): readonly T[] {
  for (let wide = limit; ; wide *= limits.wider) {
    const found = read(wide)
    const seen = found.filter(sees)
    if (seen.length >= limit || found.length < wide || wide >= limits.read) return seen.slice(0, limit)
  }
}
