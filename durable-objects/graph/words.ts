/**
 * The keyword index: BM25 over passages, by FTS5 without content (the text is in the chunks). It is fed `terms()` joined by spaces and is
 * given the same again to forget them: `secure-delete` then takes them out of its own tables too. Row = the chunk's number and the ordinal.
 */

import { compareText } from '../../src/core/graph/ordered-map'
import type { Hit } from '../../src/core/graph/types'
import { passageId } from '../../src/core/ids'
import type { Sql } from '../sql'
import { bulk, limited } from './bulk'
import { frozenFrequency, keepLeaving, type Matched, matchFrozen } from './frozen-words'
import { fed, type Numbered } from './passage-terms'
import { PASSAGES } from './rows'
import { isFrozen } from './snapshot'

const TIES = 32 // hits read beyond the limit, so that equal scores at the cut are seen

const BEST = `
  SELECT c.id AS chunk, h.row % ${PASSAGES} AS ordinal, h.score FROM
    (SELECT rowid AS row, bm25(words) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ?) h
    JOIN chunk c ON c.n = h.row / ${PASSAGES}`
const EVERY = `
  SELECT c.id AS chunk, w.rowid % ${PASSAGES} AS ordinal, bm25(words) AS score
    FROM words w JOIN chunk c ON c.n = w.rowid / ${PASSAGES} WHERE words MATCH ?`

export class Words {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  add(chunks: readonly Numbered[]): void {
    const statement = `INSERT INTO words (rowid, title, text) SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`
    bulk(this.#sql, statement, chunks.flatMap(fed))
  }

  remove(chunks: readonly Numbered[]): void {
    const statement = `INSERT INTO words (words, rowid, title, text)
      SELECT 'delete', value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`
    const rows = chunks.flatMap(fed)
    bulk(this.#sql, statement, rows)
    keepLeaving(this.#sql, rows)
  }

  match(words: readonly string[], limit: number): readonly Hit[] {
    const any = [...new Set(words)].map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')
    if (any === '' || limit <= 0) return []
    if (isFrozen(this.#sql)) return hits(matchFrozen(this.#sql, any, words, limit)).slice(0, limit)
    const rows = this.#sql.all<Matched>(BEST, any, limited(limit + TIES))
    const cut = rows[limit - 1]
    const last = rows[rows.length - 1]
    const open = rows.length === limit + TIES && cut?.score === last?.score
    return hits(open ? this.#sql.all<Matched>(EVERY, any) : rows).slice(0, limit)
  }

  frequency(words: readonly string[]): readonly number[] {
    if (isFrozen(this.#sql)) return words.map((word) => frozenFrequency(this.#sql, word))
    const known = this.#sql.all<{ term: string; doc: number }>(
      'SELECT term, doc FROM word WHERE term IN (SELECT value FROM json_each(?))',
      JSON.stringify([...new Set(words)]),
    )
    const frequencies = new Map(known.map((row) => [row.term, row.doc]))
    return words.map((term) => frequencies.get(term) ?? 0)
  }
}

/** FTS5 gives the negative of the score. */
function hits(rows: readonly Matched[]): Hit[] {
  return rows
    .map((row): Hit => ({ id: passageId(row.chunk, row.ordinal), score: -row.score }))
    .sort((a, b) => b.score - a.score || compareText(a.id, b.id))
}
