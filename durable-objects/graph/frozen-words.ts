/**
 * Keyword matches while a large change is being applied (snapshot.ts). The index itself changes at once, since builders read it; readers
 * see the earlier passages: of its hits those whose chunk is in the view, and those removed from it since, found in a separate index. They
 * are scored here, with the earlier frequencies; only the average length of a passage includes what is being applied.
 */
import { Bm25Score } from '../../src/core/graph/bm25'
import type { Admits } from '../../src/core/graph/reader'
import type { Sql } from '../sql'
import { bulk } from './bulk'
import type { IndexRow } from './passage-terms'
import { PASSAGES } from './rows'

export interface Matched {
  readonly chunk: string
  readonly ordinal: number
  /** As FTS5 returns it: lower is better. */
  readonly score: number
}

const FURTHER = 64 // hits scored beyond the limit, plus the limit once more: the index orders them by other frequencies
const WIDER = 4 // times as many are read if too few of them are admitted

const HITS = (index: string): string => `SELECT c.id AS chunk, h.row % ${PASSAGES} AS ordinal FROM
  (SELECT rowid AS row, bm25(${index}) AS score FROM ${index} WHERE ${index} MATCH ? AND rowid < ? ORDER BY score LIMIT ?) h
  JOIN chunk c ON c.n = h.row / ${PASSAGES}`
const HOW_MANY = (index: string): string => `SELECT count(*) AS n FROM ${index} WHERE ${index} MATCH ? AND rowid < ?`

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
  /** Words, as FTS5 is asked for any of them. */
  readonly any: string
  /** All words that count for the score. */
  readonly frequencies: ReadonlyMap<string, number>
  readonly limit: number
  readonly admits?: Admits | undefined
  /** All terms of a passage that readers see. */
  readonly termsOf: (chunk: string, ordinal: number) => readonly string[] | undefined
}

/** In no order. */
export function matchFrozen(sql: Sql, { any, frequencies, limit, admits, termsOf }: FrozenQuery): readonly Matched[] {
  const first = firstHidden(sql)
  const best = (index: string): readonly Omit<Matched, 'score'>[] => {
    const enough = 2 * limit + FURTHER
    for (let wide = enough; ; wide *= WIDER) {
      const rows = sql.all<Omit<Matched, 'score'>>(HITS(index), any, first, wide)
      const found = admits ? rows.filter(({ chunk }) => admits(chunk)) : rows
      if (found.length >= enough || rows.length < wide) return found.slice(0, enough)
    }
  }
  const found = ['words', 'before_words'].flatMap(best)
  const { n = 0 } = sql.one<{ n: number | null }>(`SELECT counts ->> 'passage' AS n FROM graph_state`) ?? {}
  const score = new Bm25Score({ texts: n ?? 0, mean: meanLength(sql), frequencies })
  return found.flatMap(({ chunk: id, ordinal }) => {
    const terms = termsOf(id, ordinal)
    return terms ? [{ chunk: id, ordinal, score: -score.of(terms) }] : []
  })
}

/** Passages with the word that readers see. */
export function frozenFrequency(sql: Sql, word: string): number {
  const first = firstHidden(sql)
  const term = `"${word.replaceAll('"', '""')}"`
  const count = (index: string): number => sql.one<{ n: number }>(HOW_MANY(index), term, first)?.n ?? 0
  return count('words') + count('before_words')
}

/** The first row in the index that belongs to the change. */
export function firstHidden(sql: Sql): number {
  return sql.one<{ first: number }>('SELECT first FROM before_row')?.first ?? 0
}

/** The average length of a passage in the index, in terms, from FTS5's own record of averages: rows, then the tokens of each column. */
export function meanLength(sql: Sql): number {
  const record = sql.one<{ block: ArrayBuffer }>('SELECT block FROM words_data WHERE id = 1')
  const [rows = 0, ...columns] = record ? varints(new Uint8Array(record.block)) : []
  return rows === 0 ? 1 : columns.reduce((sum, one) => sum + one, 0) / rows
}

/** Big-endian, seven bits per byte. */
function varints(bytes: Uint8Array): number[] {
  const out: number[] = []
  let value = 0
  for (const byte of bytes) {
    value = value * 128 + (byte & 0x7f)
    if (byte >= 0x80) continue
    out.push(value)
    value = 0
  }
  return out
}
