/**
 * What was paid for: a row for each document and stage, and their running sums, a row for each stage, which always equal the rows' totals,
 * so that reading them costs O(stages). All SQL on both tables is here.
 */
import type { Sql } from '../../sql'
import { accessesBy } from './revision'

/** Steps of `schema.ts`; once released they are not changed. document: '' if it serves several or none. */
export const CREATE_SPENDING = `
  CREATE TABLE spending (
    document TEXT NOT NULL,
    stage TEXT NOT NULL,
    calls INTEGER NOT NULL,
    read INTEGER NOT NULL,
    written INTEGER NOT NULL,
    embedded INTEGER NOT NULL,
    usd REAL NOT NULL,
    PRIMARY KEY (document, stage)
  ) WITHOUT ROWID;
`
/** The spending of a corpus from before there were sums is summed up once. */
export const CREATE_SPENDING_TOTAL = `
  CREATE TABLE spending_total (
    stage TEXT PRIMARY KEY,
    calls INTEGER NOT NULL,
    read INTEGER NOT NULL,
    written INTEGER NOT NULL,
    embedded INTEGER NOT NULL,
    usd REAL NOT NULL
  ) WITHOUT ROWID;
  INSERT INTO spending_total SELECT stage, sum(calls), sum(read), sum(written), sum(embedded), sum(usd) FROM spending GROUP BY stage;
`

export interface SpendingRow {
  readonly stage: string
  readonly calls: number
  readonly read: number
  readonly written: number
  readonly embedded: number
  readonly usd: number
}

/** Adds to a document's row. The caller adds new spending to the stage's sum too. */
export function addToDocument(sql: Sql, document: string, row: SpendingRow): void {
  sql.run(
    `INSERT INTO spending (document, stage, calls, read, written, embedded, usd) VALUES (?, ?, ?, ?, ?, ?, ?) ${ADDED('document, stage')}`,
    document,
    ...valuesOf(row),
  )
}

export function addToTotal(sql: Sql, row: SpendingRow): void {
  sql.run(
    `INSERT INTO spending_total (stage, calls, read, written, embedded, usd) VALUES (?, ?, ?, ?, ?, ?) ${ADDED('stage')}`,
    ...valuesOf(row),
  )
}

const ADDED = (key: string): string => `ON CONFLICT (${key}) DO UPDATE SET calls = calls + excluded.calls, read = read + excluded.read,
  written = written + excluded.written, embedded = embedded + excluded.embedded, usd = usd + excluded.usd`

const valuesOf = ({ stage, calls, read, written, embedded, usd }: SpendingRow) => [stage, calls, read, written, embedded, usd] as const

/** By stage, in order. */
export function listTotals(sql: Pick<Sql, 'all'>): SpendingRow[] {
  return sql.all<SpendingRow>('SELECT * FROM spending_total ORDER BY stage')
}

/** The same of one document. */
export function listSpendingOf(sql: Pick<Sql, 'all'>, document: string): SpendingRow[] {
  const query = 'SELECT stage, calls, read, written, embedded, usd FROM spending WHERE document = ? ORDER BY stage'
  return sql.all<SpendingRow>(query, document)
}

/** The rows of a document that no longer has a version. */
export function listSpendingOfDeleted(sql: Sql, document: string): SpendingRow[] {
  return sql.all<SpendingRow>(
    'SELECT * FROM spending WHERE document = ? AND NOT EXISTS (SELECT 1 FROM revision WHERE revision.document = spending.document)',
    document,
  )
}

export function deleteSpending(sql: Sql, document: string, stage: string): void {
  sql.run('DELETE FROM spending WHERE document = ? AND stage = ?', document, stage)
}

/** With the labels of its versions: JSON lists, one per line; null: it no longer has any. */
export interface Spender {
  readonly id: string
  readonly accesses: string | null
}

const ACCESSES = accessesBy('spender.id')
const SPENDERS = 'SELECT DISTINCT document AS id FROM spending WHERE document > ? ORDER BY document LIMIT ?'

/** Documents that have cost anything, after an id, in order. */
export function listSpendersAfter(sql: Pick<Sql, 'all'>, after: string, limit: number): Spender[] {
  return sql.all<Spender>(`SELECT id, ${ACCESSES} AS accesses FROM (${SPENDERS}) AS spender ORDER BY id`, after, limit)
}
