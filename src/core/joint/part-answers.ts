/** The parts' answers for a walk, and what the walk lacked: by key, each answer with the part that gave it. */

import { compareText } from '../graph/ordered-map'
import type { Home, Range } from '../graph/reader'
import type { Hit } from '../graph/types'
import { chunkOf, kindOf } from '../ids'
import type { BelowRead, ChunkRead, DocumentRead, EdgesRead, MatchRead, PlacesRead, Read, SummaryRead } from './reads'

const MAX_READS = 1500 // of one part in one round

export interface JointParts {
  readonly count: number
  /** Where a document is. */
  readonly partOf: (document: string) => number
}

interface Known {
  readonly answers: Map<number, unknown>
  /** Of a list: how much of it was asked for. */
  limit: number
}

export class PartAnswers {
  readonly #parts: JointParts
  readonly #known = new Map<string, Known>()
  readonly #wanted = new Map<string, Read>()
  readonly #homes = new Map<string, Set<number>>() // of chunks and summaries
  readonly #standing = new Map<string, Home>() // the first document of each chunk found by words
  readonly #merged = new Map<string, unknown>()

  constructor(parts: JointParts) {
    this.#parts = parts
  }

  /** What the last walk lacked, by part; empty: it lacked nothing. It is forgotten here. */
  take(): ReadonlyMap<number, readonly Read[]> {
    const asked = new Map<number, Read[]>()
    for (const read of this.#wanted.values()) {
      for (const part of this.#partsFor(read)) {
        const own = asked.get(part) ?? []
        asked.set(part, own)
        if (own.length < MAX_READS) own.push(read)
      }
    }
    this.#wanted.clear()
    return asked
  }

  put(part: number, reads: readonly Read[], answers: readonly unknown[]): void {
    for (const [i, read] of reads.entries()) this.#note(part, read, answers[i])
  }

  /** Entry points of a part, with what stands there. */
  enter(part: number, hits: readonly Hit[], opened: Pick<MatchRead, 'chunks' | 'documents'>): void {
    for (const { id } of hits) {
      const home = homeIn(id)
      if (home !== undefined) this.isAt(home, part)
    }
    this.#noteAll(part, opened)
  }

  /** The parts that have a chunk, as far as that is known. */
  partsWith(chunk: string): readonly number[] {
    return [...(this.#homes.get(chunk) ?? [])]
  }

  /** Did the last walk want more of a list of passages found by words than was read of it, or what bears out a summary that is known? Asked before `take`. */
  get isCutShort(): boolean {
    return [...this.#wanted].some(
      ([key, [kind, id]]) => (kind === 'match' && this.#known.has(key)) || (kind === 'below' && this.#known.has(`summary ${id}`)),
    )
  }

  /** Told with what words find; undefined: not found by them. */
  home(chunk: string): Home | undefined {
    return this.#standing.get(chunk)
  }

  isKnown(key: string): boolean {
    return this.#known.has(key)
  }

  /** What the parts that were asked have answered, joined; undefined where none has it, or none was asked yet. `limit`: that much of a list is wanted. */
  merge<A, T>(key: string, read: Read, join: (answers: readonly A[]) => T, limit = 0): T | undefined {
    const known = this.#known.get(key)
    if (!known || known.limit < limit) this.#wanted.set(key, read)
    if (!known) return undefined
    if (this.#merged.has(key)) return this.#merged.get(key) as T | undefined
    const answers = [...known.answers].sort(([a], [b]) => a - b).flatMap(([, answer]) => (answer == null ? [] : [answer as A]))
    const made = answers.length > 0 ? join(answers) : undefined
    this.#merged.set(key, made)
    return made
  }

  /** Only where it is, as far as that is known. */
  #partsFor(read: Read): Iterable<number> {
    const all = Array.from({ length: this.#parts.count }, (_, part) => part)
    const [kind, id] = read
    if (kind === 'document') return [this.#parts.partOf(id)]
    const isOfOne = kind === 'chunk' || kind === 'vector' || kind === 'above' || kind === 'below'
    const home = kind === 'edges' ? homeIn(read[2]) : isOfOne ? homeIn(id) : undefined
    return (home !== undefined && this.#homes.get(home)) || all
  }

  #note(part: number, read: Read, answer: unknown): void {
    switch (read[0]) {
      case 'chunk':
        this.#noteChunk(part, read[1], answer as ChunkRead | undefined)
        break
      case 'document':
        this.#noteDocument(part, read[1], answer as DocumentRead | undefined)
        break
      case 'above':
        this.#noteAbove(part, read[1], answer as readonly SummaryRead[] | undefined)
        break
      case 'below':
        this.#noteBelow(part, read[1], answer as BelowRead | undefined)
        break
      case 'match':
        this.#noteMatch(part, read, answer as MatchRead)
        break
      case 'order':
        this.#noteOrder(part, read[1], read[2], answer as PlacesRead)
        break
      case 'edges':
      case 'edgesTo':
        this.#noteEdges(part, read, answer as EdgesRead)
        break
      case 'values':
        this.#keep(`values ${read[1]} ${read[2]}`, part, answer, read[3])
        break
      default:
        this.#keep(read.join(' '), part, answer)
    }
  }

  #noteAll(part: number, { chunks, documents }: Pick<MatchRead, 'chunks' | 'documents'>): void {
    for (const one of chunks) this.#noteChunk(part, one.chunk.id, one)
    for (const one of documents) this.#noteDocument(part, one.document.id, one)
  }

  #noteChunk(part: number, id: string, answer: ChunkRead | undefined): void {
    this.#keep(`chunk ${id}`, part, answer)
    if (!answer) return
    this.isAt(id, part)
    this.#keep(`placed ${id}`, part, answer.placements)
  }

  #noteDocument(part: number, id: string, answer: DocumentRead | undefined): void {
    this.#keep(`document ${id}`, part, answer)
    for (const { chunk } of answer?.document.chunks ?? []) this.isAt(chunk, part)
  }

  #noteAbove(part: number, chunk: string, answer: readonly SummaryRead[] | undefined): void {
    this.#keep(
      `above ${chunk}`,
      part,
      answer?.map((one) => one.node.id),
    )
    for (const one of answer ?? []) this.#noteSummary(part, one)
  }

  #noteBelow(part: number, id: string, answer: BelowRead | undefined): void {
    this.#keep(`below ${id}`, part, answer)
    if (answer) this.#noteSummary(part, answer)
  }

  #noteSummary(part: number, answer: SummaryRead): void {
    const { id } = answer.node
    this.#keep(`summary ${id}`, part, answer)
    this.isAt(id, part)
    this.#noteAll(part, answer)
  }

  #noteMatch(part: number, [, terms, { limit }]: Read & readonly ['match', ...unknown[]], answer: MatchRead): void {
    this.#keep(`match ${terms.join(' ')}`, part, answer, limit)
    for (const { id } of answer.hits) this.isAt(chunkOf(id), part)
    this.#noteAll(part, answer)
    for (const [chunk, home] of answer.homes ?? []) {
      const known = this.#standing.get(chunk)
      if (!known || compareText(home.document, known.document) < 0) this.#standing.set(chunk, home)
    }
    for (const [id, vector] of answer.vectors) this.#keep(`vector ${id}`, part, vector)
  }

  #noteOrder(part: number, space: string, { from = '', to = '', descending = false, limit }: Range, answer: PlacesRead): void {
    this.#keep(`order ${space} ${from}\n${to}\n${descending}`, part, answer, limit)
    for (const one of answer.documents ?? []) this.#noteDocument(part, one.document.id, one)
    for (const one of answer.chunks ?? []) this.#noteChunk(part, one.chunk.id, one)
  }

  #noteEdges(part: number, [way, kind, id, limit]: Read & readonly ['edges' | 'edgesTo', ...unknown[]], answer: EdgesRead): void {
    this.#keep(`${way} ${kind} ${id}`, part, answer, limit)
    for (const [chunk, placements] of answer.placed ?? []) {
      this.isAt(chunk, part)
      this.#keep(`placed ${chunk}`, part, placements)
    }
  }

  #keep(key: string, part: number, answer: unknown, limit = 0): void {
    const known = this.#known.get(key) ?? { answers: new Map<number, unknown>(), limit }
    known.answers.set(part, answer)
    known.limit = Math.max(limit, known.limit)
    this.#merged.delete(key)
    this.#known.set(key, known)
  }

  /** A chunk or summary is in this part. */
  isAt(home: string, part: number): void {
    this.#homes.set(home, (this.#homes.get(home) ?? new Set()).add(part))
  }
}

/** The chunk or summary that is in one part with all of this; undefined: it may be in several. */
function homeIn(id: string): string | undefined {
  const kind = kindOf(id)
  if (kind === 'chunk' || kind === 'summary') return id
  return kind === 'passage' || kind === 'unit' ? chunkOf(id) : undefined
}
