/** The text side of the graph in memory: documents, chunks with their parts and vectors, and the keyword index over passages. */
import { chunkOf, kindOf, ordinalOf, passageId } from '../ids'
import { terms } from '../text/terms'
import { mean } from '../vectors'
import { Bm25 } from './bm25'
import { chunkLine, documentLine } from './canonical'
import { OrderedMap } from './ordered-map'
import { passageText, vectorOf } from './parts'
import { countedTerms } from './passage-terms'
import { Placements } from './placements'
import type { Lexicon } from './reader'
import type { Chunk, ChunkVectors, DocumentRecord, Stemmed, TextKind, Vector } from './types'

interface Stored {
  readonly chunk: Chunk
  readonly vectors: ChunkVectors
  /** The chunk's own vector, kept once it has been asked for. */
  mean: Vector | undefined
}

export class MemoryText {
  readonly documents = new OrderedMap<DocumentRecord>()
  readonly chunks = new OrderedMap<Stored>()
  readonly placements = new Placements()
  readonly words = new Bm25()
  readonly lexicon: Lexicon = {
    meanLength: () => this.words.meanLength(),
    counts: (ids, terms) =>
      ids.map((id) => {
        const chunk = this.chunks.get(chunkOf(id))?.chunk
        return chunk && countedTerms(chunk, ordinalOf(id), terms)
      }),
  }
  readonly #counts = { document: 0, chunk: 0, passage: 0, unit: 0 }
  readonly #stemmings = new Map<Stemmed | undefined, number>()
  readonly #dimensions: number

  constructor(dimensions: number) {
    this.#dimensions = dimensions
  }

  count(kind: TextKind): number {
    return this.#counts[kind]
  }

  stemmings(): readonly (Stemmed | undefined)[] {
    return [...this.#stemmings].filter(([, chunks]) => chunks > 0).map(([language]) => language)
  }

  vector(id: string): Vector | undefined {
    const known = this.chunks.get(chunkOf(id))
    if (!known) return undefined
    if (kindOf(id) !== 'chunk') return vectorOf(known.vectors, id)
    if (known.vectors.passages.length > 0) known.mean ??= mean(known.vectors.passages, this.#dimensions)
    return known.mean
  }

  *lines(): Generator<string> {
    for (const [, document] of this.documents) yield documentLine(document)
    for (const [, { chunk, vectors }] of this.chunks) yield chunkLine(chunk, vectors)
  }

  putChunk(chunk: Chunk, vectors: ChunkVectors): void {
    for (const vector of [...vectors.passages, ...vectors.units])
      if (vector.length !== this.#dimensions)
        throw new Error(`graph: a vector of ${vector.length} numbers where ${this.#dimensions} are wanted`)
    this.dropChunk(chunk.id)
    this.chunks.set(chunk.id, { chunk, vectors, mean: undefined })
    this.#tally(chunk, 1)
    for (const [id, words] of indexed(chunk)) this.words.add(id, words)
  }

  dropChunk(id: string): void {
    const chunk = this.chunks.get(id)?.chunk
    if (!chunk) return
    for (const [passage, words] of indexed(chunk)) this.words.remove(passage, words)
    this.#tally(chunk, -1)
    this.chunks.delete(id)
  }

  putDocument(document: DocumentRecord): void {
    this.dropDocument(document.id)
    this.documents.set(document.id, document)
    this.placements.add(document)
    this.#counts.document++
  }

  dropDocument(id: string): void {
    const document = this.documents.get(id)
    if (!document) return
    this.documents.delete(id)
    this.placements.remove(document)
    this.#counts.document--
  }

  #tally(chunk: Chunk, sign: 1 | -1): void {
    this.#counts.chunk += sign
    this.#counts.passage += sign * chunk.passages.length
    this.#counts.unit += sign * chunk.units.length
    this.#stemmings.set(chunk.language, (this.#stemmings.get(chunk.language) ?? 0) + sign)
  }
}

/** What goes into the keyword index: each passage, with its title's terms before its own. */
function indexed(chunk: Chunk): (readonly [passage: string, terms: readonly string[]])[] {
  const title = terms(chunk.title, chunk.language)
  return chunk.passages.map((_, ordinal) => [
    passageId(chunk.id, ordinal),
    [...title, ...terms(passageText(chunk, ordinal), chunk.language)],
  ])
}
