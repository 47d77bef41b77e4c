/** Filters that questions call by name. All SQL on the table is here. */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. `filters`: JSON, as a question sends them. */
export const CREATE_SAVED_FILTER =
  'CREATE TABLE saved_filter (name TEXT PRIMARY KEY, filters TEXT NOT NULL, changed INTEGER NOT NULL) WITHOUT ROWID;'

export interface SavedFilterRow {
  readonly name: string
  readonly filters: string
  /** Milliseconds since 1970. */
  readonly changed: number
}

export function writeSavedFilter(sql: Sql, { name, filters, changed }: SavedFilterRow): void {
  sql.run('INSERT OR REPLACE INTO saved_filter (name, filters, changed) VALUES (?, ?, ?)', name, filters, changed)
}

export function readSavedFilter(sql: Sql, name: string): SavedFilterRow | undefined {
  return sql.one<SavedFilterRow>('SELECT * FROM saved_filter WHERE name = ?', name)
}

export function listSavedFilters(sql: Sql): SavedFilterRow[] {
  return sql.all<SavedFilterRow>('SELECT * FROM saved_filter ORDER BY name')
}

export function countSavedFilters(sql: Sql): number {
  return sql.one<{ n: number }>('SELECT count(*) AS n FROM saved_filter')?.n ?? 0
}

/** To a name that is free. */
export function renameSavedFilter(
  sql: Sql,
  { from, to, changed }: { readonly from: string; readonly to: string; readonly changed: number },
): void {
  sql.run('UPDATE saved_filter SET name = ?, changed = ? WHERE name = ?', to, changed, from)
}

export function deleteSavedFilter(sql: Sql, name: string): boolean {
  return sql.all('DELETE FROM saved_filter WHERE name = ? RETURNING 1 AS one', name).length > 0
}
