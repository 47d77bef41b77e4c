/**
 * What the sinks must be sent, in order. An entry names what changed; its current state is read when it is sent, so that sending twice, or late, is still
 * correct, and no entry contains text. One cursor per sink: when one sink is down, the other continues. Sending is in `drain.ts`, what each sink is sent in
 * a separate file.
 */
import { INDEXED_UNITS, NAME_VECTORS } from '../../../src/core/builders/entry-vectors'
import { SENSES, sensesOf } from '../../../src/core/builders/sense-list'
import type { Chunk } from '../../../src/core/graph/types'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta } from '../tables/meta'
import {
  deleteOutboxRows,
  insertOutboxEntries,
  lastSeq,
  newestOutboxVersion,
  nextOutboxRowOfVersion,
  nextOutboxRowUpToVersion,
  type OutboxEntry,
  type OutboxRow,
} from '../tables/outbox'
import { isComparing, recordDiffering } from './differing'
import type { Touched } from './touched'

const BATCH = 1000 // entries read at a time, about
const BATCH_ROWS = 50
const PUBLISHED_EDGES: ReadonlySet<string> = new Set(['relates', 'member', 'indicates', 'links'])

/** Records a commit's changes; returns the last entry's number. */
export function fillOutbox(
  context: CorpusContext,
  changes: readonly Touched[],
  version: number,
  removed: readonly { chunk: Chunk }[] = [],
): number {
  const all = entriesIn(context.graph, changes, removed)
  if (isComparing(context)) recordDiffering(context, all)
  return insertEntries(context, all, version)
}

/**
 * Has these sent to both sinks again, in their state at that time. While a change is being applied that readers do not see yet, these wait
 * for it too: an entry sent before an older one would move the cursor past it.
 */
export function resend(context: CorpusContext, entries: readonly OutboxEntry[]): void {
  insertEntries(context, entries, Math.max(context.graph.version, newestOutboxVersion(context.sql)))
}

/** Returns the last entry's number. */
function insertEntries(context: CorpusContext, entries: readonly OutboxEntry[], version: number): number {
  insertOutboxEntries(context.sql, version, entries)
  const seq = lastSeq(context)
  context.unindexed.note(context.graph, seq, entries)
  return seq
}

/** Each once: a chunk or node that is sent completely is not sent twice. */
export function entriesIn(
  graph: CorpusContext['graph'],
  changes: readonly Touched[],
  removed: readonly { chunk: Chunk }[] = [],
): OutboxEntry[] {
  const gone = new Map(removed.map(({ chunk }) => [chunk.id, chunk]))
  const entries = new Map<string, OutboxEntry>()
  for (const change of changes) for (const entry of entriesOf(graph, change, gone)) entries.set(entry.join(' '), entry)
  for (const [kind, id] of [...entries.values()]) {
    if (kind === 'c') entries.delete(`m ${id}`)
    if (kind === 'n') entries.delete(`s ${id}`)
  }
  return [...entries.values()]
}

function entriesOf(graph: CorpusContext['graph'], change: Touched, gone: ReadonlyMap<string, Chunk>): readonly OutboxEntry[] {
  switch (change.op) {
    case 'put-document':
      return [['d', change.document.id]]
    case 'drop-document':
      return [['d', change.id]]
    case 'put-chunk':
      return [['c', change.chunk.id, change.chunk.passages.length]]
    case 'drop-chunk':
      return [['c', change.id, gone.get(change.id)?.passages.length ?? 0]]
    case 'put-node':
      return [['n', change.node.id]]
    case 'drop-node':
      return [['n', change.id]]
    case 'put-edge':
      return edgeEntries(change.edge.kind, change.edge.source, change.edge.target)
    case 'drop-edge':
      return edgeEntries(change.kind, change.source, change.target)
    case 'put-value':
    case 'drop-value':
      return valueEntries(graph, change.space, change.key, gone)
    default:
      return [] // ordered indexes never leave the object
  }
}

function edgeEntries(kind: string, source: string, target: string): readonly OutboxEntry[] {
  return PUBLISHED_EDGES.has(kind) ? [['e', kind as 'relates', source, target]] : []
}

/** Most values never leave the object. */
function valueEntries(graph: CorpusContext['graph'], space: string, key: string, gone: ReadonlyMap<string, Chunk>): readonly OutboxEntry[] {
  if (space === SENSES) return bearerEntries(graph, key)
  if (space === INDEXED_UNITS) return [['u', key, (graph.chunk(key) ?? gone.get(key))?.units.length ?? 0]]
  return space === NAME_VECTORS ? [['v', key]] : []
}

/**
 * Whatever has the name now, and the name's own entity, which may be alone with it again. Anything else that had it has no mention left:
 * its node is dropped.
 */
function bearerEntries(graph: CorpusContext['graph'], name: string): readonly OutboxEntry[] {
  const ids = new Set([name, ...sensesOf(graph, name).map((one) => one.entity)])
  return [...ids].map((id) => ['s', id] as const)
}

/** The next rows after a cursor, about one call's worth; no more are read. What readers do not see yet is not sent. */
export function nextBatch(context: CorpusContext, cursor: number): OutboxRow | undefined {
  const entries: OutboxEntry[] = []
  let seq = cursor
  for (let rows = 0; rows < BATCH_ROWS && entries.length < BATCH; rows++) {
    const row = nextOutboxRowUpToVersion(context.sql, seq, context.graph.version)
    if (!row) break
    entries.push(...row.entries)
    seq = row.seq
  }
  return seq > cursor ? { seq, entries } : undefined
}

/** The entries of this version's commit, a row at a time. */
export function* batchesOfVersion({ sql }: Pick<CorpusContext, 'sql'>, version: number): Generator<OutboxRow> {
  for (let at = 0; ; ) {
    const row = nextOutboxRowOfVersion(sql, at, version)
    if (!row) return
    yield row
    at = row.seq
  }
}

/** The outbox's number up to which a sink has everything, the index shows everything, or removals are confirmed. */
export const cursorOf = (context: Pick<CorpusContext, 'sql'>, of: keyof typeof metaKeys.cursors): number =>
  readMeta(context.sql, metaKeys.cursors[of]) ?? 0

/** Rows that every sink has, that the index shows, and whose removals have been checked (confirm-removals.ts) are deleted. */
export function deleteSentRows(context: CorpusContext): void {
  const upto = Math.min(cursorOf(context, 'model'), cursorOf(context, 'confirmed'))
  if (upto > 0) deleteOutboxRows(context.sql, upto)
}

/** Rows not yet sent to both sinks. */
export function countUnsentRows(context: Pick<CorpusContext, 'sql'>): number {
  return Math.max(0, lastSeq(context) - Math.min(cursorOf(context, 'model'), cursorOf(context, 'index')))
}

/** Is there anything to send? A commit may have no entries; its version is sent anyway. */
export function hasUnsentChanges(context: Pick<CorpusContext, 'sql' | 'graph'>): boolean {
  return countUnsentRows(context) > 0 || (readMeta(context.sql, metaKeys.modelVersion) ?? 0) < context.graph.version
}
