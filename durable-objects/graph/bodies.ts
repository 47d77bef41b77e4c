/** The texts of documents and chunks, and where chunks occur: read one by one or many together, and cached for a while. */
import type { Home } from '../../src/core/graph/reader'
import type { Chunk, DocumentRecord, Placement } from '../../src/core/graph/types'
import { distinct } from '../../src/core/text/terms'
import type { Sql } from '../sql'
import type { Cache, Shelf } from './cache'
import { Homes } from './homes'
import { unpackChunk } from './rows'
import { Sentences } from './sentences'

const SPAN = 120 // bytes for a parsed passage, unit or place, about
const WIDE = /[\u0100-\uffff]/ // one such character, and each takes two bytes
const RECORD = 1000 // bytes for a document's record besides its places
const BODIES = 64 // texts read together, a few kB each
const AT_ONCE = 500 // chunks whose places are read together
const CHUNKS = 'SELECT id, body FROM chunk WHERE id IN (SELECT value FROM json_each(?))'
const PLACED =
  'SELECT chunk, document, start FROM placement WHERE chunk IN (SELECT value FROM json_each(?)) ORDER BY chunk, document, start'

export class Bodies {
  readonly sentences: Sentences
  readonly #sql: Sql
  readonly #documents: Shelf
  readonly #chunks: Shelf
  readonly #placed: Shelf
  readonly #homes: Homes

  constructor(sql: Sql, cache: Cache, lengths: { readonly dimensions: number }) {
    this.#sql = sql
    this.#documents = cache.shelf('document')
    this.#chunks = cache.shelf('body')
    this.#placed = cache.shelf('placed')
    this.#homes = new Homes({ sql, cache, lengths })
    this.sentences = new Sentences(sql, cache, (id) => this.chunk(id))
  }

  document(id: string): DocumentRecord | undefined {
    const read = (): DocumentRecord | undefined => {
      const row = this.#sql.one<{ body: string }>('SELECT body FROM document WHERE id = ?', id)
      return row && (JSON.parse(row.body) as DocumentRecord)
    }
    return this.#documents.getOrRead(id, read, recordBytes)
  }

  chunk(id: string): Chunk | undefined {
    const read = (): Chunk | undefined => {
      const row = this.#sql.one<{ body: string }>('SELECT body FROM chunk WHERE id = ?', id)
      return row && unpackChunk(id, row.body)
    }
    return this.#chunks.getOrRead(id, read, bodyBytes)
  }

  /** Prefetches records and texts that are about to be requested one by one. */
  preload(documents: readonly string[], chunks: readonly string[]): void {
    this.#preloadBodies('document', documents, (id, body) => {
      const record = JSON.parse(body) as DocumentRecord
      this.#documents.set(id, record, recordBytes(record))
    })
    this.#preloadBodies('chunk', chunks, (id, body) => this.keepChunk(id, body))
  }

  /** Texts that are looked at once: those not cached are read together, and not kept. */
  passing(ids: readonly string[]): ReadonlyMap<string, Chunk> {
    const found = new Map<string, Chunk>()
    for (const id of new Set(ids)) {
      const held = this.#chunks.held<Chunk>(id)
      if (held) found.set(id, held)
    }
    const missing = distinct(ids.filter((id) => !found.has(id)))
    for (let at = 0; at < missing.length; at += BODIES) {
      const some = JSON.stringify(missing.slice(at, at + BODIES))
      for (const { id, body } of this.#sql.all<{ id: string; body: string }>(CHUNKS, some)) found.set(id, unpackChunk(id, body))
    }
    return found
  }

  holdsChunk(id: string): boolean {
    return this.#chunks.has(id)
  }

  keepChunk(id: string, body: string): void {
    const chunk = unpackChunk(id, body)
    this.#chunks.set(id, chunk, bodyBytes(chunk))
  }

  #preloadBodies(table: 'document' | 'chunk', ids: readonly string[], keep: (id: string, body: string) => void): void {
    const kept = table === 'document' ? this.#documents : this.#chunks
    const missing = distinct(ids.filter((id) => !kept.has(id)))
    if (missing.length < 2) return // it is read when it is requested
    const statement = `SELECT id, body FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`
    for (let at = 0; at < missing.length; at += BODIES) {
      const some = JSON.stringify(missing.slice(at, at + BODIES))
      for (const { id, body } of this.#sql.all<{ id: string; body: string }>(statement, some)) keep(id, body)
    }
  }

  placements(chunk: string): readonly Placement[] {
    const statement = 'SELECT document, start FROM placement WHERE chunk = ? ORDER BY document, start'
    const read = (): readonly Placement[] => this.#sql.all<Placement>(statement, chunk)
    return this.#placed.getOrRead(chunk, read, (places) => SPAN * (1 + places.length)) ?? []
  }

  /** Prefetches where chunks occur, before they are requested one by one. */
  preloadPlacements(chunks: readonly string[]): void {
    const missing = distinct(chunks.filter((chunk) => !this.#placed.has(chunk)))
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      const some = missing.slice(at, at + AT_ONCE)
      const found = new Map(some.map((chunk) => [chunk, [] as Placement[]]))
      for (const { chunk, ...place } of this.#sql.all<Placement & { chunk: string }>(PLACED, JSON.stringify(some)))
        found.get(chunk)?.push(place)
      for (const [chunk, places] of found) this.#placed.set(chunk, places, SPAN * (1 + places.length))
    }
  }

  homes(chunks: readonly string[]): readonly (Home | undefined)[] {
    this.preloadPlacements(chunks)
    return this.#homes.of(chunks.map((chunk) => this.placements(chunk)[0]?.document))
  }

  /** Documents that stand are as long as those of their chunks that are there. */
  forgetHomes(chunks: readonly string[]): void {
    if (chunks.length === 0) return
    const statement = 'SELECT DISTINCT document FROM placement WHERE chunk IN (SELECT value FROM json_each(?))'
    for (const { document } of this.#sql.all<{ document: string }>(statement, JSON.stringify(chunks))) this.#homes.drop(document)
  }

  /** It was written or removed. */
  forgetChunk(id: string): void {
    this.#chunks.drop(id)
    this.sentences.drop(id)
  }

  /** It was written or removed, and so may occur elsewhere. */
  forgetDocument({ id, chunks }: DocumentRecord): void {
    this.#documents.drop(id)
    this.#homes.drop(id)
    for (const { chunk } of chunks) this.#placed.drop(chunk)
  }
}

function recordBytes({ chunks }: DocumentRecord): number {
  return RECORD + SPAN * chunks.length
}

function bodyBytes({ text, passages, units }: Chunk): number {
  return (WIDE.test(text) ? 2 : 1) * text.length + SPAN * (passages.length + units.length)
}
