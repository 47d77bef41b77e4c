/** The graph that came with a document's version (src/core/text/brought.ts), as it was sent. Separate from the version's row, which is read without it. All SQL on the table is here. */
import type { SentGraph } from '../../../src/core/text/brought'
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_BROUGHT = 'CREATE TABLE brought (revision INTEGER PRIMARY KEY, sent TEXT NOT NULL);'

export function insertBrought(sql: Sql, revision: number, sent: SentGraph | undefined): void {
  if (sent) sql.run('INSERT INTO brought (revision, sent) VALUES (?, ?)', revision, JSON.stringify(sent))
}

export function readBrought(sql: Sql, revision: number): SentGraph | undefined {
  const row = sql.one<{ sent: string }>('SELECT sent FROM brought WHERE revision = ?', revision)
  return row && (JSON.parse(row.sent) as SentGraph)
}

export function deleteBrought(sql: Sql, revision: number): void {
  sql.run('DELETE FROM brought WHERE revision = ?', revision)
}
