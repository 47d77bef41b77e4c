/**
 * The same store, with statements that name certain tables meaning others. Renaming the tables for the duration of each transaction would
 * have the same effect, but SQLite reads its whole schema at every renaming: 40 ms of processor time for ten of them. Statements name
 * tables only in a few ways (L251).
 */
import type { Bindable, Sql } from '../sql'

const beneath = new WeakMap<Sql, Sql>()

/** The store beneath a renaming one; undefined: it renames nothing. */
export const storeBeneath = (sql: Sql): Sql | undefined => beneath.get(sql)

/** `tables` are read and written under their name prefixed with `prefix`; all others stay unchanged. */
export function renamedTables(sql: Sql, tables: readonly string[], prefix: string): Sql {
  const naming = new RegExp(`\\b(FROM|JOIN|INTO|UPDATE|TABLE|TO)(\\s+)(${tables.join('|')})\\b`, 'g')
  const known = new Map<string, string>()
  const meant = (query: string): string => {
    const statement = known.get(query) ?? query.replace(naming, `$1$2${prefix}$3`)
    known.set(query, statement)
    return statement
  }
  const renaming: Sql = {
    all: <T>(query: string, ...bindings: Bindable[]) => sql.all<T>(meant(query), ...bindings),
    one: <T>(query: string, ...bindings: Bindable[]) => sql.one<T>(meant(query), ...bindings),
    run: (query, ...bindings) => sql.run(meant(query), ...bindings),
    exec: (query, ...bindings) => sql.exec(meant(query), ...bindings),
    size: sql.size,
    written: sql.written,
  }
  beneath.set(renaming, sql)
  return renaming
}
