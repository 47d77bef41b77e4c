/**
 * Receipts of a partitioned corpus: each partition has a chain of its own, and they are listed one after the other. The corpus's state is
 * the sum of the partitions' states, as its version is the sum of their versions.
 */
import type { Page } from '../../contract/pages'
import type { CommitReceipt } from '../../contract/receipts'
import type { Divided } from './part'

interface Place {
  readonly part: number
  /** The last version listed of it. */
  readonly version: number
  /** Where each chain begins. */
  readonly after: number
}

/**
 * Oldest first in each partition. `cursor`: a version, after which each chain begins, or a place. `only`: the one partition whose chain
 * is listed. A page ends with a chain.
 */
export async function receipts(parts: Divided['parts'], cursor: string | null, limit: number, only?: number): Promise<Page<CommitReceipt>> {
  const { part, version, after } = placeIn(cursor, only ?? 0)
  const object = parts[part]
  if (!object) return { data: [], next_cursor: null }
  const { data, next_cursor } = await object.receipts(String(version), limit)
  const next: Place | null =
    next_cursor !== null
      ? { part, version: Number(next_cursor), after }
      : only === undefined && part + 1 < parts.length
        ? { part: part + 1, version: after, after }
        : null
  return {
    data: data.map((one) => ({ ...one, partition: part })),
    next_cursor: next && `${next.part}:${next.version}:${next.after}`,
  }
}

/** Anything that is no place begins with the first chain. */
function placeIn(cursor: string | null, first: number): Place {
  const [a, b, c] =
    /^(\d+):(\d+):(\d+)$/
      .exec(cursor ?? '')
      ?.slice(1)
      .map(Number) ?? []
  if (a !== undefined && b !== undefined && c !== undefined) return { part: a, version: b, after: c }
  const after = /^\d+$/.test(cursor ?? '') ? Number(cursor) : 0
  return { part: first, version: after, after }
}
