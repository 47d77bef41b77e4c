/**
 * Refuses locally what the object's storage refuses in production but not locally: strings and blobs beyond the platform's size, more bound
 * values than a statement accepts. It also sets two bounds of our own: a transaction that writes, or a result that contains, more rows than
 * a part of a large change needs is work that was not divided. Rows are counted, not seconds: a busy machine is slow, but counts the same
 * rows. Tests and `npm start` put it in front of the storage (`STRICT_STORAGE`); in production the storage itself refuses.
 */
import { objectLimits } from '../src/platform-limits'
import type { SqlSource } from './sql'

export const strictLimits = {
  maxRowsWritten: 120_000, // by one transaction, including those of indexes: a part of 128 chunks with every strategy on writes up to 60,000
  maxRowsRead: 20_000, // by one statement
} as const

export interface Strict {
  readonly source: SqlSource
  /** Counts what this one transaction writes; a nested one is part of it. */
  readonly transaction: <T>(work: () => T) => T
}

export function strict(
  source: SqlSource,
  { maxRowsWritten, maxRowsRead }: { maxRowsWritten: number; maxRowsRead: number } = strictLimits,
): Strict {
  let depth = 0
  let written = 0
  const exec: SqlSource['exec'] = (query, ...bindings) => {
    if (bindings.length > objectLimits.maxBoundParameters) throw new Error(`too many SQL variables at offset ${query.length}: SQLITE_ERROR`)
    if (bindings.some(isTooBig)) throw new Error('string or blob too big: SQLITE_TOOBIG')
    const cursor = source.exec(query, ...bindings)
    const { rowsWritten } = cursor
    written += rowsWritten
    if (depth > 0 && written > maxRowsWritten) throw new Error(`storage: a transaction writes more than ${maxRowsWritten} rows`)
    return {
      rowsWritten,
      toArray() {
        const rows = cursor.toArray()
        if (rows.length > maxRowsRead) throw new Error(`storage: ${rows.length} rows in one answer, of at most ${maxRowsRead}: ${query}`)
        return rows
      },
    }
  }
  return {
    source: {
      exec,
      get databaseSize() {
        return source.databaseSize ?? 0
      },
    },
    transaction(work) {
      if (depth === 0) written = 0
      depth++
      try {
        return work()
      } finally {
        depth--
      }
    },
  }
}

function isTooBig(value: unknown): boolean {
  if (typeof value === 'string') {
    if (3 * value.length <= objectLimits.maxRowBytes) return false
    return value.length > objectLimits.maxRowBytes || new TextEncoder().encode(value).length > objectLimits.maxRowBytes
  }
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength > objectLimits.maxRowBytes : false
}
