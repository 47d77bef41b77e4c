/**
 * The graph of a corpus that is kept in several parts, as one: what a walk reads is looked up in the parts' answers; what is missing is noted (`take`),
 * read from all parts at once, and the walk is restarted (never resumed). What was not requested in time is absent. A part is a whole graph of its own
 * documents; here names join them: an entity is what any part mentions under it, and a text that mentions the name of a document of another part links to
 * it.
 */
import { MENTIONS } from '../builders/mention-list'
import { compareText } from '../graph/ordered-map'
import { partOf } from '../graph/parts'
import type { GraphReader, Home, KeyedValue, Range, TextNode } from '../graph/reader'
import type {
  Chunk,
  DocumentRecord,
  Edge,
  EdgeKind,
  GraphNode,
  Hit,
  NodeKind,
  Place,
  Placement,
  Stemmed,
  Value,
  Vector,
} from '../graph/types'
import { chunkOf, kindOf } from '../ids'
import { mean } from '../vectors'
import { byDocument, first, joinChunks, joinEdgeLists, joinHits, joinNodes, joinValues, sum } from './joining'
import { JointLinks } from './joint-links'
import { JointTrees } from './joint-trees'
import type { Statistics } from './match'
import { type JointParts, PartAnswers } from './part-answers'
import { type ChunkRead, type Counts, type DocumentRead, type MatchRead, type PlacesRead, type Read, readLimits } from './reads'

const EXACT = 100 // passages found by words that are those of one graph, with their scores
const SHARE = 3 // times a part's share of a long list that is read of it: lists are divided by chance

export class JointGraph implements GraphReader {
  dimensions = 0
  version = 0
  isPartial = false
  readonly trees: JointTrees
  readonly #parts: number
  readonly #answers: PartAnswers
  readonly #links: JointLinks
  #counts: { readonly [kind: string]: number } = {}
  #stemmings: readonly (Stemmed | undefined)[] = [undefined]
  #length = 0

  constructor(parts: JointParts) {
    this.#parts = parts.count
    this.#answers = new PartAnswers(parts)
    this.#links = new JointLinks(this, parts)
    this.trees = new JointTrees(this.#answers)
  }

  /** What all parts together hold, of those that answered. */
  begin(all: readonly Counts[]): void {
    const counts: { [kind: string]: number } = {}
    for (const { nodes } of all) for (const [kind, count] of Object.entries(nodes)) counts[kind] = (counts[kind] ?? 0) + count
    this.#counts = counts
    this.dimensions = all[0]?.dimensions ?? 0
    this.#stemmings = [...new Set(all.flatMap((one) => one.stemmings))].map((one) => one ?? undefined)
    this.#length = all.reduce((sum, one) => sum + one.length, 0)
    this.version = all.reduce((sum, one) => sum + one.version, 0)
    this.isPartial = all.some((one) => one.isPartial)
  }

  /** The best passages by words are in few parts, of which more must be read: what the last walk found is not yet what one graph finds. */
  get isCutShort(): boolean {
    return this.#answers.isCutShort
  }

  /** What the last walk lacked, by part; empty: it lacked nothing. It is forgotten here. */
  take(): ReadonlyMap<number, readonly Read[]> {
    return this.#answers.take()
  }

  /** What a part has answered. */
  put(part: number, reads: readonly Read[], answers: readonly unknown[]): void {
    this.#answers.put(part, reads, answers)
    this.#links.forget()
  }

  /** Entry points of a part, with what stands there. */
  enter(part: number, hits: readonly Hit[], opened: Pick<MatchRead, 'chunks' | 'documents'>): void {
    this.#answers.enter(part, hits, opened)
    this.#links.forget()
  }

  /** The parts that have a chunk, as far as that is known. */
  partsWith(chunk: string): readonly number[] {
    return this.#answers.partsWith(chunk)
  }

  count(kind: NodeKind, layer?: number): number {
    return this.#counts[layer === undefined ? kind : `${kind} ${layer}`] ?? 0
  }

  stemmings(): readonly (Stemmed | undefined)[] {
    return this.#stemmings
  }

  node(id: string): GraphNode | undefined {
    if (kindOf(id) === 'summary') return this.trees.summary(id)?.node
    return this.#answers.merge(`node ${id}`, ['node', id], joinNodes)?.node
  }

  chunk(id: string): Chunk | undefined {
    return this.#chunkRead(id)?.chunk
  }

  text(id: string): TextNode | undefined {
    const chunk = this.chunk(chunkOf(id))
    return chunk && partOf(chunk, id)
  }

  document(id: string): DocumentRecord | undefined {
    return this.documentRead(id)?.document
  }

  placements(chunk: string): readonly Placement[] {
    if (!this.#answers.isKnown(`placed ${chunk}`)) return this.#chunkRead(chunk)?.placements ?? []
    return (
      this.#answers.merge(`placed ${chunk}`, ['chunk', chunk], (all: readonly (readonly Placement[])[]) => all.flat().sort(byDocument)) ??
      []
    )
  }

  homes(chunks: readonly string[]): readonly (Home | undefined)[] {
    return chunks.map((chunk) => this.#answers.home(chunk))
  }

  vector(id: string): Vector | undefined {
    if (kindOf(id) === 'chunk') {
      const passages = (this.chunk(id)?.passages ?? []).flatMap((one) => this.vector(one.id) ?? [])
      return passages.length > 0 ? mean(passages, this.dimensions) : undefined
    }
    const known = kindOf(id) === 'passage' || kindOf(id) === 'unit' ? undefined : this.node(id)
    return known ? known.vector : this.#answers.merge(`vector ${id}`, ['vector', id], first<Vector>)
  }

  edge(kind: EdgeKind, source: string, target: string): Edge | undefined {
    return this.#answers.merge(`edge ${kind} ${source} ${target}`, ['edge', kind, source, target], first<Edge>)
  }

  edges(kind: EdgeKind, source: string, limit: number = readLimits.list): readonly Edge[] {
    if (kind === 'links') return this.#links.from(source).slice(0, limit)
    if (kind === 'relates' && limit <= readLimits.relations)
      return (this.#answers.merge(`node ${source}`, ['node', source], joinNodes)?.relates ?? []).slice(0, limit)
    return this.#edgeList('edges', kind, source, limit)
  }

  edgesTo(kind: EdgeKind, target: string, limit: number = readLimits.list): readonly Edge[] {
    if (kind === 'links') return this.#links.to(target).slice(0, limit)
    return this.#edgeList('edgesTo', kind, target, limit)
  }

  degreeTo(kind: EdgeKind, target: string, enough?: number): number {
    if (enough !== undefined) return this.edgesTo(kind, target, enough).length
    return (
      this.#answers.merge(`degree ${kind} ${target}`, ['degree', kind, target], (all: readonly number[]) =>
        all.reduce((sum, one) => sum + one, 0),
      ) ?? 0
    )
  }

  order(space: string, range: Range): readonly Place[] {
    const { from = '', to = '', descending = false, limit } = range
    const key = `order ${space} ${from}\n${to}\n${descending}`
    const places = this.#answers.merge(
      key,
      ['order', space, range],
      (all: readonly PlacesRead[]) =>
        all.flatMap((one) => one.places).sort((a, b) => (descending ? compareText(b.key, a.key) : compareText(a.key, b.key))),
      limit,
    )
    return (places ?? []).slice(0, limit)
  }

  value(space: string, key: string): Value | undefined {
    if (space === MENTIONS) return this.#chunkRead(key)?.mentions
    return this.#answers.merge(`value ${space} ${key}`, ['value', space, key], first<Value>)
  }

  valuesOf(space: string, keys: readonly string[]): readonly (Value | undefined)[] {
    return keys.map((key) => this.value(space, key))
  }

  values(space: string, from: string, limit: number): readonly KeyedValue[] {
    const all = this.#answers.merge(`values ${space} ${from}`, ['values', space, from, limit], joinValues, limit)
    return (all ?? []).slice(0, limit)
  }

  /** Both rounds that it takes are noted: the terms' numbers first, then, by these, the passages. */
  match(terms: readonly string[], limit: number): readonly Hit[] {
    if (this.#length === 0 || !terms.every((term) => this.#answers.isKnown(`frequency ${term}`))) {
      this.frequency(terms)
      return []
    }
    const asked = [...new Set(terms)]
    const statistics: Statistics = {
      passages: this.count('passage'),
      mean: this.#length / Math.max(1, this.count('passage')),
      frequencies: asked.map((term) => [term, this.frequency([term])[0] ?? 0] as const),
    }
    const read = (most: number) => {
      const exact = most < limit ? this.#shareOf(EXACT) : EXACT
      return this.#answers.merge(`match ${asked.join(' ')}`, ['match', asked, { limit: most, exact, statistics }], joinHits, most)
    }
    const found = read(this.#shareOf(limit))
    // If the best are in one part, its share of them was too small.
    const last = found?.hits[Math.min(limit, EXACT) - 1]?.score ?? 0
    if (found && found.hidden > 0 && last <= found.hidden) read(limit)
    return (found?.hits ?? []).slice(0, limit)
  }

  frequency(terms: readonly string[]): readonly number[] {
    return terms.map((term) => this.#answers.merge(`frequency ${term}`, ['frequency', term], sum) ?? 0)
  }

  page(): readonly string[] {
    return [] // for work on a whole graph: that is done in each part
  }

  /** Of a list so long, as much as is read of each part. */
  #shareOf(limit: number): number {
    return Math.min(limit, Math.max(readLimits.sayers, Math.ceil((SHARE * limit) / this.#parts)))
  }

  #chunkRead(id: string): ChunkRead | undefined {
    return this.#answers.merge(`chunk ${id}`, ['chunk', id], joinChunks)
  }

  /** With its links inside of its part. */
  documentRead(id: string): DocumentRead | undefined {
    return this.#answers.merge(`document ${id}`, ['document', id], first<DocumentRead>)
  }

  #edgeList(way: 'edges' | 'edgesTo', kind: EdgeKind, id: string, limit: number): readonly Edge[] {
    const asked = this.#shareOf(limit)
    return (this.#answers.merge(`${way} ${kind} ${id}`, [way, kind, id, asked], joinEdgeLists(way), asked) ?? []).slice(0, limit)
  }
}
