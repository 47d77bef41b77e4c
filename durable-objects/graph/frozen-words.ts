/**
 * Keyword matches while a large change is being applied (snapshot.ts). The index itself changes at once, since builders read it; readers
 * see the earlier passages: of its hits those that were there before, and those removed from it since, found in a separate index. FTS5's
 * score is a sum over terms, each with a weight by how many passages have it: asked for one term at a time, it is multiplied by the earlier
 * weight over its own, so no text is read. Passages removed since are scored by their text. Only the average length of a passage includes
 * what is being applied.
 */
import { Bm25Score, rarity } from '../../src/core/graph/bm25'
import type { Lexicon } from '../../src/core/graph/reader'
import { passageId } from '../../src/core/ids'
import type { Sql } from '../sql'
import { bulk, limited } from './bulk'
import { anyOf, type Matched, quoted } from './matched'
import type { IndexRow } from './passage-terms'
import { PASSAGES } from './rows'
import { varints } from './term-counts'

const SCORED = `WITH hit AS MATERIALIZED (
    SELECT words.rowid AS row, bm25(words) * (asked.value ->> 1) AS score
      FROM json_each(?) asked CROSS JOIN words WHERE words MATCH (asked.value ->> 0) AND words.rowid < ?)
  SELECT c.id AS chunk, h.row % ${PASSAGES} AS ordinal, h.score FROM
    (SELECT row, sum(score) AS score FROM hit GROUP BY row ORDER BY score LIMIT ?) h
    JOIN chunk c ON c.n = h.row / ${PASSAGES}`
const LEAVING = `SELECT c.id AS chunk, h.row % ${PASSAGES} AS ordinal FROM
  (SELECT rowid AS row, bm25(before_words) AS score FROM before_words WHERE before_words MATCH ? AND rowid < ? ORDER BY score LIMIT ?) h
  JOIN chunk c ON c.n = h.row / ${PASSAGES}`
const COUNTS = `SELECT
    (SELECT count(*) FROM words WHERE words MATCH asked.value AND rowid < ?) AS stayed,
    (SELECT count(*) FROM before_words WHERE before_words MATCH asked.value AND rowid < ?) AS leaving,
    (SELECT count(*) FROM words WHERE words MATCH asked.value) AS now
  FROM json_each(?) asked ORDER BY asked.key`

/** Called before anything changes. Chunks being added have numbers from `first` on. */
export function makeFrozenWords(sql: Sql, first: number): void {
  sql.run('CREATE TABLE before_row (first INTEGER NOT NULL)')
  sql.run('INSERT INTO before_row VALUES (?)', first * PASSAGES)
  sql.run(`CREATE VIRTUAL TABLE before_words USING fts5(title, text, content='', ${tokenizerOf(sql)})`)
}

function tokenizerOf(sql: Sql): string {
  const { made = '' } = sql.one<{ made: string }>(`SELECT sql AS made FROM sqlite_master WHERE name = 'words'`) ?? {}
  return /tokenize\s*=\s*"[^"]*"/.exec(made)?.[0] ?? ''
}

export function dropFrozenWords(sql: Sql): void {
  sql.run('DROP TABLE before_words')
  sql.run('DROP TABLE before_row')
}

/** Rows that the index has just forgotten. Nothing is kept if nothing is frozen. */
export function keepLeavingPassages(sql: Sql, rows: readonly IndexRow[]): void {
  if (rows.length === 0 || !sql.one(`SELECT 1 FROM sqlite_master WHERE name = 'before_words'`)) return
  bulk(sql, 'INSERT INTO before_words (rowid, title, text) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)', rows)
}

interface FrozenQuery {
  readonly terms: readonly string[]
  /** Of passages that readers see. */
  readonly counts: Lexicon['counts']
}

/** The passages with any of the terms that readers see: as many of the best as asked for, in no order. */
export function frozenMatches(sql: Sql, { terms, counts: countsOf }: FrozenQuery): (limit: number) => readonly Matched[] {
  const first = firstHidden(sql)
  const counts = frozenCounts(sql, terms)
  const { rows, mean } = averages(sql)
  const { n = 0 } = sql.one<{ n: number | null }>(`SELECT counts ->> 'passage' AS n FROM graph_state`) ?? {}
  const texts = n ?? 0
  const asked = terms.map((term, i) => {
    const { before, now } = counts[i] ?? { before: 0, now: 0 }
    return [quoted(term), rarity(texts, before) / rarity(rows, now)]
  })
  const any = anyOf(terms)
  const score = new Bm25Score({ texts, mean, frequencies: terms.map((_, i) => counts[i]?.before ?? 0) })
  return (limit) => {
    const stayed = sql.all<Matched>(SCORED, JSON.stringify(asked), first, limited(limit))
    const left = sql.all<Omit<Matched, 'score'>>(LEAVING, any, first, limited(limit))
    const said = countsOf(
      left.map(({ chunk, ordinal }) => passageId(chunk, ordinal)),
      terms,
    )
    const leaving = left.flatMap((one, i) => {
      const own = said[i]
      return own ? [{ ...one, score: -score.of(own) }] : []
    })
    return leaving.length === 0 ? stayed : [...stayed, ...leaving].sort((a, b) => a.score - b.score).slice(0, limit)
  }
}

/** How many passages have each term, for readers and in the index now. */
export function frozenCounts(sql: Sql, terms: readonly string[]): readonly { readonly before: number; readonly now: number }[] {
  const first = firstHidden(sql)
  const rows = sql.all<{ stayed: number; leaving: number; now: number }>(COUNTS, first, first, JSON.stringify(terms.map(quoted)))
  return rows.map(({ stayed, leaving, now }) => ({ before: stayed + leaving, now }))
}

/** The first row in the index that belongs to the change. */
export function firstHidden(sql: Sql): number {
  return sql.one<{ first: number }>('SELECT first FROM before_row')?.first ?? 0
}

/** The average length of a passage in the index, in terms. */
export function meanLength(sql: Sql): number {
  return averages(sql).mean
}

/** From FTS5's own record of averages: rows, then the tokens of each column. */
function averages(sql: Sql): { readonly rows: number; readonly mean: number } {
  const record = sql.one<{ block: ArrayBuffer }>('SELECT block FROM words_data WHERE id = 1')
  const [rows = 0, ...columns] = record ? varints(new Uint8Array(record.block)) : []
  return { rows, mean: rows === 0 ? 1 : columns.reduce((sum, one) => sum + one, 0) / rows }
}
