/**
 * The graph in memory: tests and quality benchmarks run on it, and the object's SQLite is compared with it. It has the complexities that the
 * contract asks for, up to about 100,000 passages. Keeps what it is given; it copies nothing.
 */
import { chunkOf, kindOf } from '../ids'
import { edgeLine, nodeLine, placeLine, valueLine } from './canonical'
import { ends, stored, walkable } from './edge-ends'
import { EdgeTable } from './edge-table'
import { MemoryText } from './memory-text'
import { namesItsKind } from './node-name'
import { partOf } from './parts'
import type { Admits, GraphReader, Range, TextNode } from './reader'
import { Spaces, taken } from './spaces'
import type { Change, Chunk, DerivedKind, DocumentRecord, Edge, EdgeKind, GraphNode, Hit, NodeKind, Patch } from './types'
import { EDGE_ENDS, type Place, type Placement, type Stemmed, type TextKind, type Value, type Vector } from './types'

const TEXT: ReadonlySet<string> = new Set<TextKind>(['document', 'chunk', 'passage', 'unit'])

export class MemoryGraph implements GraphReader {
  readonly dimensions: number
  #version = 0
  readonly #text: MemoryText
  readonly #nodes = new Map<string, GraphNode>()
  readonly #kinds = new Spaces<true>()
  readonly #counts = new Map<string, number>()
  readonly #edges: ReadonlyMap<EdgeKind, EdgeTable>
  readonly #places = new Spaces<string>()
  readonly #values = new Spaces<Value>()

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.#text = new MemoryText(dimensions)
    this.#edges = new Map((Object.keys(EDGE_ENDS) as EdgeKind[]).map((kind) => [kind, new EdgeTable(kind)]))
  }

  get version(): number {
    return this.#version
  }

  /** Makes the changes in their order and moves to the next version. */
  apply(patch: Patch): void {
    for (const change of patch) this.#make(change)
    this.#version++
  }

  /** The whole graph, one canonical line for each thing in it, in no particular order. */
  *lines(): Generator<string> {
    yield* this.#text.lines()
    for (const node of this.#nodes.values()) yield nodeLine(node)
    for (const table of this.#edges.values()) for (const edge of table.all()) yield edgeLine(edge)
    for (const [space, key, id] of this.#places.all()) yield placeLine(space, { key, id })
    for (const [space, key, value] of this.#values.all()) yield valueLine(space, key, value)
  }

  count(kind: NodeKind, layer?: number): number {
    if (isText(kind)) return layer ? 0 : this.#text.count(kind)
    return this.#counts.get(layer === undefined ? kind : `${kind} ${layer}`) ?? 0
  }

  stemmings(): readonly (Stemmed | undefined)[] {
    return this.#text.stemmings()
  }

  node(id: string): GraphNode | undefined {
    return this.#nodes.get(id)
  }

  chunk(id: string): Chunk | undefined {
    return this.#text.chunks.get(id)?.chunk
  }

  text(id: string): TextNode | undefined {
    const chunk = this.chunk(chunkOf(id))
    return chunk && partOf(chunk, id)
  }

  document(id: string): DocumentRecord | undefined {
    return this.#text.documents.get(id)
  }

  placements(chunk: string): readonly Placement[] {
    return this.#text.placements.of(chunk)
  }

  vector(id: string): Vector | undefined {
    const kind = kindOf(id)
    return kind && isText(kind) ? this.#text.vector(id) : this.#nodes.get(id)?.vector
  }

  edge(kind: EdgeKind, source: string, target: string): Edge | undefined {
    return this.#table(kind).find(...ends(kind, source, target))
  }

  edges(kind: EdgeKind, source: string, limit?: number): readonly Edge[] {
    walkable(kind, 'source')
    return upTo(this.#table(kind).leaving(source), limit)
  }

  edgesTo(kind: EdgeKind, target: string, limit?: number): readonly Edge[] {
    walkable(kind, 'target')
    return upTo(this.#table(kind).arriving(target), limit)
  }

  degreeTo(kind: EdgeKind, target: string): number {
    walkable(kind, 'target')
    return this.#table(kind).degree(target)
  }

  order(space: string, range: Range): readonly Place[] {
    return taken(this.#places.within(space, range), range.limit).map(([key, id]) => ({ key, id }))
  }

  value(space: string, key: string): Value | undefined {
    return this.#values.get(space, key)
  }

  valuesOf(space: string, keys: readonly string[]): readonly (Value | undefined)[] {
    return keys.map((key) => this.value(space, key))
  }

  values(space: string, from: string, limit: number): readonly { readonly key: string; readonly value: Value }[] {
    return taken(this.#values.within(space, { from }), limit).map(([key, value]) => ({ key, value }))
  }

  match(words: readonly string[], limit: number, admits?: Admits): readonly Hit[] {
    return this.#text.words.match(words, limit, admits && ((id) => admits(chunkOf(id))))
  }

  get lexicon() {
    return this.#text.lexicon
  }

  frequency(words: readonly string[]): readonly number[] {
    return words.map((word) => this.#text.words.frequency(word))
  }

  page(kind: 'document' | 'chunk' | DerivedKind, after: string, limit: number): readonly string[] {
    return taken(this.#ids(kind, after), limit + 1)
      .map(([id]) => id)
      .filter((id) => id !== after)
      .slice(0, limit)
  }

  #ids(kind: 'document' | 'chunk' | DerivedKind, from: string): Iterable<readonly [string, unknown]> {
    if (kind === 'document') return this.#text.documents.from(from)
    return kind === 'chunk' ? this.#text.chunks.from(from) : this.#kinds.within(kind, { from })
  }

  #make(change: Change): void {
    switch (change.op) {
      case 'put-node':
        this.#putNode(change.node)
        break
      case 'drop-node':
        this.#dropNode(change.id)
        break
      case 'put-edge':
        this.#table(change.edge.kind).put(stored(change.edge))
        break
      case 'drop-edge':
        this.#table(change.kind).drop(...ends(change.kind, change.source, change.target))
        break
      case 'put-place':
        this.#places.set(change.space, change.key, change.id)
        break
      case 'drop-place':
        this.#places.delete(change.space, change.key)
        break
      case 'put-value':
        this.#values.set(change.space, change.key, change.value)
        break
      case 'drop-value':
        this.#values.delete(change.space, change.key)
        break
      case 'put-chunk':
        this.#text.putChunk(change.chunk, change.vectors)
        break
      case 'drop-chunk':
        this.#text.dropChunk(change.id)
        break
      case 'put-document':
        this.#text.putDocument(change.document)
        break
      case 'drop-document':
        this.#text.dropDocument(change.id)
        break
    }
  }

  #table(kind: EdgeKind): EdgeTable {
    const table = this.#edges.get(kind)
    if (!table) throw new Error(`graph: no edges of kind ${kind}`)
    return table
  }

  #putNode(node: GraphNode): void {
    namesItsKind(node)
    this.#dropNode(node.id)
    this.#nodes.set(node.id, node)
    this.#kinds.set(node.kind, node.id, true)
    this.#tally(node, 1)
  }

  #dropNode(id: string): void {
    const node = this.#nodes.get(id)
    if (!node) return
    this.#nodes.delete(id)
    this.#kinds.delete(node.kind, id)
    this.#tally(node, -1)
  }

  #tally({ kind, layer }: GraphNode, by: 1 | -1): void {
    for (const key of [kind, `${kind} ${layer}`]) this.#counts.set(key, (this.#counts.get(key) ?? 0) + by)
  }
}

function isText(kind: string): kind is TextKind {
  return TEXT.has(kind)
}

function upTo<T>(items: readonly T[], limit: number | undefined): readonly T[] {
  return limit === undefined || items.length <= limit ? items : items.slice(0, limit)
}
