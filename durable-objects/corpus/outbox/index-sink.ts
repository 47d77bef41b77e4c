/**
 * The vector index as a sink of the outbox. Vectors go in slices, read when their slice is sent, so that memory holds one. Each batch ends with a mark: the
 * corpus's own vector that carries the batch's number. Writes become visible in the order in which they were made, so when the mark is visible, everything
 * before it is. No clock is compared, and no other corpus's writes.
 */
import type { GraphReader } from '../../../src/core/graph/reader'
import { vectorizeLimits as limits } from '../../../src/platform-limits'
import type { VectorEntry, VectorIndex } from '../../../src/ports/vector-index'
import { questionsFirst } from '../../../src/question-precedence'
import { isBeingQueried } from '../query-load'
import type { CorpusContext } from '../store'
import { deleteMeta, hasMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import { lastSeq, type OutboxEntry, type OutboxRow } from '../tables/outbox'
import { deleteSentBatches, listSentBatches, noteSentAgain, oldestSentBatch, putSentBatch } from '../tables/sent'
import { INDEXED_KINDS, type IndexVector, indexChangesOf, indexIdsOf, indexKindOf } from './index-changes'
import { advanceVisible } from './nearest-unindexed'
import { cursorOf, nextBatch } from './outbox'
import { sliceSender } from './slice-sender'

export const MARKER = 'mark' // id and kind of the vector that says how far this corpus's writes are visible; no node has either
const PUTS = limits.safeUpsertVectors - 1 // vectors in a slice: the mark may follow them in one call
const READ_TOGETHER = 200 // entries
const NAMES = 1000 // ids from an earlier release searched for at a time
export const MARKER_PATIENCE = 600_000 // ms until a mark that does not become visible is sent again: the index may lose a write

/** Sends what is waiting until nothing is left or the time is up. What was sent is not sent again. */
export async function drainIndex(context: CorpusContext, index: VectorIndex, until: number): Promise<void> {
  while (context.now() < until) {
    if (isBeingQueried(context)) await questionsFirst.giveWay()
    const batch = nextBatch(context, cursorOf(context, 'index'))
    if (!batch) return
    await sendBatch(context, index, batch, until)
  }
}

/** Where the next slice begins: it identifies what a failure concerned. */
export function nextSliceStart(context: Pick<CorpusContext, 'sql'>): readonly [seq: number, entries: number] {
  const cursor = cursorOf(context, 'index')
  const [seq, entries] = readMeta(context.sql, metaKeys.indexSlice) ?? [-1, 0]
  return [cursor, seq === cursor ? entries : 0]
}

async function sendBatch(context: CorpusContext, index: VectorIndex, { seq, entries }: OutboxRow, until: number): Promise<void> {
  const { uid } = context.config
  const [cursor, begun] = nextSliceStart(context)
  const deliver = sliceSender(context, () => index.upsert(uid, [markerOf(context, cursor)]))
  const unnamed = readMeta(context.sql, metaKeys.unnamedVectors)
  let done = begun
  let any = begun > 0
  try {
    for (const slice of slicesOf(context.graph, entries, begun)) {
      if (done > begun && context.now() >= until) return
      if (unnamed !== undefined) await index.removeUnnamed(uid, slice.names)
      any ||= slice.puts.length + slice.drops.length > 0
      const mark = any && slice.done === entries.length ? [markerOf(context, seq)] : []
      await deliver.send(slice.drops, (ids) => index.remove(uid, ids))
      await deliver.send<VectorEntry>([...slice.puts, ...mark], (some) => index.upsert(uid, some))
      done = slice.done
      if (done < entries.length && isBeingQueried(context)) await questionsFirst.giveWay() // before the next is read
    }
  } finally {
    deliver.close()
    if (done > begun && done < entries.length) writeMeta(context.sql, metaKeys.indexSlice, [cursor, done])
  }
  context.atomically(() => {
    writeMeta(context.sql, metaKeys.cursors.index, seq)
    if (any) putSentBatch(context.sql, { seq, at: context.now() })
    if (seq >= Number(unnamed ?? Number.NaN)) deleteMeta(context.sql, metaKeys.unnamedVectors)
  })
}

/** Everything in the corpus is sent again up to the outbox's last entry: after that, the ids of an earlier release are gone. */
export function scheduleUnnamedRemoval(context: Pick<CorpusContext, 'sql'>): void {
  if (!hasMeta(context.sql, metaKeys.unnamedVectors)) return
  const last = lastSeq(context)
  if (cursorOf(context, 'index') < last) writeMeta(context.sql, metaKeys.unnamedVectors, String(last))
  else deleteMeta(context.sql, metaKeys.unnamedVectors)
}

interface Slice {
  readonly puts: readonly IndexVector[]
  readonly drops: readonly string[]
  /** What the entries name, under the ids that an earlier release may have written. */
  readonly names: readonly string[]
  /** Entries that are sent with this slice. */
  readonly done: number
}

/** Nodes to check for what the index should hold of them. */
function nodesRead(entries: readonly OutboxEntry[]): readonly string[] {
  return entries.flatMap((entry) => (entry[0] === 'n' && INDEXED_KINDS.has(indexKindOf(entry) ?? 'chunk') ? [entry[1]] : []))
}

/** One call of each sort at a time, with complete entries: only an entry whose vectors fit into no slice is sent in several, and counts with the last. */
function* slicesOf(graph: GraphReader, entries: readonly OutboxEntry[], begun: number): Generator<Slice> {
  let puts: IndexVector[] = []
  let drops: string[] = []
  let names: string[] = []
  const said = new Set<string>()
  for (let at = begun; at < entries.length; at++) {
    if ((at - begun) % READ_TOGETHER === 0) graph.preload?.({ nodes: nodesRead(entries.slice(at, at + READ_TOGETHER)) })
    const entry = entries[at] as OutboxEntry
    if (said.has(entry.join(' '))) continue
    said.add(entry.join(' '))
    const changes = indexChangesOf(graph, entry)
    if (puts.length + changes.puts.length > PUTS || drops.length + changes.drops.length > limits.maxDeleteIds || names.length > NAMES) {
      yield { puts, drops, names, done: at }
      puts = []
      drops = []
      names = []
    }
    puts.push(...changes.puts)
    drops.push(...changes.drops)
    names.push(...indexIdsOf(entry))
    while (puts.length > PUTS || drops.length > limits.maxDeleteIds) {
      yield { puts: puts.splice(0, PUTS), drops: drops.splice(0, limits.maxDeleteIds), names: [], done: at }
    }
  }
  yield { puts, drops, names, done: entries.length }
}

/** The index compares by direction and refuses no vector: any vector works, and its kind keeps it out of every answer. */
export function markerOf({ graph }: Pick<CorpusContext, 'graph'>, seq: number): VectorEntry {
  return { id: MARKER, kind: MARKER, layer: seq, vector: new Int8Array(graph.dimensions).fill(1, 0, 1) }
}

/** Since when something sent is not known to be visible; null: everything is. */
export function invisibleSince(context: Pick<CorpusContext, 'sql' | 'now'>): number | null {
  if (cursorOf(context, 'visible') >= cursorOf(context, 'index')) return null
  return oldestSentBatch(context.sql)?.at ?? context.now()
}

/** Asks the index up to where it shows our writes: the object itself searches what comes after that. */
export async function updateVisibility(context: CorpusContext, index: VectorIndex): Promise<void> {
  const sentUpTo = cursorOf(context, 'index')
  if (cursorOf(context, 'visible') >= sentUpTo) return
  const open = listSentBatches(context.sql)
  const last = open.at(-1)
  if (!last) {
    advanceVisible(context, sentUpTo) // none of it was for the index
    return
  }
  const [mark] = await index.fetch(context.config.uid, [MARKER])
  const shown = mark && mark.layer <= sentUpTo ? mark.layer : 0 // an object restored to an earlier moment may see a mark from its future
  const newest = open.findLast((one) => one.seq <= shown)
  if (newest) {
    context.atomically(() => {
      deleteSentBatches(context.sql, newest.seq)
      writeMeta(context.sql, metaKeys.indexDelay, context.now() - newest.at)
      advanceVisible(context, newest.seq === last.seq ? sentUpTo : newest.seq)
    })
  } else if (context.now() - last.at > MARKER_PATIENCE) {
    await index.upsert(context.config.uid, [markerOf(context, last.seq)])
    noteSentAgain(context.sql, { seq: last.seq, at: context.now() })
  }
}
