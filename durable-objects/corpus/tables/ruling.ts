/** In the object of a corpus in partitions: decisions about names, and deletions by sources, that a partition has yet to be told. All SQL on the table is here. */
import type { Ruling, RulingBody } from '../../../src/ports/deciding'
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_RULING = `
  CREATE TABLE ruling (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    what TEXT NOT NULL,              -- made, undone
    decision TEXT NOT NULL
  );
`

/** What was decided, or is gone, is in the column `decision`. */
export function insertRuling(sql: Sql, { what, ...body }: RulingBody): void {
  sql.run('INSERT INTO ruling (what, decision) VALUES (?, ?)', what, JSON.stringify(body))
}

/** After a number, in order. */
export function listRulings(sql: Sql, after: number, limit: number): Ruling[] {
  const rows = sql.all<{ n: number; what: Ruling['what']; decision: string }>(
    'SELECT n, what, decision FROM ruling WHERE n > ? ORDER BY n LIMIT ?',
    after,
    limit,
  )
  return rows.map(({ n, what, decision }) => ({ n, what, ...JSON.parse(decision) }))
}

/** 0: every partition has been told everything. */
export const lastRuling = (sql: Sql): number => sql.one<{ n: number | null }>('SELECT max(n) AS n FROM ruling')?.n ?? 0

export function deleteRulingsUpTo(sql: Sql, n: number): void {
  sql.run('DELETE FROM ruling WHERE n <= ?', n)
}
