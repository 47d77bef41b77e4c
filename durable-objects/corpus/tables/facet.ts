/** Metadata that documents can be filtered by: one row for each key and value of a served document. All SQL on the table is here. */
import { type Bounds, bounds } from '../../../src/core/condition'
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_FACET =
  'CREATE TABLE facet (key TEXT NOT NULL, value TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (key, value, document)) WITHOUT ROWID;'

/** A key and a value as JSON. */
export type Facet = readonly [key: string, value: string]

export function insertFacets(sql: Sql, document: string, facets: readonly Facet[]): void {
  if (facets.length === 0) return
  const rows = JSON.stringify(facets)
  sql.run('INSERT OR IGNORE INTO facet (key, value, document) SELECT value ->> 0, value ->> 1, ?1 FROM json_each(?2)', document, rows)
}

/** They are deleted by their key, not searched for. */
export function deleteFacets(sql: Sql, document: string, facets: readonly Facet[]): void {
  if (facets.length === 0) return
  sql.run(
    'DELETE FROM facet WHERE (key, value, document) IN (SELECT value ->> 0, value ->> 1, ?1 FROM json_each(?2))',
    document,
    JSON.stringify(facets),
  )
}

/** Documents whose key has one of these values. */
export function listDocumentsWith(sql: Sql, key: string, values: readonly string[]): string[] {
  return sql
    .all<{ document: string }>(
      'SELECT DISTINCT document FROM facet WHERE key = ? AND value IN (SELECT value FROM json_each(?))',
      key,
      JSON.stringify(values),
    )
    .map((row) => row.document)
}

const SIGNS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

/** Documents whose key has a value within these bounds. Reads a row for each document that has the key, and for each value in a list. */
export function listDocumentsWithin(sql: Sql, key: string, within: Bounds): string[] {
  const set = bounds.flatMap((name) => {
    const limit = within[name]
    return limit === undefined ? [] : [{ sign: SIGNS[name], limit }]
  })
  const type = typeof set[0]?.limit === 'number' ? "json_type(value) IN ('integer', 'real')" : "json_type(value) = 'text'"
  const where = ['key = ?', type, ...set.map(({ sign }) => `value ->> '$' ${sign} ?`)].join(' AND ')
  const rows = sql.all<{ document: string }>(`SELECT DISTINCT document FROM facet WHERE ${where}`, key, ...set.map(({ limit }) => limit))
  return rows.map((row) => row.document)
}
