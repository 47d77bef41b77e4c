/** What a part of a corpus answers to what a walk over all parts reads of it (reads.ts), what is in many rows read together. Pure. */
import { NAMES } from '../builders/document-names'
import { MENTIONS } from '../builders/mention-list'
import { homesOf } from '../graph/homes'
import type { GraphReader, Omitted, Range, Search, Trees } from '../graph/reader'
import type { EdgeKind, NodeKind } from '../graph/types'
import { chunkOf } from '../ids'
import { matchJointly } from './match'
import {
  type BelowRead,
  type ChunkRead,
  type Counts,
  type DocumentRead,
  type EdgesRead,
  type MatchRead,
  type MatchWish,
  type NodeRead,
  type PlacesRead,
  type Read,
  readLimits,
  type SummaryRead,
} from './reads'

type Opened = Pick<MatchRead, 'chunks' | 'documents'>

const KINDS: readonly NodeKind[] = ['document', 'chunk', 'passage', 'unit', 'entity', 'keyword', 'label', 'summary', 'community']
const LAYERS = 12 // more than a tree of a million chunks has

export function countsOf(graph: GraphReader): Counts {
  const nodes: { [kind: string]: number } = {}
  for (const kind of KINDS) {
    nodes[kind] = graph.count(kind)
    if (kind !== 'summary' && kind !== 'community') continue
    for (let layer = 1; layer <= LAYERS; layer++) nodes[`${kind} ${layer}`] = graph.count(kind, layer)
  }
  return {
    version: graph.version,
    dimensions: graph.dimensions,
    nodes,
    stemmings: graph.stemmings().map((one) => one ?? null),
    length: (graph.lexicon?.meanLength() ?? 0) * graph.count('passage'),
    isPartial: graph.isPartial === true,
  }
}

/** How a part answers a question's walk. */
export interface Telling {
  /** Finds what is admitted. */
  readonly search?: Search | undefined
  /** Those of the part, for the question. */
  readonly trees?: Trees | undefined
  readonly omits?: readonly Omitted[] | undefined
}

/** In the order of the reads; undefined if there is nothing. */
export function answerReads(graph: GraphReader, reads: readonly Read[], telling: Telling = {}): readonly unknown[] {
  const part = new Part(graph, telling)
  part.preload(reads)
  // What bears summaries out is found by a wider search than what the walk wants of the same words, so that one serves both.
  const inTurn = [...reads.entries()].sort(([, [a]], [, [b]]) => Number(a === 'match') - Number(b === 'match'))
  const answers = new Map(inTurn.map(([i, read]) => [i, part.answer(read)]))
  return reads.map((_, i) => answers.get(i))
}

/** The chunks of the first of these passages or sentences, and the documents these stand in. */
export function openedOf(graph: GraphReader, parts: readonly string[], omits?: readonly Omitted[]): Opened {
  return new Part(graph, { omits }).opened(parts)
}

class Part {
  readonly #graph: GraphReader
  readonly #telling: Telling
  readonly #omits: ReadonlySet<Omitted>
  readonly #frequencies = new Map<string, number>()

  constructor(graph: GraphReader, telling: Telling) {
    this.#graph = graph
    this.#telling = telling
    this.#omits = new Set(telling.omits)
  }

  preload(reads: readonly Read[]): void {
    const of = (kind: Read[0]): readonly Read[] => reads.filter((read) => read[0] === kind)
    const ids = (kind: Read[0]): readonly string[] => of(kind).map((read) => read[1] as string)
    const names = of('order').flatMap((read) => (read[1] === NAMES ? [read[2] as Range] : []))
    const space = { space: NAMES, limit: Math.max(1, ...names.map((one) => one.limit)) }
    this.#preloadChunks(ids('chunk'))
    const terms = ids('frequency')
    if (terms.length > 0) for (const [i, count] of this.#graph.frequency(terms).entries()) this.#frequencies.set(terms[i] ?? '', count)
    this.#graph.preload?.({
      nodes: ids('node'),
      ...(names.length > 0 ? { places: { ...space, ranges: names.map(({ from = '', to = '' }) => [from, to] as const) } } : {}),
    })
  }

  answer(read: Read): unknown {
    const graph = this.#graph
    switch (read[0]) {
      case 'above':
        return this.#above(read[1], read[2])
      case 'below':
        return this.#below(read[1])
      case 'chunk':
        return this.#chunk(read[1])
      case 'document':
        return this.#document(read[1])
      case 'node':
        return this.#node(read[1])
      case 'vector':
        return graph.vector(read[1])
      case 'edge':
        return graph.edge(read[1], read[2], read[3])
      case 'edges':
      case 'edgesTo':
        return this.#edges(read)
      case 'degree':
        return graph.degreeTo(read[1], read[2])
      case 'order':
        return this.#places(read[1], read[2])
      case 'value':
        return graph.value(read[1], read[2])
      case 'values':
        return graph.values(read[1], read[2], Math.min(read[3], readLimits.list))
      case 'frequency':
        return this.#frequencies.get(read[1]) ?? 0
      case 'match':
        return this.#match(read[1], read[2])
    }
  }

  opened(parts: readonly string[]): Opened {
    const opened = [...new Set(parts.slice(0, readLimits.opened).map(chunkOf))]
    this.#preloadChunks(opened)
    const chunks = opened.flatMap((id) => this.#chunk(id) ?? [])
    const documents = [...new Set(chunks.flatMap(({ placements }) => placements.map((one) => one.document)))]
    this.#graph.preload?.({ documents })
    return { chunks, documents: documents.flatMap((id) => this.#document(id) ?? []) }
  }

  #preloadChunks(chunks: readonly string[]): void {
    this.#graph.preload?.({
      chunks,
      placements: chunks,
      ...(this.#omits.has('names') ? {} : { values: [{ space: MENTIONS, keys: chunks }] }),
    })
  }

  #chunk(id: string): ChunkRead | undefined {
    const chunk = this.#graph.chunk(id)
    if (!chunk) return undefined
    const mentions = this.#omits.has('names') ? undefined : this.#graph.value(MENTIONS, id)
    return { chunk, placements: this.#graph.placements(id), mentions }
  }

  #document(id: string): DocumentRead | undefined {
    const document = this.#graph.document(id)
    if (!document) return undefined
    if (this.#omits.has('names')) return { document, out: [], back: [] }
    return {
      document,
      out: this.#graph.edges('links', id, readLimits.links),
      back: this.#graph.edgesTo('links', id, readLimits.links),
    }
  }

  #node(id: string): NodeRead | undefined {
    const node = this.#graph.node(id)
    return node && { node, relates: node.kind === 'entity' ? this.#graph.edges('relates', id, readLimits.relations) : [] }
  }

  #above(chunk: string, isOpened: boolean): readonly SummaryRead[] | undefined {
    const { trees } = this.#telling
    const [first, ...rest] = trees?.above(chunk).flatMap((id) => trees.summary(id) ?? []) ?? []
    if (!trees || !first) return trees && []
    const none: Opened = { chunks: [], documents: [] }
    return [{ ...first, ...(isOpened ? this.opened([chunk]) : none) }, ...rest.map((one) => ({ ...one, ...none }))]
  }

  #below(summary: string): BelowRead | undefined {
    const { trees } = this.#telling
    const told = trees?.summary(summary)
    if (!trees || !told) return undefined
    const support = trees.support(summary)
    return { ...told, support, ...this.opened(support) }
  }

  #edges([way, kind, id, limit]: readonly ['edges' | 'edgesTo', EdgeKind, string, number]): EdgesRead {
    const graph = this.#graph
    const most = Math.min(limit, readLimits.list)
    const edges = way === 'edges' ? graph.edges(kind, id, most) : graph.edgesTo(kind, id, most)
    if (kind !== 'mentions' || limit > readLimits.sayers) return { edges }
    graph.preload?.({ placements: edges.map((edge) => edge.source) })
    return { edges, placed: edges.map((edge) => [edge.source, graph.placements(edge.source)] as const) }
  }

  #places(space: string, range: Range): PlacesRead {
    const places = this.#graph.order(space, { ...range, limit: Math.min(range.limit, readLimits.list) })
    if (space !== NAMES) return { places }
    const documents = places.flatMap((place) => this.#document(place.id) ?? [])
    return { places, documents, chunks: documents.flatMap(({ document }) => this.#chunk(document.chunks[0]?.chunk ?? '') ?? []) }
  }

  #match(terms: readonly string[], wish: MatchWish): MatchRead {
    const hits = matchJointly(this.#graph, terms, wish, this.#telling.search)
    const found = hits.map((hit) => hit.id)
    return {
      hits,
      isAll: hits.length < wish.limit,
      ...this.opened(found),
      vectors: this.#omits.has('vectors') ? [] : this.#vectors(found),
      homes: this.#omits.has('homes') ? [] : this.#homes(found),
    }
  }

  #homes(passages: readonly string[]): NonNullable<MatchRead['homes']> {
    const chunks = [...new Set(passages.slice(0, readLimits.homes).map(chunkOf))]
    return homesOf(this.#graph, chunks).flatMap((home, i) => (home ? [[chunks[i] ?? '', home] as const] : []))
  }

  #vectors(passages: readonly string[]): MatchRead['vectors'] {
    this.#graph.preload?.({ vectors: { passages: passages.map(chunkOf) } })
    return passages.flatMap((id) => {
      const vector = this.#graph.vector(id)
      return vector ? [[id, vector] as const] : []
    })
  }
}
