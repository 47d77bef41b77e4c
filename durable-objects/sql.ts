/** The little that we need of the object's SQLite, and a count of what it writes: rows written are what storage costs. */

export type Bindable = string | number | null | ArrayBuffer | Uint8Array

/** Structurally `ctx.storage.sql`. */
export interface SqlSource {
  /** The size of the database in bytes. Absent: unknown, taken as 0. */
  readonly databaseSize?: number
  exec(query: string, ...bindings: unknown[]): { toArray(): unknown[]; readonly rowsWritten: number }
}

export interface Sql {
  /** Every row of the result. `T` is trusted: the statement is right next to it. */
  all<T>(query: string, ...bindings: Bindable[]): T[]
  one<T>(query: string, ...bindings: Bindable[]): T | undefined
  run(query: string, ...bindings: Bindable[]): void
  /** For readers that want the cursor itself; counted like the rest. */
  exec(query: string, ...bindings: unknown[]): { toArray(): unknown[]; readonly rowsWritten: number }
  /** Bytes the database holds. */
  size(): number
  /** Rows written since the object woke, including those of indexes. */
  written(): number
}

export function counted(source: SqlSource): Sql {
  let written = 0
  const exec: Sql['exec'] = (query, ...bindings) => {
    const cursor = source.exec(query, ...bindings)
    written += cursor.rowsWritten
    return cursor
  }
  const all = <T>(query: string, ...bindings: Bindable[]): T[] => exec(query, ...bindings).toArray() as T[]
  return {
    exec,
    all,
    one: <T>(query: string, ...bindings: Bindable[]) => all<T>(query, ...bindings)[0],
    run: (query, ...bindings) => {
      exec(query, ...bindings)
    },
    size: () => source.databaseSize ?? 0,
    written: () => written,
  }
}
