/** Which documents a caller's filter admits: metadata by (key, value), looked up, never scanned. */
import type { Json } from '../../../src/core/graph/types'
import type { Sql } from '../../sql'

/** Scalars, and scalars in lists, can be filtered by; deeper values are only returned. */
function pairs(metadata: { readonly [key: string]: Json }): [string, string][] {
  return Object.entries(metadata).flatMap(([key, value]) =>
    (Array.isArray(value) ? (value as readonly Json[]) : [value])
      .filter((one) => one === null || typeof one !== 'object')
      .map((one): [string, string] => [key, JSON.stringify(one)]),
  )
}

export function recordFacets(sql: Sql, document: string, metadata: string): void {
  each(sql, 'INSERT OR IGNORE INTO facet (key, value, document) SELECT value ->> 0, value ->> 1, ?1 FROM json_each(?2)', document, metadata)
}

/** `metadata` is what was recorded: rows are deleted by their key, not searched for. */
export function forgetFacets(sql: Sql, document: string, metadata: string): void {
  each(
    sql,
    'DELETE FROM facet WHERE (key, value, document) IN (SELECT value ->> 0, value ->> 1, ?1 FROM json_each(?2))',
    document,
    metadata,
  )
}

function each(sql: Sql, statement: string, document: string, metadata: string): void {
  const rows = pairs(JSON.parse(metadata) as { [key: string]: Json })
  if (rows.length > 0) sql.run(statement, document, JSON.stringify(rows))
}

export interface Filters {
  readonly document?: readonly string[]
  readonly metadata?: { readonly [key: string]: Json }
}

/** The documents admitted, or undefined where nothing is filtered. Keys are joined by AND, the values of a key by OR. */
export function admitted(sql: Sql, filters: Filters | undefined): Set<string> | undefined {
  if (!filters) return undefined
  let found: Set<string> | undefined = filters.document && new Set(filters.document)
  for (const [key, wanted] of Object.entries(filters.metadata ?? {})) {
    const values = (Array.isArray(wanted) ? (wanted as readonly Json[]) : [wanted]).map((one) => JSON.stringify(one))
    const rows = sql.all<{ document: string }>(
      'SELECT DISTINCT document FROM facet WHERE key = ? AND value IN (SELECT value FROM json_each(?))',
      key,
      JSON.stringify(values),
    )
    const here = new Set(rows.map((row) => row.document))
    found = found ? new Set([...found].filter((one) => here.has(one))) : here
  }
  return found
}
