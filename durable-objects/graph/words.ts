/**
 * The keyword index: BM25 over passages, by FTS5 without content (the text is in the chunks). It is fed `terms()` joined by spaces and is
 * given the same again to forget them: `secure-delete` then takes them out of its own tables too. Row = the chunk's number and the ordinal.
 */

import { compareText } from '../../src/core/graph/ordered-map'
import { passageText } from '../../src/core/graph/parts'
import type { Chunk, Hit } from '../../src/core/graph/types'
import { passageId } from '../../src/core/ids'
import { terms } from '../../src/core/text/terms'
import type { Sql } from '../sql'
import { bulk, limited } from './bulk'

const PARTS = 256 // passages a chunk may have: the low bits of a row's number
const TIES = 32 // hits read beyond the limit, so that equal scores at the cut are seen

const BEST = `
  SELECT c.id AS chunk, h.row % ${PARTS} AS ordinal, h.score FROM
    (SELECT rowid AS row, bm25(words) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ?) h
    JOIN chunk c ON c.n = h.row / ${PARTS}`
const EVERY = `
  SELECT c.id AS chunk, w.rowid % ${PARTS} AS ordinal, bm25(words) AS score
    FROM words w JOIN chunk c ON c.n = w.rowid / ${PARTS} WHERE words MATCH ?`

interface Row {
  readonly chunk: string
  readonly ordinal: number
  readonly score: number
}

/** A chunk and the number of its row. */
export interface Numbered {
  readonly n: number
  readonly chunk: Chunk
}

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
    bulk(this.#sql, statement, chunks.flatMap(fed))
  }

  match(words: readonly string[], limit: number): readonly Hit[] {
    const any = [...new Set(words)].map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')
    if (any === '' || limit <= 0) return []
    const rows = this.#sql.all<Row>(BEST, any, limited(limit + TIES))
    const cut = rows[limit - 1]
    const last = rows[rows.length - 1]
    const open = rows.length === limit + TIES && cut?.score === last?.score
    return hits(open ? this.#sql.all<Row>(EVERY, any) : rows).slice(0, limit)
  }

  frequency(words: readonly string[]): readonly number[] {
    const known = this.#sql.all<{ term: string; doc: number }>(
      'SELECT term, doc FROM word WHERE term IN (SELECT value FROM json_each(?))',
      JSON.stringify([...new Set(words)]),
    )
    const frequencies = new Map(known.map((row) => [row.term, row.doc]))
    return words.map((term) => frequencies.get(term) ?? 0)
  }
}

function fed({ n, chunk }: Numbered): (readonly [number, string, string])[] {
  if (chunk.passages.length > PARTS) throw new Error(`graph: chunk ${chunk.id} has more than ${PARTS} passages`)
  const title = terms(chunk.title).join(' ')
  return chunk.passages.map((_, ordinal) => [n * PARTS + ordinal, title, terms(passageText(chunk, ordinal)).join(' ')])
}

/** FTS5 gives the negative of the score. */
function hits(rows: readonly Row[]): Hit[] {
  return rows
    .map((row): Hit => ({ id: passageId(row.chunk, row.ordinal), score: -row.score }))
    .sort((a, b) => b.score - a.score || compareText(a.id, b.id))
}
