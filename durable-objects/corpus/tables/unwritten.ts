/**
 * Nodes whose texts were extracted because the text model was unavailable (indexing/pending-rewrites.ts). The names of builders of the
 * graph being derived again begin with a prefix. All SQL on the table is here.
 */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_UNWRITTEN = `
  CREATE TABLE unwritten (builder TEXT NOT NULL, node TEXT NOT NULL, PRIMARY KEY (builder, node)) WITHOUT ROWID;
  CREATE INDEX unwritten_node ON unwritten (node);
`

export interface UnwrittenRow {
  readonly builder: string
  readonly node: string
}

const HAS_PREFIX = '(substr(builder, 1, length(?)) = ?)'

export function insertUnwritten(sql: Sql, { builder, node }: UnwrittenRow): void {
  sql.run('INSERT OR IGNORE INTO unwritten (builder, node) VALUES (?, ?)', builder, node)
}

export function hasUnwritten(sql: Sql): boolean {
  return sql.one('SELECT 1 FROM unwritten LIMIT 1') !== undefined
}

export function listUnwritten(sql: Sql, limit: number): UnwrittenRow[] {
  return sql.all<UnwrittenRow>('SELECT builder, node FROM unwritten LIMIT ?', limit)
}

/** Those of builders without the prefix, counted up to `max`. */
export function countUnwrittenWithout(sql: Sql, prefix: string, max: number): number {
  const rows = `SELECT 1 FROM unwritten WHERE NOT ${HAS_PREFIX} LIMIT ?`
  return sql.one<{ n: number }>(`SELECT count(*) AS n FROM (${rows})`, prefix, prefix, max)?.n ?? 0
}

export function deleteUnwritten(sql: Sql, builder: string, nodes: readonly string[]): void {
  sql.run('DELETE FROM unwritten WHERE builder = ? AND node IN (SELECT value FROM json_each(?))', builder, JSON.stringify(nodes))
}

export function deleteAllUnwritten(sql: Sql): void {
  sql.run('DELETE FROM unwritten')
}

/** These nodes, for all builders with the prefix, or for all without. */
export function deleteUnwrittenNodes(sql: Sql, nodes: readonly string[], prefix: string, isWith: boolean): void {
  const query = `DELETE FROM unwritten WHERE node IN (SELECT value FROM json_each(?)) AND ${HAS_PREFIX} = ?`
  sql.run(query, JSON.stringify(nodes), prefix, prefix, Number(isWith))
}

export function deleteUnwrittenWith(sql: Sql, prefix: string): void {
  sql.run(`DELETE FROM unwritten WHERE ${HAS_PREFIX}`, prefix, prefix)
}

/** Builders with the prefix replace those without. */
export function replaceUnwrittenByPrefixed(sql: Sql, prefix: string): void {
  sql.run(`DELETE FROM unwritten WHERE NOT ${HAS_PREFIX}`, prefix, prefix)
  sql.run('UPDATE unwritten SET builder = substr(builder, ?)', prefix.length + 1)
}
