/**
 * The keyword index: BM25 over passages, by contentless FTS5 (the text is in the chunks). It is fed `terms()` joined by spaces and is given
 * the same again to forget them: `secure-delete` then removes them from its own tables too. Row = the chunk's number and the ordinal.
 *
 * FTS5 reads every posting of every term it is asked for, so a question reads a bounded number: the rarest terms find passages while their
 * postings fit into the budget; the others are only searched for in the best of these passages, in the text itself. If all fit, FTS5
 * answers alone.
 */

import { Bm25Score } from '../../src/core/graph/bm25'
import { compareText } from '../../src/core/graph/ordered-map'
import type { Admits, Lexicon } from '../../src/core/graph/reader'
import type { Hit } from '../../src/core/graph/types'
import type { Sql } from '../sql'
import { bulk, limited } from './bulk'
import type { Cache } from './cache'
import { firstHidden, frozenCounts, frozenMatches, keepLeavingPassages, meanLength } from './frozen-words'
import { anyOf, byScore, hitsOf, type Matched, quoted } from './matched'
import { indexRows, type Numbered } from './passage-terms'
import { PASSAGES } from './rows'
import { isFrozen } from './snapshot'

export const POSTINGS = 20_000 // passages that one question's terms may occur in together; FTS5 reads two or three times as many rows, in some 35 ms
const RESCORED = 256 // passages found by the rarer terms in which the others are searched for
const STALE = 0.01 // share of the passages that may be added or removed before a frequent term is counted again
const COUNT = 150 // bytes for a kept count, about
const KEPT = 10_000 // frequent terms whose counts are kept
const TIES = 32 // hits read beyond the limit, so that ties at the cut are seen
// If only some may be shown, more hits are read, in proportion to the share admitted last time, and a little extra: reading twice costs twice.
const MARGIN = 1.25 // power of that share
const FIRST = 16 // times the limit, at most, at first
const WIDER = 2 // times as many, at least, if there were too few
const WIDEST = 8 // and at most
const HELD = 16 * RESCORED // passages with a frequent term searched for admitted ones

const BEST = `
  SELECT c.id AS chunk, h.row % ${PASSAGES} AS ordinal, h.score FROM
    (SELECT rowid AS row, bm25(words) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ?) h
    JOIN chunk c ON c.n = h.row / ${PASSAGES}`
const EVERY = `
  SELECT c.id AS chunk, w.rowid % ${PASSAGES} AS ordinal, bm25(words) AS score
    FROM words w JOIN chunk c ON c.n = w.rowid / ${PASSAGES} WHERE words MATCH ?`

const UP_TO = `SELECT (SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH asked.value LIMIT ?)) AS n
  FROM json_each(?) asked ORDER BY asked.key`

const HOLDING = `
  SELECT c.id AS chunk, h.row % ${PASSAGES} AS ordinal, 0.0 AS score FROM
    (SELECT rowid AS row FROM words WHERE words MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?) h
    JOIN chunk c ON c.n = h.row / ${PASSAGES}`

export interface WordsParts {
  readonly sql: Sql
  /** The graph's cache, which it drops when others have changed the graph. */
  readonly cache: Cache
  /** How often passages that readers see say these terms. */
  readonly counts: Lexicon['counts']
  /** How many there are. */
  readonly passages: () => number
  /** The budget. */
  readonly postings?: number | undefined
}

type Matches = (limit: number) => readonly Matched[]

const EVERYTHING = Number.POSITIVE_INFINITY

interface Term {
  readonly term: string
  readonly frequency: number
}

export class Words {
  readonly #sql: Sql
  readonly #countsOf: WordsParts['counts']
  readonly #passages: WordsParts['passages']
  readonly #postings: number
  readonly #cache: Cache
  /** For the index as this graph uses it: an older count is not valid. */
  #changes = 0
  /** Counting a term's passages reads all its postings, so those of frequent terms are kept. */
  readonly #counted = new Map<string, { readonly frequency: number; readonly passages: number }>()

  /** Of the best hits, the share that was admitted at the last query. */
  readonly #shares = new WeakMap<Admits, number>()

  constructor({ sql, cache, counts, passages, postings = POSTINGS }: WordsParts) {
    this.#cache = cache
    this.#sql = sql
    this.#countsOf = counts
    this.#passages = passages
    this.#postings = postings
  }

  add(chunks: readonly Numbered[]): void {
    const statement = `INSERT INTO words (rowid, title, text) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`
    this.#changes++
    bulk(this.#sql, statement, chunks.flatMap(indexRows))
  }

  remove(chunks: readonly Numbered[]): void {
    const statement = `INSERT INTO words (words, rowid, title, text)
      SELECT 'delete', value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`
    const rows = chunks.flatMap(indexRows)
    this.#changes++
    bulk(this.#sql, statement, rows)
    keepLeavingPassages(this.#sql, rows)
  }

  /** Best first. If the terms have more postings than the budget: the best of what the rarest find. */
  match(words: readonly string[], limit: number, admits?: Admits): readonly Hit[] {
    const all = [...new Set(words)]
    if (all.length === 0 || limit <= 0) return []
    const { rare, frequent } = this.#splitByBudget(all)
    if (rare.length === 0) return this.#rescore(this.#latestHolding(frequent, admits), frequent).slice(0, limit)
    const read = this.#matches(rare)
    if (frequent.length === 0) return this.#rank(read, limit, admits)
    // Hits at the cut are far from the best: it does not matter which of several ties is taken.
    const many = Math.max(limit, RESCORED)
    const { found } = this.#best(read, many, admits)
    return this.#rescore(hitsOf(found).slice(0, many), frequent).slice(0, limit)
  }

  /** The count of a frequent term: accurate to a hundredth. With `enough`: counts no further than that. */
  frequency(words: readonly string[], enough?: number): readonly number[] {
    if (enough !== undefined && !isFrozen(this.#sql)) return this.#countsUpTo(words, enough)
    const counts = this.#counts(words)
    return isFrozen(this.#sql) ? this.#frozenCounts(words, counts) : counts
  }

  /** What the index counts serves where it is right within a hundredth. The others are the same until readers see the change, when the cache is dropped. */
  #frozenCounts(words: readonly string[], counts: readonly number[]): readonly number[] {
    const known = words.map((word, i) => ((counts[i] ?? 0) < this.#postings ? this.#cache.held<number>(`frozen ${word}`) : counts[i]))
    const missing = words.filter((_, i) => known[i] === undefined)
    if (missing.length === 0) return known.map((count) => count ?? 0)
    const counted = new Map(frozenCounts(this.#sql, missing).map(({ before }, i) => [missing[i] ?? '', before]))
    for (const [word, count] of counted) this.#cache.set(`frozen ${word}`, count, COUNT)
    return words.map((word, i) => known[i] ?? counted.get(word) ?? 0)
  }

  #countsUpTo(words: readonly string[], enough: number): readonly number[] {
    const rows = this.#sql.all<{ n: number }>(UP_TO, limited(enough), JSON.stringify(words.map(quoted)))
    return rows.map((row) => row.n)
  }

  #counts(words: readonly string[]): readonly number[] {
    const passages = this.#passages()
    const known = new Map<string, number>()
    for (const word of words) {
      const kept = this.#counted.get(word)
      const exact = kept ? undefined : this.#cache.held<number>(this.#countKey(word))
      if (exact !== undefined) known.set(word, exact)
      else if (kept && Math.abs(passages - kept.passages) <= STALE * kept.passages) known.set(word, kept.frequency)
    }
    const missing = [...new Set(words)].filter((word) => !known.has(word))
    if (missing.length === 0) return words.map((term) => known.get(term) ?? 0)
    const rows = this.#sql.all<{ term: string; doc: number }>(
      'SELECT term, doc FROM word WHERE term IN (SELECT value FROM json_each(?))',
      JSON.stringify(missing),
    )
    for (const word of missing) this.#cache.set(this.#countKey(word), 0, COUNT)
    for (const { term, doc } of rows) {
      known.set(term, doc)
      this.#cache.set(this.#countKey(term), doc, COUNT)
      if (doc < this.#postings) continue
      if (this.#counted.size >= KEPT) this.#counted.clear()
      this.#counted.set(term, { frequency: doc, passages })
    }
    return words.map((term) => known.get(term) ?? 0)
  }

  #countKey(word: string): string {
    return `count ${this.#changes} ${word}`
  }

  /** Reads the best passages with any of the terms, as many as asked for. */
  #matches(words: readonly string[]): Matches {
    if (isFrozen(this.#sql)) return frozenMatches(this.#sql, { terms: words, counts: this.#countsOf })
    const any = anyOf(words)
    return (limit) => (limit === EVERYTHING ? this.#sql.all<Matched>(EVERY, any) : this.#sql.all<Matched>(BEST, any, limited(limit)))
  }

  #rank(read: Matches, limit: number, admits: Admits | undefined): readonly Hit[] {
    const { found, last } = this.#best(read, limit, admits)
    const open = last !== undefined && found[limit - 1]?.score === last
    const every = (): Matched[] => read(EVERYTHING).filter((row) => !admits || admits(row.chunk))
    return hitsOf(open ? every() : found).slice(0, limit)
  }

  /** The best admitted rows, at least `limit` if there are as many. `last`: the score at which reading ended; undefined if everything was read. */
  #best(read: Matches, limit: number, admits: Admits | undefined): { readonly found: readonly Matched[]; readonly last?: number } {
    const enough = (share: number): number => Math.ceil(limit / share ** MARGIN)
    let wide = Math.min(enough((admits && this.#shares.get(admits)) ?? 1), limit * FIRST) + TIES
    for (;;) {
      const rows = read(wide)
      const found = admits ? rows.filter((row) => admits(row.chunk)) : rows
      const share = Math.max(found.length, 1) / Math.max(rows.length, 1)
      if (admits && rows.length >= limit) this.#shares.set(admits, share)
      const last = rows[wide - 1]?.score
      if (last === undefined) return { found }
      if (found.length >= limit) return { found, last }
      wide = Math.min(Math.max(enough(share), wide * WIDER), wide * WIDEST)
    }
  }

  /** Rarest first, as many as fit into the budget; then those that do not. All in the order given if all fit. */
  #splitByBudget(words: readonly string[]): { readonly rare: readonly string[]; readonly frequent: readonly Term[] } {
    if (words.length * this.#passages() <= this.#postings) return { rare: words, frequent: [] }
    const counts = this.#counts(words)
    const terms = words.map((term, i): Term => ({ term, frequency: counts[i] ?? 0 }))
    terms.sort((a, b) => a.frequency - b.frequency || compareText(a.term, b.term))
    let left = this.#postings
    const over = terms.findIndex(({ frequency }) => {
      left -= frequency
      return left < 0
    })
    if (over < 0) return { rare: words, frequent: [] }
    const rare = terms.slice(0, over).filter((one) => one.frequency > 0)
    return { rare: rare.map((one) => one.term), frequent: terms.slice(over) }
  }

  /** If even the rarest has too many: the last passages with the two rarest, or else with the rarest. */
  #latestHolding([rarest, second]: readonly Term[], admits: Admits | undefined): readonly Hit[] {
    const before = isFrozen(this.#sql) ? firstHidden(this.#sql) : Number.MAX_SAFE_INTEGER
    const holding = (any: string, count: number): readonly Matched[] => {
      const rows = this.#sql.all<Matched>(HOLDING, any, before, admits ? HELD : count)
      return admits ? rows.filter((row) => admits(row.chunk)).slice(0, count) : rows
    }
    const first = quoted(rarest?.term ?? '')
    const both = second ? holding(`${first} AND ${quoted(second.term)}`, RESCORED) : []
    const rows = both.length < RESCORED ? [...both, ...holding(first, RESCORED - both.length)] : both
    return hitsOf([...new Map(rows.map((row) => [`${row.chunk} ${row.ordinal}`, row])).values()])
  }

  /** What these terms add to the scores of the best, computed from the passages' own texts. */
  #rescore(found: readonly Hit[], terms: readonly Term[]): readonly Hit[] {
    const frequencies = terms.map((one) => one.frequency)
    const score = new Bm25Score({ texts: this.#passages(), mean: meanLength(this.#sql), frequencies })
    const said = this.#countsOf(
      found.slice(0, RESCORED).map((hit) => hit.id),
      terms.map((one) => one.term),
    )
    const rescored = found.map((hit, i) => {
      const own = said[i]
      return own ? { ...hit, score: hit.score + score.of(own) } : hit
    })
    return rescored.sort(byScore)
  }
}
