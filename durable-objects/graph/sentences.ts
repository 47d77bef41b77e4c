/**
 * The sentences of chunks' own texts with the terms in them, as numbers (core/text/sentence-terms.ts). Made when first asked for, and kept in a row,
 * since a segment's extract is made from all of its chunks whenever one of them comes or goes. They follow from the text alone: no export, backup or
 * state contains them.
 */
import { ownText } from '../../src/core/graph/parts'
import type { Chunk } from '../../src/core/graph/types'
import { isCurrent, type SentenceTerms, sentenceTerms } from '../../src/core/text/sentence-terms'
import type { Sql } from '../sql'
import type { Cache, Shelf } from './cache'
import { bytesOf } from './rows'

const ENTRY = 200 // bytes it takes to keep those of one chunk, besides the numbers

export class Sentences {
  readonly #sql: Sql
  readonly #kept: Shelf
  readonly #chunk: (id: string) => Chunk | undefined

  constructor(sql: Sql, cache: Cache, chunk: (id: string) => Chunk | undefined) {
    this.#sql = sql
    this.#kept = cache.shelf('sentences')
    this.#chunk = chunk
  }

  of(chunk: string): SentenceTerms | undefined {
    return this.#kept.getOrRead(chunk, () => this.#stored(chunk) ?? this.#made(chunk), bytesHeld)
  }

  preload(chunks: readonly string[]): void {
    const missing = [...new Set(chunks)].filter((id) => !this.#kept.has(id))
    if (missing.length < 2) return // they are read when they are requested
    const statement = 'SELECT chunk, terms FROM sentences WHERE chunk IN (SELECT value FROM json_each(?))'
    for (const { chunk, terms } of this.#sql.all<{ chunk: string; terms: ArrayBuffer }>(statement, JSON.stringify(missing))) {
      const read = new Int32Array(terms)
      if (isCurrent(read)) this.#kept.set(chunk, read, bytesHeld(read))
    }
  }

  /** The chunk's text has changed or is gone. */
  drop(chunk: string): void {
    this.#kept.drop(chunk)
    this.#sql.run('DELETE FROM sentences WHERE chunk = ?', chunk)
  }

  #stored(chunk: string): SentenceTerms | undefined {
    const row = this.#sql.one<{ terms: ArrayBuffer }>('SELECT terms FROM sentences WHERE chunk = ?', chunk)
    const read = row && new Int32Array(row.terms)
    return read && isCurrent(read) ? read : undefined
  }

  #made(id: string): SentenceTerms | undefined {
    const chunk = this.#chunk(id)
    if (!chunk) return undefined
    const made = sentenceTerms(ownText(chunk))
    this.#sql.run('INSERT OR REPLACE INTO sentences (chunk, terms) VALUES (?, ?)', id, bytesOf(made))
    return made
  }
}

function bytesHeld(terms: SentenceTerms): number {
  return terms.byteLength + ENTRY
}
