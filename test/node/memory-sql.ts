/** SQLite in memory, as an object sees its own. */
import { createRequire } from 'node:module'
import { counted, type Sql } from '../../durable-objects/sql'

interface Statement {
  all(...bindings: unknown[]): object[]
  run(...bindings: unknown[]): { changes: number | bigint }
}

export function memorySql(): Sql {
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as {
    DatabaseSync: new (path: string) => { prepare(sql: string): Statement; exec(sql: string): void }
  }
  const db = new DatabaseSync(':memory:')
  return counted({
    exec(query, ...bindings) {
      if (/^\s*select/i.test(query)) {
        const rows = db.prepare(query).all(...bindings)
        return { toArray: () => rows, rowsWritten: 0 }
      }
      if (/^\s*create/i.test(query)) {
        db.exec(query)
        return { toArray: () => [], rowsWritten: 0 }
      }
      const { changes } = db.prepare(query).run(...bindings)
      return { toArray: () => [], rowsWritten: Number(changes) }
    },
  })
}
