/** The graph in the object's own SQLite, with the contract of the graph in memory. The caller that applies opens the transaction, and calls `forget()` if it is undone. */
import type { Admits, GraphReader, KeyedValue, Preload, Range, TextNode } from '../../src/core/graph/reader'
import { taken } from '../../src/core/graph/spaces'
import { hexOf, plus } from '../../src/core/graph/state'
import type {
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
  Value,
  Vector,
} from '../../src/core/graph/types'
import { kindOf } from '../../src/core/ids'
import type { Occupant } from '../../src/isolate-memory'
import type { Sql } from '../sql'
import { Access } from './access'
import { Cache } from './cache'
import { Counts } from './counts'
import { Edges } from './edges'
import { chunksOf, idPages, linesOf, nodesOf, readEach } from './everything'
import { KeyedRows } from './keyed-rows'
import { type Net, netChange } from './net-change'
import { Nodes } from './nodes'
import { type Embedded, embedded, nearest } from './scan'
import { migrate, type Opening } from './schema'
import { note, recounted } from './state-sum'
import { Texts } from './texts'

const CACHE = 16 * 1024 * 1024 // bytes of parsed chunks and vectors: an eighth of the isolate's memory, which other objects share

export class SqliteGraph implements GraphReader {
  dimensions: number // changes when the corpus is moved to another model; cached data must be dropped then
  readonly #sql: Sql
  readonly #cache: Cache
  readonly #counts: Counts
  readonly #texts: Texts
  readonly lexicon: Texts['lexicon']
  readonly #nodes: Nodes
  readonly #edges: Edges
  readonly #keyedRows: KeyedRows
  readonly access: Access
  readonly occupant: Occupant
  readonly neighbours: NonNullable<GraphReader['neighbours']> = (kind, sources) => this.#edges.neighbours(kind, sources)
  readonly stemmings: GraphReader['stemmings'] = () => this.#texts.stemmings()
  readonly sentences: NonNullable<GraphReader['sentences']> = (chunk) => this.#texts.bodies.sentences.of(chunk)
  readonly placements: GraphReader['placements'] = (chunk) => this.#texts.bodies.placements(chunk)
  readonly homes: NonNullable<GraphReader['homes']> = (chunks) => this.#texts.bodies.homes(chunks)
  readonly mentioned: NonNullable<GraphReader['mentioned']> = (chunk) => this.#keyedRows.mentioned.of(chunk)
  readonly field: NonNullable<GraphReader['field']> = (node, name) => this.#nodes.field(node, name)
  readonly keptValues = (space: string): readonly KeyedValue[] | undefined => this.#keyedRows.keptValues(space, CACHE / 2)
  #changes = 0
  record: ((change: Net, version: number) => void) | undefined // receives every change before it is made

  constructor({ sql, dimensions, postings, cacheBytes = CACHE, occupant }: Opening) {
    this.dimensions = dimensions
    this.#cache = new Cache(cacheBytes, occupant)
    this.occupant = this.#cache.occupant
    this.#sql = sql
    this.#counts = new Counts(sql)
    const tools = { sql, cache: this.#cache, counts: this.#counts }
    this.#texts = new Texts({ ...tools, lengths: this, postings })
    this.lexicon = this.#texts.lexicon
    this.#nodes = new Nodes(tools)
    this.#edges = new Edges(tools)
    this.#keyedRows = new KeyedRows(tools)
    this.access = new Access(sql, this, this.occupant)
  }

  get version(): number {
    return this.#counts.version
  }

  /** Rows written since the object woke, by any user of its SQLite, including those of indexes. */
  get rowsWritten(): number {
    return this.#sql.written()
  }

  /** Grows with every possible change of the graph since the object woke: what was read at one number stays valid while it is the same. */
  get changes(): number {
    return this.#changes
  }

  /** Creates missing tables, and reads the graph's state. Once, before anything else. */
  migrate(): void {
    migrate(this.#sql)
    this.#counts.read()
    if (!this.#counts.summed && this.version > 0) this.#counts.write(this.version, this.#recounted())
  }

  /** The state of everything that an export contains (core/graph/state.ts), 64 hex digits. */
  get state(): string {
    return hexOf(plus(this.#counts.sums.texts, this.#counts.sums.derived))
  }

  /** Memory may be wrong after a transaction was undone: reads it again. */
  forget(): void {
    this.#changes++
    this.rest()
    this.#counts.read()
  }

  /** Nobody will ask this graph again, or not soon: frees its memory. */
  rest(): void {
    this.#cache.clear()
    this.access.forget()
  }

  /** The net change of a patch. Patches of one commit share its version. */
  apply(patch: Patch, version: number): void {
    this.#changes++
    if (this.#counts.read()) this.#cache.clear()
    const change = netChange(patch)
    this.#nodes.preload([...change.dropNodes, ...change.putNodes.map((node) => node.id)])
    this.#edges.preload([...change.dropEdges, ...change.putEdges])
    note(this, change, this.#counts.sums)
    this.record?.(change, version)
    const moved = [...change.dropDocuments, ...change.putDocuments.map((one) => one.id)].flatMap((id) => this.#chunksOf(id))
    this.#texts.dropDocuments(change.dropDocuments)
    this.#texts.dropChunks(change.dropChunks)
    this.#texts.putChunks(change.putChunks)
    this.#texts.putDocuments(change.putDocuments)
    this.#nodes.drop(change.dropNodes)
    this.#nodes.put(change.putNodes)
    this.#edges.drop(change.dropEdges)
    this.#edges.put(change.putEdges)
    this.#keyedRows.dropPlaces(change.dropPlaces)
    this.#keyedRows.putPlaces(change.putPlaces)
    this.#keyedRows.dropValues(change.dropValues)
    this.#keyedRows.putValues(change.putValues)
    this.access.applyChange(change, [...moved, ...change.putDocuments.flatMap((one) => one.chunks.map(({ chunk }) => chunk))])
    this.#counts.write(version)
  }

  /** The whole graph, one canonical line for each thing in it, in no particular order; the same lines as from the graph in memory. */
  lines(): Generator<string> {
    return linesOf({ documents: this.#documents(), texts: this.#texts, nodes: this.#nodes, edges: this.#edges, keyedRows: this.#keyedRows })
  }

  /** The k best of a kind by cosine, best first, then by id: an exact scan of all, for when the vector index is down. */
  nearest(vector: Vector, kind: NodeKind, k: number, admits: (id: string) => boolean = () => true): readonly Hit[] {
    return nearest({ sql: this.#sql, dimensions: this.dimensions, kind }, vector, k, admits)
  }

  /** Vectors of a kind, in the graph's own order, after an id (exclusive): pages to refill the vector index. */
  embedded(kind: NodeKind, after: string, limit: number): readonly Embedded[] {
    return taken(embedded({ sql: this.#sql, dimensions: this.dimensions, kind }, after), limit)
  }

  /** The number of edges of one kind, or of all. O(1). */
  edgeCount(kind?: EdgeKind): number {
    return kind ? this.#counts.of(`edge ${kind}`) : this.#counts.sum('edge ')
  }

  count(kind: NodeKind, layer?: number): number {
    if (kind === 'document' || kind === 'chunk' || kind === 'passage' || kind === 'unit') return layer ? 0 : this.#counts.of(kind)
    return this.#counts.of(layer === undefined ? kind : `${kind} ${layer}`)
  }

  preload(wanted: Preload): void {
    this.#texts.preload(wanted)
    this.#nodes.preload(wanted.nodes ?? [], wanted.fields)
    this.#edges.preload(wanted.edges ?? [], wanted.incident)
    this.#keyedRows.preload(wanted)
  }

  node(id: string): GraphNode | undefined {
    return this.#nodes.node(id)
  }

  chunk(id: string): Chunk | undefined {
    return this.#texts.bodies.chunk(id)
  }

  text(id: string): TextNode | undefined {
    return this.#texts.text(id)
  }

  document(id: string): DocumentRecord | undefined {
    return this.#texts.bodies.document(id)
  }

  vector(id: string): Vector | undefined {
    const kind = kindOf(id)
    return kind === 'chunk' || kind === 'passage' || kind === 'unit' ? this.#texts.vector(id) : this.#nodes.vector(id)
  }

  edge(kind: EdgeKind, source: string, target: string): Edge | undefined {
    return this.#edges.edge(kind, source, target)
  }

  edges(kind: EdgeKind, source: string, limit?: number): readonly Edge[] {
    return this.#edges.leaving(kind, source, limit)
  }

  edgesTo(kind: EdgeKind, target: string, limit?: number): readonly Edge[] {
    return this.#edges.arriving(kind, target, limit)
  }

  degreeTo(kind: EdgeKind, target: string, enough?: number): number {
    return this.#edges.degree(kind, target, enough)
  }

  order(space: string, range: Range): readonly Place[] {
    return this.#keyedRows.order(space, range)
  }

  value(space: string, key: string): Value | undefined {
    return this.#keyedRows.value(space, key)
  }

  valuesOf(space: string, keys: readonly string[]): readonly (Value | undefined)[] {
    return this.#keyedRows.valuesOf(space, keys)
  }

  values(space: string, from: string, limit: number): readonly KeyedValue[] {
    return this.#keyedRows.values(space, from, limit)
  }

  match(terms: readonly string[], limit: number, admits?: Admits): readonly Hit[] {
    return this.#texts.words.match(terms, limit, admits)
  }

  frequency(terms: readonly string[], enough?: number): readonly number[] {
    return this.#texts.words.frequency(terms, enough)
  }

  page(kind: 'document' | 'chunk' | DerivedKind, after: string, limit: number): readonly string[] {
    return kind === 'document' || kind === 'chunk' ? this.#texts.page(kind, after, limit) : this.#nodes.page(kind, after, limit)
  }

  #chunksOf(document: string): readonly string[] {
    return this.access.hasRows ? (this.document(document)?.chunks ?? []).map(({ chunk }) => chunk) : []
  }

  #recounted() {
    return recounted({ documents: this.#documents(), chunks: chunksOf(this.#texts), nodes: nodesOf(this.#nodes), edges: this.#edges.all() })
  }

  #documents(): Generator<DocumentRecord> {
    const pages = idPages((after) => this.page('document', after, 1000))
    return readEach(pages, (id) => this.document(id))
  }
}
