/** Documents and chunks in rows: what came from outside, written and deleted, and the vectors of chunks (bodies.ts reads their texts). */
import type { Divided } from '../../src/core/graph/integrate'
import { partOf, vectorOf } from '../../src/core/graph/parts'
import type { Lexicon, Preload, TextNode } from '../../src/core/graph/reader'
import type { Chunk, DocumentRecord, Stemmed, Vector } from '../../src/core/graph/types'
import { chunkOf, kindOf } from '../../src/core/ids'
import { stemmed } from '../../src/core/text/languages'
import { distinct } from '../../src/core/text/terms'
import { mean } from '../../src/core/vectors'
import type { Sql } from '../sql'
import { Bodies } from './bodies'
import { bulk, limited } from './bulk'
import type { Cache, Shelf } from './cache'
import type { Counts } from './counts'
import { meanLength } from './frozen-words'
import type { Numbered } from './passage-terms'
import { packChunk, packVectors, unpackChunk, unpackVectors } from './rows'
import { nextChunkNumber } from './snapshot'
import { termCounts } from './term-counts'
import { Words } from './words'

const VECTORS = 64 // chunks whose vectors are read together, a few dozen each
const SPAN = 120 // bytes for a parsed passage, unit or place, about

interface TextsParts {
  readonly sql: Sql
  /** The length of vectors. */
  readonly lengths: { readonly dimensions: number }
  readonly cache: Cache
  readonly counts: Counts
  /** What a question may read of the keyword index, if different from words.ts. */
  readonly postings?: number | undefined
}

export class Texts {
  readonly words: Words
  readonly bodies: Bodies
  readonly lexicon: Lexicon = {
    meanLength: () => meanLength(this.#sql),
    counts: (ids, terms) => termCounts(this.#sql, ids, terms, (chunks) => this.bodies.passing(chunks)),
  }
  readonly #sql: Sql
  readonly #lengths: { readonly dimensions: number }
  readonly #shelves: { readonly [what in 'passages' | 'units' | 'mean']: Shelf }
  readonly #counts: Counts

  constructor({ sql, lengths, cache, counts, postings }: TextsParts) {
    const passages = (): number => counts.of('passage')
    const { counts: said } = this.lexicon
    this.words = new Words({ sql, cache, counts: said, passages, ...(postings === undefined ? {} : { postings }) })
    this.#sql = sql
    this.#lengths = lengths
    this.#shelves = {
      passages: cache.shelf('passages'),
      units: cache.shelf('units'),
      mean: cache.shelf('mean'),
    }
    this.#counts = counts
    this.bodies = new Bodies(sql, cache, lengths)
  }

  preload({ documents = [], chunks = [], placements = [], sentences = [], vectors = {} }: Preload): void {
    this.#preloadWithUnits(chunks, vectors.units ?? [])
    this.bodies.preload(documents, chunks)
    this.bodies.preloadPlacements(placements)
    this.bodies.sentences.preload(sentences)
    this.#preloadVectors('passages', vectors.passages ?? [])
    this.#preloadVectors('units', vectors.units ?? [])
  }

  /** A chunk's text and its units' vectors are in one row. */
  #preloadWithUnits(chunks: readonly string[], units: readonly string[]): void {
    const wanted = new Set(units)
    const both = distinct(chunks.filter((id) => wanted.has(id) && !this.#shelves.units.has(id) && !this.bodies.holdsChunk(id)))
    const statement = 'SELECT id, body, units FROM chunk WHERE id IN (SELECT value FROM json_each(?))'
    for (let at = 0; at < both.length; at += VECTORS) {
      const some = JSON.stringify(both.slice(at, at + VECTORS))
      for (const row of this.#sql.all<{ id: string; body: string; units: ArrayBuffer }>(statement, some)) {
        this.bodies.keepChunk(row.id, row.body)
        const vectors = unpackVectors(row.units, this.#lengths.dimensions)
        this.#shelves.units.set(row.id, vectors, this.#vectorBytes(vectors))
      }
    }
  }

  text(id: string): TextNode | undefined {
    const chunk = this.bodies.chunk(chunkOf(id))
    return chunk && partOf(chunk, id)
  }

  vector(id: string): Vector | undefined {
    const chunk = chunkOf(id)
    const kind = kindOf(id)
    if (kind === 'unit') return vectorOf({ passages: [], units: this.#vectors('units', chunk) }, id)
    if (kind === 'passage') return vectorOf({ passages: this.#vectors('passages', chunk), units: [] }, id)
    if (kind !== 'chunk' || id !== chunk) return undefined
    const read = (): Vector | undefined => {
      const passages = this.#vectors('passages', chunk)
      return passages.length > 0 ? mean(passages, this.#lengths.dimensions) : undefined
    }
    return this.#shelves.mean.getOrRead(chunk, read, () => this.#lengths.dimensions)
  }

  putDocuments(documents: readonly DocumentRecord[]): void {
    this.dropDocuments(documents.map((one) => one.id))
    for (const one of documents) {
      this.#sql.run('INSERT INTO document (id, body) VALUES (?, ?)', one.id, JSON.stringify(one))
      this.bodies.forgetDocument(one)
    }
    const placed = documents.flatMap((one) => one.chunks.map(({ chunk, start }) => [chunk, one.id, start]))
    const statement = `INSERT OR IGNORE INTO placement SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`
    bulk(this.#sql, statement, placed)
    this.#counts.add('document', documents.length)
  }

  dropDocuments(ids: readonly string[]): void {
    for (const id of ids) {
      const known = this.bodies.document(id)
      if (!known) continue
      const chunks = JSON.stringify(known.chunks.map((one) => one.chunk))
      this.#sql.run('DELETE FROM placement WHERE document = ? AND chunk IN (SELECT value FROM json_each(?))', id, chunks)
      this.#sql.run('DELETE FROM document WHERE id = ?', id)
      this.bodies.forgetDocument(known)
      this.#counts.add('document', -1)
    }
  }

  /** An existing chunk with this text only gets its vectors: its words are already in the keyword index, which is far more expensive to fill. */
  putChunks(all: readonly Divided[]): void {
    if (all.length === 0) return
    const standing = this.#unchanged(all.map((one) => one.chunk))
    for (const { chunk, vectors } of all) {
      if (!standing.has(chunk.id)) continue
      const packed = [packVectors(vectors.passages, this.#lengths.dimensions), packVectors(vectors.units, this.#lengths.dimensions)]
      this.#sql.run('UPDATE chunk SET passages = ?, units = ? WHERE id = ?', ...packed, chunk.id)
      for (const part of ['passages', 'units', 'mean'] as const) this.#shelves[part].drop(chunk.id)
    }
    const divided = all.filter((one) => !standing.has(one.chunk.id))
    this.dropChunks(divided.map((one) => one.chunk.id))
    const first = nextChunkNumber(this.#sql)
    const numbered = divided.map(({ chunk }, i): Numbered => ({ n: first + i, chunk }))
    divided.forEach(({ chunk, vectors }, i) => {
      const passages = packVectors(vectors.passages, this.#lengths.dimensions)
      const units = packVectors(vectors.units, this.#lengths.dimensions)
      const row = [numbered[i]?.n ?? 0, chunk.id, passages, packChunk(chunk), units]
      this.#sql.run('INSERT INTO chunk (n, id, passages, body, units) VALUES (?, ?, ?, ?, ?)', ...row)
      this.#tally(chunk, 1)
    })
    this.words.add(numbered)
  }

  dropChunks(ids: readonly string[]): void {
    this.bodies.forgetHomes(ids)
    const rows = this.#sql.all<{ n: number; id: string; body: string }>(
      'SELECT n, id, body FROM chunk WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids),
    )
    const known = rows.map(({ n, id, body }): Numbered => ({ n, chunk: unpackChunk(id, body) }))
    this.words.remove(known)
    bulk(
      this.#sql,
      'DELETE FROM chunk WHERE n IN (SELECT value FROM json_each(?))',
      known.map((one) => one.n),
    )
    for (const { chunk } of known) {
      this.#tally(chunk, -1)
      this.bodies.forgetChunk(chunk.id)
      for (const shelf of Object.values(this.#shelves)) shelf.drop(chunk.id)
    }
  }

  page(kind: 'document' | 'chunk', after: string, limit: number): readonly string[] {
    const rows = this.#sql.all<{ id: string }>(`SELECT id FROM ${kind} WHERE id > ? ORDER BY id LIMIT ?`, after, limited(limit))
    return rows.map((row) => row.id)
  }

  /** Whole chunks with their vectors, in order of number, a few at a time. */
  *all(): Generator<Divided> {
    const page = 'SELECT n, id, passages, body, units FROM chunk WHERE n > ? ORDER BY n LIMIT 64'
    for (let after = 0; ; ) {
      const rows = this.#sql.all<{ n: number; id: string; passages: ArrayBuffer; body: string; units: ArrayBuffer }>(page, after)
      for (const { id, passages, body, units } of rows) {
        const vectors = {
          passages: unpackVectors(passages, this.#lengths.dimensions),
          units: unpackVectors(units, this.#lengths.dimensions),
        }
        yield { chunk: unpackChunk(id, body), vectors }
      }
      const last = rows[rows.length - 1]
      if (!last) return
      after = last.n
    }
  }

  /** From the counts of chunks with their own language; the others have none. */
  stemmings(): readonly (Stemmed | undefined)[] {
    const own = stemmed.filter((language) => this.#counts.of(`stemmed ${language}`) > 0)
    const rest = this.#counts.of('chunk') - own.reduce((sum, language) => sum + this.#counts.of(`stemmed ${language}`), 0)
    return rest > 0 ? [undefined, ...own] : own
  }

  /** Those of these chunks that exist, word for word. */
  #unchanged(chunks: readonly Chunk[]): ReadonlySet<string> {
    const statement = 'SELECT id, body FROM chunk WHERE id IN (SELECT value FROM json_each(?))'
    const rows = this.#sql.all<{ id: string; body: string }>(statement, JSON.stringify(chunks.map((one) => one.id)))
    const bodies = new Map(rows.map(({ id, body }) => [id, body]))
    return new Set(chunks.filter((one) => bodies.has(one.id) && bodies.get(one.id) === packChunk(one)).map((one) => one.id))
  }

  #vectors(column: 'passages' | 'units', chunk: string): readonly Vector[] {
    const read = (): readonly Vector[] | undefined => {
      const row = this.#sql.one<{ blob: ArrayBuffer }>(`SELECT ${column} AS blob FROM chunk WHERE id = ?`, chunk)
      return row && unpackVectors(row.blob, this.#lengths.dimensions)
    }
    return this.#shelves[column].getOrRead(chunk, read, (vectors) => this.#vectorBytes(vectors)) ?? []
  }

  #preloadVectors(column: 'passages' | 'units', chunks: readonly string[]): void {
    const missing = distinct(chunks.filter((chunk) => !this.#shelves[column].has(chunk)))
    if (missing.length < 2) return // they are read when they are requested
    const statement = `SELECT id, ${column} AS blob FROM chunk WHERE id IN (SELECT value FROM json_each(?))`
    for (let at = 0; at < missing.length; at += VECTORS) {
      const some = JSON.stringify(missing.slice(at, at + VECTORS))
      for (const { id, blob } of this.#sql.all<{ id: string; blob: ArrayBuffer }>(statement, some)) {
        const vectors = unpackVectors(blob, this.#lengths.dimensions)
        this.#shelves[column].set(id, vectors, this.#vectorBytes(vectors))
      }
    }
  }

  #vectorBytes(vectors: readonly Vector[]): number {
    return vectors.length * (this.#lengths.dimensions + SPAN)
  }

  #tally(chunk: Chunk, sign: 1 | -1): void {
    this.#counts.add('chunk', sign)
    if (chunk.language) this.#counts.add(`stemmed ${chunk.language}`, sign)
    this.#counts.add('passage', sign * chunk.passages.length)
    this.#counts.add('unit', sign * chunk.units.length)
  }
}
