/**
 * Vectors that the index may not show yet, compared by the object itself: the latest from memory (unindexed-vectors.ts), earlier ones from
 * the rows that the outbox names, up to a limit. The rest is found by words, and the answer says that the index is behind.
 */
import type { Hit, Vector } from '../../../src/core/graph/types'
import { dot, norm } from '../../../src/core/vectors'
import type { CorpusContext } from '../store'
import { metaKeys, writeMeta } from '../tables/meta'
import { MAX_ROW_ENTRIES, type OutboxEntry, type OutboxRow, previousOutboxRow } from '../tables/outbox'
import { type IndexedKind, indexChangesOf, indexKindOf } from './index-changes'
import { cursorOf } from './outbox'
import { MAX_BYTES } from './unindexed-vectors'

export const MAX_COMPARED = 20_000 // vectors a question may read from rows: about 20 MB, a fifth of a second (bench/vector-index.ts)
const MAX_ROWS = 64 // of the outbox that a question reads
const FILL = 4 * 1024 * 1024 // bytes of vectors that one question brings into memory after the object has woken

/** How many vectors a question may still read from rows, and whether it had to leave some out. */
export interface ReadAllowance {
  left: number
  isExceeded: boolean
}

export const newReadAllowance = (): ReadAllowance => ({ left: MAX_COMPARED, isExceeded: false })

interface NearestRequest {
  readonly kind: IndexedKind
  readonly vector: Vector
  readonly k: number
  /** Absent: all may be shown. Checked for the nearest first, until there are `k`. */
  readonly admits?: (id: string) => boolean
}

/** The nearest of a kind among those that the index may not show, best first, then by id. */
export function nearestUnindexed(
  context: CorpusContext,
  { kind, vector, k, admits }: NearestRequest,
  allowed: ReadAllowance,
): readonly Hit[] {
  fillMemory(context)
  const length = norm(vector) || 1
  const hits: Hit[] = []
  for (const one of context.unindexed.of(kind)) hits.push({ id: one.id, score: dot(vector, one.vector) / length / one.length })
  for (const { id, vector: other } of vectorsFromRows(context, kind, allowed)) {
    hits.push({ id, score: dot(vector, other) / length / (norm(other) || 1) })
  }
  hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
  return takeAdmitted(hits, k, admits)
}

/** Each once: one that memory dropped while rows were read may have been found in both, with the same score. */
function takeAdmitted(hits: readonly Hit[], k: number, admits: NearestRequest['admits']): readonly Hit[] {
  const out: Hit[] = []
  for (const [at, hit] of hits.entries()) {
    if (out.length >= k) break
    if (hit.id !== hits[at - 1]?.id && (!admits || admits(hit.id))) out.push(hit)
  }
  return out
}

/**
 * Loads rows of the outbox into memory, newest first, while there is room: a slice at a time, so that no question waits for all of them.
 */
function fillMemory(context: CorpusContext): void {
  const { unindexed, graph } = context
  for (let filled = 0; filled < FILL && unindexed.bytes < MAX_BYTES / 2; ) {
    const row = newestRow(context, unindexed.floor)
    if (!row || row.entries.length > MAX_ROW_ENTRIES) return
    const before = unindexed.bytes
    if (!unindexed.extend(graph, row.seq, row.entries)) return
    filled += unindexed.bytes - before
  }
}

/** What memory does not hold, newest first. */
function* vectorsFromRows(
  context: CorpusContext,
  kind: IndexedKind,
  allowed: ReadAllowance,
): Generator<{ readonly id: string; readonly vector: Vector }> {
  const { unindexed, graph } = context
  const said = new Set<string>()
  for (const entry of entriesNotInMemory(context, allowed)) {
    if (indexKindOf(entry) !== kind || said.has(entry[1])) continue
    said.add(entry[1])
    for (const one of indexChangesOf(graph, entry).puts) {
      if (unindexed.has(one.id)) continue
      if (allowed.left <= 0) {
        allowed.isExceeded = true
        return
      }
      allowed.left--
      yield one
    }
  }
}

function* entriesNotInMemory(context: CorpusContext, allowed: ReadAllowance): Generator<OutboxEntry> {
  let from = context.unindexed.floor
  for (let rows = 0; ; rows++) {
    const row = newestRow(context, from)
    if (!row) return
    if (rows >= MAX_ROWS) {
      allowed.isExceeded = true
      return
    }
    yield* row.entries
    from = row.seq - 1
  }
}

/** The newest entries up to a number that the index may not show. */
function newestRow(context: CorpusContext, upto: number): OutboxRow | undefined {
  return previousOutboxRow(context.sql, upto, cursorOf(context, 'visible'))
}

export function advanceVisible(context: CorpusContext, seq: number): void {
  if (seq <= cursorOf(context, 'visible')) return
  writeMeta(context.sql, metaKeys.cursors.visible, seq)
  context.unindexed.forget(seq)
}
