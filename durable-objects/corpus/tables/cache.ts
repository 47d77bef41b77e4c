/** Replies of models under the hash of what they were asked, and the nodes they were made from. All SQL on both tables stands here. */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_CACHE = `
  CREATE TABLE cache (input TEXT PRIMARY KEY, node TEXT NOT NULL, reply TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE cache_source (source TEXT NOT NULL, input TEXT NOT NULL, PRIMARY KEY (source, input)) WITHOUT ROWID;
`

export interface CachedReply {
  readonly input: string
  readonly node: string
  /** JSON. */
  readonly reply: string
}

export function putCachedReply(sql: Sql, { input, node, reply }: CachedReply, sources: readonly string[]): void {
  sql.run('INSERT OR REPLACE INTO cache (input, node, reply) VALUES (?, ?, ?)', input, node, reply)
  for (const source of sources) sql.run('INSERT OR IGNORE INTO cache_source (source, input) VALUES (?, ?)', source, input)
}

export function readCachedReply(sql: Sql, input: string): string | undefined {
  return sql.one<{ reply: string }>('SELECT reply FROM cache WHERE input = ?', input)?.reply
}

/** Every reply made from these nodes, and those made from what was made from them. */
export function deleteRepliesMadeFrom(sql: Sql, sources: readonly string[]): void {
  if (sources.length === 0) return
  const doomed = sql.all<{ input: string }>(
    `WITH RECURSIVE fallen (source) AS (
       SELECT value FROM json_each(?)
       UNION SELECT cache.node FROM fallen JOIN cache_source USING (source) JOIN cache USING (input)
     )
     SELECT DISTINCT cache_source.input FROM fallen JOIN cache_source USING (source)`,
    JSON.stringify(sources),
  )
  const inputs = JSON.stringify(doomed.map((row) => row.input))
  sql.run('DELETE FROM cache WHERE input IN (SELECT value FROM json_each(?))', inputs)
  sql.run('DELETE FROM cache_source WHERE source IN (SELECT value FROM json_each(?))', JSON.stringify(sources))
  sql.run('DELETE FROM cache_source WHERE input IN (SELECT value FROM json_each(?))', inputs)
}
