/** Dates of served documents, as far as they have any: milliseconds since 1970, and the form in which they are shown. All SQL on the table is here. */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_DATED = `
  CREATE TABLE dated (document TEXT PRIMARY KEY, published INTEGER, valid_from INTEGER, valid_until INTEGER, dates TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX dated_published ON dated (published) WHERE published IS NOT NULL;
`

/** A step of `schema.ts`. */
export const INDEX_DATED_BORDERS = `
  CREATE INDEX dated_from ON dated (valid_from) WHERE valid_from IS NOT NULL;
  CREATE INDEX dated_until ON dated (valid_until) WHERE valid_until IS NOT NULL;
`

export interface Dated {
  readonly document: string
  readonly published: number | null
  readonly valid_from: number | null
  readonly valid_until: number | null
  /** JSON. */
  readonly dates: string
}

export function insertDated(sql: Sql, { document, published, valid_from, valid_until, dates }: Dated): void {
  const insert = 'INSERT OR REPLACE INTO dated (document, published, valid_from, valid_until, dates) VALUES (?, ?, ?, ?, ?)'
  sql.run(insert, document, published, valid_from, valid_until, dates)
}

export function deleteDated(sql: Sql, document: string): void {
  sql.run('DELETE FROM dated WHERE document = ?', document)
}

export function readDated(sql: Sql, document: string): Dated | undefined {
  return sql.one<Dated>('SELECT * FROM dated WHERE document = ?', document)
}

export function listDated(sql: Sql, documents: readonly string[]): Dated[] {
  return sql.all<Dated>('SELECT * FROM dated WHERE document IN (SELECT value FROM json_each(?))', JSON.stringify(documents))
}

/** Documents published within these bounds, at most so many. */
export function listPublished(sql: Sql, since: number, until: number, limit: number): string[] {
  const statement = 'SELECT document FROM dated WHERE published IS NOT NULL AND published BETWEEN ? AND ? LIMIT ?'
  return sql.all<{ document: string }>(statement, since, until, limit).map((row) => row.document)
}

/** Has a document come into force after the first time and until the second, or gone out of it? */
export function hasBorder(sql: Sql, since: number, now: number): boolean {
  const from = 'SELECT 1 FROM dated WHERE valid_from IS NOT NULL AND valid_from > ? AND valid_from <= ?'
  const until = 'SELECT 1 FROM dated WHERE valid_until IS NOT NULL AND valid_until >= ? AND valid_until < ?'
  return sql.one<{ has: number }>(`SELECT EXISTS (${from}) OR EXISTS (${until}) AS has`, since, now, since, now)?.has === 1
}
