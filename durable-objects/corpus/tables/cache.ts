/** Replies of models under the hash of their prompt, and the nodes they were made from. All SQL on both tables is here. */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_CACHE = `
  CREATE TABLE cache (input TEXT PRIMARY KEY, node TEXT NOT NULL, reply TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE cache_source (source TEXT NOT NULL, input TEXT NOT NULL, PRIMARY KEY (source, input)) WITHOUT ROWID;
`
/** For an extraction: its builder, and the version of the prompts it was asked with. Empty: stored before versions were recorded. */
export const ADD_CACHE_PROMPTS = `
  ALTER TABLE cache ADD COLUMN builder TEXT;
  ALTER TABLE cache ADD COLUMN prompts TEXT;
  UPDATE cache SET prompts = '', builder = CASE json_array_length(reply, '$.extraction.units') WHEN 0 THEN 'knowledge' ELSE 'cluerag' END
    WHERE json_extract(reply, '$.kind') = 'extract';
  CREATE INDEX cache_prompts ON cache (prompts) WHERE prompts IS NOT NULL;
`

/** By builder, since the prompts of a single one may change. */
export const INDEX_PROMPTS_BY_BUILDER = `
  DROP INDEX cache_prompts;
  CREATE INDEX cache_prompts ON cache (builder, prompts) WHERE prompts IS NOT NULL;
`

export interface CachedReply {
  readonly input: string
  readonly node: string
  /** JSON. */
  readonly reply: string
  readonly extracted?: { readonly builder: string; readonly prompts: string } | undefined
}

export function putCachedReply(sql: Sql, { input, node, reply, extracted }: CachedReply, sources: readonly string[]): void {
  const row = [input, node, reply, extracted?.builder ?? null, extracted?.prompts ?? null]
  sql.run('INSERT OR REPLACE INTO cache (input, node, reply, builder, prompts) VALUES (?, ?, ?, ?, ?)', ...row)
  for (const source of sources) sql.run('INSERT OR IGNORE INTO cache_source (source, input) VALUES (?, ?)', source, input)
}

export function readCachedReply(sql: Sql, input: string): string | undefined {
  return sql.one<{ reply: string }>('SELECT reply FROM cache WHERE input = ?', input)?.reply
}

/** The version of the prompts that this very reply was asked with. */
export function readPromptsOf(sql: Sql, input: string, reply: string): string | undefined {
  const query = 'SELECT prompts FROM cache WHERE input = ? AND reply = ?'
  return sql.one<{ prompts: string | null }>(query, input, reply)?.prompts ?? undefined
}

export interface KeptExtraction {
  readonly input: string
  readonly node: string
  readonly builder: string
}

/** Builders, each with the version of its prompts. */
export type PromptVersions = readonly (readonly [builder: string, prompts: string])[]

/** Extractions that were requested with other prompts than these. */
export function listOutdatedExtractions(sql: Sql, versions: PromptVersions, limit: number): KeptExtraction[] {
  const found: KeptExtraction[] = []
  const columns = 'SELECT input, node, builder FROM cache WHERE builder = ? AND prompts'
  for (const [builder, prompts] of versions) {
    if (found.length >= limit) break
    const query = `${columns} < ? UNION ALL ${columns} > ? LIMIT ?`
    found.push(...sql.all<KeptExtraction>(query, builder, prompts, builder, prompts, limit - found.length))
  }
  return found
}

/** Counted up to `max`. */
export function countOutdatedExtractions(sql: Sql, versions: PromptVersions, max: number): number {
  const outdated = 'SELECT 1 FROM cache WHERE builder = ? AND prompts'
  const query = `SELECT count(*) AS n FROM (${outdated} < ? UNION ALL ${outdated} > ? LIMIT ?)`
  let n = 0
  for (const [builder, prompts] of versions)
    if (n < max) n += sql.one<{ n: number }>(query, builder, prompts, builder, prompts, max - n)?.n ?? 0
  return n
}

export function setExtractionPrompts(sql: Sql, input: string, prompts: string): void {
  sql.run('UPDATE cache SET prompts = ? WHERE input = ? AND prompts IS NOT NULL', prompts, input)
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
