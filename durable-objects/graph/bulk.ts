/** Many rows in few statements: rows travel as one JSON parameter, in slices well under SQLite's 2 MB for a value. */
import type { Sql } from '../sql'

const SLICE = 400_000 // UTF-16 code units of JSON in one statement; at most three bytes each

/** Runs the statement for slices of the rows; its first parameter is a JSON array of them. */
export function bulk(sql: Sql, statement: string, rows: readonly unknown[]): void {
  let slice: string[] = []
  let size = 0
  const flush = (): void => {
    if (slice.length > 0) sql.run(statement, `[${slice.join(',')}]`)
    slice = []
    size = 0
  }
  for (const row of rows) {
    const text = JSON.stringify(row)
    if (size + text.length > SLICE) flush()
    slice.push(text)
    size += text.length + 1
  }
  flush()
}

/** A LIMIT that SQLite accepts. */
export function limited(limit: number | undefined): number {
  return limit === undefined || limit > 2 ** 31 ? -1 : Math.max(0, Math.floor(limit))
}
