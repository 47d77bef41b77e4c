/**
 * A graph with changes that are not in it yet: builders write here and read their own writes, and the result is the net change as a patch. Text
 * (documents, chunks, passages, units and the keyword index) is read from the graph below and cannot be changed here.
 */
import { edgeLine, isSameNode, isSameValue } from './canonical'
import { DraftEdges } from './draft-edges'
import { compareText } from './ordered-map'
import { type Entry, overlaid, paged } from './overlay'
import type { Admits, GraphReader, Preload, Range, TextNode } from './reader'
import { Spaces, taken } from './spaces'
import type {
  Change,
  Chunk,
  DerivedKind,
  DocumentRecord,
  Edge,
  EdgeKind,
  GraphNode,
  Hit,
  NodeKind,
  Patch,
  Place,
  Placement,
  Value,
  Vector,
} from './types'

const READS = 500 // pages of places that are remembered
const PAGE = 64 // entries read from below at a time while merging

/** The graph below must not change while a draft of it is in use. */
export function draftOf(graph: GraphReader): Draft {
  return new Draft(graph)
}

export class Draft implements GraphReader {
  readonly version: number
  readonly dimensions: number
  readonly stemmings: GraphReader['stemmings'] = () => this.#below.stemmings()
  readonly neighbours: NonNullable<GraphReader['neighbours']> = (kind, sources) => this.#edges.neighbours(kind, sources)
  readonly frequency: GraphReader['frequency'] = (terms, enough) => this.#below.frequency(terms, enough)
  readonly sentences: NonNullable<GraphReader['sentences']> = (chunk) => this.#below.sentences?.(chunk)
  readonly #below: GraphReader
  readonly #edges: DraftEdges
  /** What was put; undefined for what was dropped. */
  readonly #nodes = new Map<string, GraphNode | undefined>()
  /** By kind and id: does it exist now? */
  readonly #kinds = new Spaces<true | undefined>()
  readonly #counts = new Map<string, number>()
  readonly #places = new Spaces<string | undefined>()
  readonly #values = new Spaces<Value | undefined>()
  readonly #read = new Map<string, readonly Entry<string>[]>() // pages of places below

  constructor(below: GraphReader) {
    this.version = below.version
    this.dimensions = below.dimensions
    this.#below = below
    this.#edges = new DraftEdges(below)
  }

  preload(wanted: Preload): void {
    this.#below.preload?.(wanted)
  }

  putNode(node: GraphNode): void {
    this.dropNode(node.id)
    this.#nodes.set(node.id, node)
    this.#kinds.set(node.kind, node.id, true)
    this.#tally(node, 1)
  }

  dropNode(id: string): void {
    const known = this.node(id)
    if (!known) return
    this.#nodes.set(id, undefined)
    this.#kinds.set(known.kind, id, undefined)
    this.#tally(known, -1)
  }

  putEdge(edge: Edge): void {
    this.#edges.put(edge)
  }

  dropEdge(kind: EdgeKind, source: string, target: string): void {
    this.#edges.drop(kind, source, target)
  }

  putPlace(space: string, key: string, id: string): void {
    this.#places.set(space, key, id)
  }

  dropPlace(space: string, key: string): void {
    this.#places.set(space, key, undefined)
  }

  putValue(space: string, key: string, value: Value): void {
    this.#values.set(space, key, value)
  }

  dropValue(space: string, key: string): void {
    this.#values.set(space, key, undefined)
  }

  /** The net changes: whatever is as it was before gives none. Ordered by operation and then by what is changed. */
  patch(): Patch {
    this.#below.preload?.({ nodes: [...this.#nodes.keys()], values: this.#values.keys() })
    for (const { space, keys } of this.#places.keys())
      if (keys.length > 1) this.#below.preload?.({ places: { space, ranges: keys.map((key) => [key, key]), limit: 1 } })
    const changes = [...this.#nodeChanges(), ...this.#edgeChanges(), ...this.#placeChanges(), ...this.#valueChanges()]
    return changes.sort(([a], [b]) => compareText(a, b)).map(([, change]) => change)
  }

  count(kind: NodeKind, layer?: number): number {
    return this.#below.count(kind, layer) + (this.#counts.get(layer === undefined ? kind : `${kind} ${layer}`) ?? 0)
  }

  node(id: string): GraphNode | undefined {
    return this.#nodes.has(id) ? this.#nodes.get(id) : this.#below.node(id)
  }

  vector(id: string): Vector | undefined {
    return this.#nodes.has(id) ? this.#nodes.get(id)?.vector : this.#below.vector(id)
  }

  edge(kind: EdgeKind, source: string, target: string): Edge | undefined {
    return this.#edges.find(kind, source, target)
  }

  edges(kind: EdgeKind, source: string, limit?: number): readonly Edge[] {
    return this.#edges.leaving(kind, source, limit)
  }

  edgesTo(kind: EdgeKind, target: string, limit?: number): readonly Edge[] {
    return this.#edges.arriving(kind, target, limit)
  }

  degreeTo(kind: EdgeKind, target: string): number {
    return this.#edges.degree(kind, target)
  }

  order(space: string, range: Range): readonly Place[] {
    const below = paged((last, limit) => this.#placesBelow(space, range, last, limit), Math.min(PAGE, range.limit))
    const above = this.#places.within(space, range)
    return taken(overlaid(below, above, range.descending), range.limit).map(([key, id]) => ({ key, id }))
  }

  value(space: string, key: string): Value | undefined {
    return this.#values.has(space, key) ? this.#values.get(space, key) : this.#below.value(space, key)
  }

  valuesOf(space: string, keys: readonly string[]): readonly (Value | undefined)[] {
    const unchanged = keys.filter((key) => !this.#values.has(space, key))
    const below = this.#below.valuesOf(space, unchanged)
    let at = 0
    return keys.map((key) => (this.#values.has(space, key) ? this.#values.get(space, key) : below[at++]))
  }

  values(space: string, from: string, limit: number): readonly { readonly key: string; readonly value: Value }[] {
    const read = (last: string | undefined, limit: number) =>
      this.#below.values(space, last ?? from, limit).map(({ key, value }): Entry<Value> => [key, value])
    const merged = overlaid(paged(read, Math.min(PAGE, limit)), this.#values.within(space, { from }))
    return taken(merged, limit).map(([key, value]) => ({ key, value }))
  }

  page(kind: 'document' | 'chunk' | DerivedKind, after: string, limit: number): readonly string[] {
    if (kind === 'document' || kind === 'chunk') return this.#below.page(kind, after, limit)
    const read = (last: string | undefined, limit: number) => {
      const ids = last === undefined ? this.#below.page(kind, after, limit) : [last, ...this.#below.page(kind, last, limit - 1)]
      return ids.map((id): Entry<true> => [id, true])
    }
    const merged = overlaid(paged(read, Math.min(PAGE, limit)), this.#kinds.within(kind, { from: after }))
    return taken(merged, limit + 1)
      .map(([id]) => id)
      .filter((id) => id !== after)
      .slice(0, limit)
  }

  chunk(id: string): Chunk | undefined {
    return this.#below.chunk(id)
  }

  text(id: string): TextNode | undefined {
    return this.#below.text(id)
  }

  document(id: string): DocumentRecord | undefined {
    return this.#below.document(id)
  }

  placements(chunk: string): readonly Placement[] {
    return this.#below.placements(chunk)
  }

  match(terms: readonly string[], limit: number, admits?: Admits): readonly Hit[] {
    return this.#below.match(terms, limit, admits)
  }

  /** The graph below does not change while the draft is in use, and walks of an index begin at the same places again and again. */
  #placesBelow(space: string, range: Range, last: string | undefined, limit: number): readonly Entry<string>[] {
    const next = last === undefined ? {} : range.descending ? { to: last } : { from: last }
    const { from, to, descending } = { ...range, ...next }
    const asked = JSON.stringify([space, from, to, descending, limit])
    const known = this.#read.get(asked)
    if (known) return known
    const entries = this.#below.order(space, { ...range, ...next, limit }).map(({ key, id }): Entry<string> => [key, id])
    if (this.#read.size >= READS) this.#read.clear()
    this.#read.set(asked, entries)
    return entries
  }

  #tally({ kind, layer }: GraphNode, by: 1 | -1): void {
    for (const key of [kind, `${kind} ${layer}`]) this.#counts.set(key, (this.#counts.get(key) ?? 0) + by)
  }

  *#nodeChanges(): Generator<readonly [string, Change]> {
    for (const [id, node] of this.#nodes) {
      const before = this.#below.node(id)
      if (node && !(before && isSameNode(before, node))) yield [`1 ${id}`, { op: 'put-node', node }]
      if (!node && before) yield [`2 ${id}`, { op: 'drop-node', id }]
    }
  }

  *#edgeChanges(): Generator<readonly [string, Change]> {
    for (const { kind, source, target, below, now } of this.#edges.all()) {
      const key = JSON.stringify([kind, source, target])
      if (now && !(below && edgeLine(below) === edgeLine(now))) yield [`3 ${key}`, { op: 'put-edge', edge: now }]
      if (!now && below) yield [`4 ${key}`, { op: 'drop-edge', kind, source, target }]
    }
  }

  *#placeChanges(): Generator<readonly [string, Change]> {
    for (const [space, key, id] of this.#places.all()) {
      const before = this.#below.order(space, { from: key, to: key, limit: 1 })[0]?.id
      if (id === before) continue
      if (id === undefined) yield [`6 ${space} ${key}`, { op: 'drop-place', space, key }]
      else yield [`5 ${space} ${key}`, { op: 'put-place', space, key, id }]
    }
  }

  *#valueChanges(): Generator<readonly [string, Change]> {
    for (const [space, key, value] of this.#values.all()) {
      const before = this.#below.value(space, key)
      if (value === undefined && before !== undefined) yield [`8 ${space} ${key}`, { op: 'drop-value', space, key }]
      if (value === undefined || (before !== undefined && isSameValue(before, value))) continue
      yield [`7 ${space} ${key}`, { op: 'put-value', space, key, value }]
    }
  }
}
