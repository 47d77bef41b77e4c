/**
 * The rows of the accounts, one for each document and stage, and their running sums, one for each stage. Both are written here
 * alone and in the caller's transaction, so that the sums are those of the rows at any moment and reading them costs O(stages).
 */
import type { Sql } from '../../sql'

export const NOBODY = '' // the document of what serves several or none: summaries, reports, questions, documents that are gone

/** A step of `schema.ts`; once released it is not changed. What a corpus has spent before it had sums is summed up once. */
export const TOTALS = `
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

export interface Row {
  readonly stage: string
  readonly calls: number
  readonly read: number
  readonly written: number
  readonly embedded: number
  readonly usd: number
}

/** Adds to a document's row. Whoever enters what was newly spent adds it to the stage's sum too. */
export function addToDocument(sql: Sql, document: string, row: Row): void {
  sql.run(
    `INSERT INTO spending (document, stage, calls, read, written, embedded, usd) VALUES (?, ?, ?, ?, ?, ?, ?) ${SUMMED('document, stage')}`,
    document,
    ...valuesOf(row),
  )
}

export function addToTotal(sql: Sql, row: Row): void {
  sql.run(
    `INSERT INTO spending_total (stage, calls, read, written, embedded, usd) VALUES (?, ?, ?, ?, ?, ?) ${SUMMED('stage')}`,
    ...valuesOf(row),
  )
}

/** What these documents have cost goes over to nobody: rows move, sums stand. Those that still have a version keep theirs. */
export function unname(sql: Sql, documents: readonly string[]): void {
  for (const document of documents) {
    const rows = sql.all<Row>(
      'SELECT * FROM spending WHERE document = ? AND NOT EXISTS (SELECT 1 FROM revision WHERE revision.document = spending.document)',
      document,
    )
    for (const row of rows) {
      addToDocument(sql, NOBODY, row)
      sql.run('DELETE FROM spending WHERE document = ? AND stage = ?', document, row.stage)
    }
  }
}

/** By stage, in order; of one document, or in all. */
export function spentBy(sql: Pick<Sql, 'all'>, document?: string): Row[] {
  if (document === undefined) return sql.all<Row>('SELECT * FROM spending_total ORDER BY stage')
  return sql.all<Row>('SELECT stage, calls, read, written, embedded, usd FROM spending WHERE document = ? ORDER BY stage', document)
}

/** Documents that have cost anything, after an id, in order. */
export function documentsAfter(sql: Pick<Sql, 'all'>, after: string, limit: number): string[] {
  return sql
    .all<{ document: string }>('SELECT DISTINCT document FROM spending WHERE document > ? ORDER BY document LIMIT ?', after, limit)
    .map((row) => row.document)
}

const SUMMED = (key: string): string => `ON CONFLICT (${key}) DO UPDATE SET calls = calls + excluded.calls, read = read + excluded.read,
  written = written + excluded.written, embedded = embedded + excluded.embedded, usd = usd + excluded.usd`

const valuesOf = ({ stage, calls, read, written, embedded, usd }: Row) => [stage, calls, read, written, embedded, usd] as const
