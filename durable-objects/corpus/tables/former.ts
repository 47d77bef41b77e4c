/**
 * Ids under which an index that is no longer the corpus's, or will not become it, may hold something of it: those of nodes that no table
 * lists any more. They are deleted with the vectors. All SQL on the table is here.
 */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_FORMER = 'CREATE TABLE former (id TEXT PRIMARY KEY) WITHOUT ROWID;'

export function insertFormer(sql: Sql, ids: readonly string[]): void {
  sql.run('INSERT OR IGNORE INTO former SELECT value FROM json_each(?)', JSON.stringify(ids))
}

/** Every node with its own vector, and every entity whose name has one, in a graph whose tables have these names. */
export function insertFormerNodes(sql: Sql, nodes: string, values: string, names: string): void {
  sql.run(`INSERT OR IGNORE INTO former SELECT id FROM ${nodes} WHERE vector IS NOT NULL`)
  sql.run(`INSERT OR IGNORE INTO former SELECT key FROM ${values} WHERE space = ?`, names)
}

export function listFormerAfter(sql: Sql, after: string, limit: number): string[] {
  return sql.all<{ id: string }>('SELECT id FROM former WHERE id > ? ORDER BY id LIMIT ?', after, limit).map((row) => row.id)
}

export function deleteAllFormer(sql: Sql): void {
  sql.run('DELETE FROM former')
}
