/** Node's SQLite in the shape of an object's storage: each statement is prepared once, blobs are ArrayBuffers. */
import { createRequire } from 'node:module'
import { counted, type Sql, type SqlSource } from '../durable-objects/sql'

interface Row {
  [column: string]: unknown
}

export interface SqliteStatement {
  all(...bindings: unknown[]): Row[]
  run(...bindings: unknown[]): { changes: number | bigint }
}

export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement
  exec(sql: string): void
  close(): void
}

export function openDatabase(path = ':memory:'): SqliteDatabase {
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as { DatabaseSync: new (path: string) => SqliteDatabase }
  return new DatabaseSync(path)
}

export interface Prepared {
  readonly statement: SqliteStatement
  /** It answers with rows. */
  readonly isRead: boolean
}

export type Prepare = (query: string) => Prepared

/** Prepares a statement when it is first met. SQLite itself prepares it anew when a table has changed since. */
export function preparing(db: SqliteDatabase): Prepare {
  const known = new Map<string, Prepared>()
  return (query) => {
    let one = known.get(query)
    if (!one) {
      one = { statement: db.prepare(query), isRead: /^\s*(select|with|pragma|explain)|returning/i.test(query) }
      known.set(query, one)
    }
    return one
  }
}

/** `wrote` runs after every statement that answers with no rows. */
export function sqliteSource(db: SqliteDatabase, prepared = preparing(db), wrote = (): void => {}): SqlSource {
  const none = { toArray: () => [], rowsWritten: 0 }
  return {
    exec(query, ...bindings) {
      if (bindings.length === 0 && query.includes(';')) {
        db.exec(query)
        return none
      }
      const { statement, isRead } = prepared(query)
      const bound = bindings.map((one) => (one instanceof ArrayBuffer ? new Uint8Array(one) : one))
      if (isRead) {
        const rows = statement.all(...bound).map(withBuffers)
        return { toArray: () => rows, rowsWritten: 0 }
      }
      const { changes } = statement.run(...bound)
      wrote()
      return { toArray: () => [], rowsWritten: Number(changes) }
    },
  }
}

export function memorySql(): Sql {
  return counted(sqliteSource(openDatabase()))
}

function withBuffers(row: Row): Row {
  const out: Row = {} // as fast to read as the platform's rows: those of node:sqlite are dictionaries
  for (const column in row) {
    const value = row[column]
    out[column] = value instanceof Uint8Array ? value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength) : value
  }
  return out
}
