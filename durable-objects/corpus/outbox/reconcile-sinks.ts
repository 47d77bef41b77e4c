/**
 * The sweep compares both sinks with the object's truth, a page at a time, once a day while a corpus changes: anything a sink has lost is
 * written, and anything surplus is removed, both by sending it again. It repairs what no failed call has announced: a mutation that was
 * accepted and lost, a database restored to an earlier moment, vectors set aside (slice-sender.ts).
 */
import type { ReadModel } from '../../../src/ports/read-model'
import type { VectorIndex } from '../../../src/ports/vector-index'
import type { CorpusContext } from '../store'
import type { Reconciliation } from '../tables/meta-values'
import { lastSeq, listOutboxRowsAfter, type OutboxEntry } from '../tables/outbox'
import { indexReconciler } from './index-reconciler'
import { scheduleUnnamedRemoval } from './index-sink'
import { modelReconciler } from './model-reconciler'
import { countUnsentRows, cursorOf, resend } from './outbox'
import type { Reconciler } from './reconciler'
import {
  countFindings,
  endReconciliation,
  keepReconciliation,
  lastReconciliation,
  nextReconciliationAt,
  nextSinkCheckAt,
  openReconciliation,
  postponeSinkCheck,
} from './reconciliation-state'

const PAUSE = 60_000 // ms until it continues if a sink is behind
const BEHIND = 64 // unsent rows of the outbox above which a sink is not compared with anything

interface Compared {
  readonly index: VectorIndex
  readonly readModel: ReadModel
}

/** Continues until the time is up or the sweep has ended. Must be called while nothing is being sent: only one drain runs at a time. */
export async function reconcileSinks(context: CorpusContext, sinks: Compared, until: number): Promise<void> {
  if (!lastReconciliation(context)) {
    endReconciliation(context, { seq: 0 }) // a new corpus is swept when it has changed for a day
    return
  }
  const [due, comparison] = [nextReconciliationAt(context), nextSinkCheckAt(context)]
  if (due === null || Math.max(due, comparison ?? 0) > context.now()) return
  const reconcilers = [indexReconciler(sinks.index), modelReconciler(sinks.readModel)]
  let sweep: Reconciliation | undefined = openReconciliation(context) ?? { sink: 'index', after: '', seq: lastSeq(context), notBefore: 0 }
  try {
    while (sweep && sweep.notBefore <= context.now() && context.now() < until && countUnsentRows(context) === 0) {
      const before: Reconciliation = sweep
      const at = reconcilers.findIndex((one) => one.sink === before.sink)
      sweep = await comparePage(context, reconcilers[at], before, reconcilers[at + 1])
      if (sweep) keepReconciliation(context, sweep)
    }
  } catch {
    postponeSinkCheck(context) // unknown is not an error
  }
}

/** One page; undefined when it was the last. */
async function comparePage(
  context: CorpusContext,
  reconciler: Reconciler | undefined,
  sweep: Reconciliation,
  following: Reconciler | undefined,
): Promise<Reconciliation | undefined> {
  if (!reconciler) {
    endSweep(context, sweep) // it concerns a sink of another release
    return undefined
  }
  const onTheirWay = namesAfter(context, cursorOf(context, reconciler.sink === 'index' ? 'visible' : 'model'))
  if (!onTheirWay) return { ...sweep, notBefore: context.now() + PAUSE }
  const look = await reconciler.compare(context, sweep.after, (entry) => onTheirWay.has(nameOf(entry)))
  let { own } = sweep
  context.atomically(() => {
    const before = lastSeq(context)
    countFindings(context, reconciler.sink, { missing: look.missing.length, foreign: look.foreign.length })
    const again = [...look.missing, ...look.foreign]
    if (again.length === 0) return
    resend(context, again)
    if (before === (own ?? sweep.seq)) own = lastSeq(context)
  })
  const next = { ...sweep, ...(own === undefined ? {} : { own }), notBefore: 0 }
  if (look.next !== null) return { ...next, after: look.next }
  if (following) return { ...next, sink: following.sink, after: '' }
  endSweep(context, next)
  return undefined
}

function endSweep(context: CorpusContext, sweep: Reconciliation): void {
  context.atomically(() => {
    scheduleUnnamedRemoval(context) // vectors that an earlier release wrote under other ids were missing under their own
    endReconciliation(context, sweep)
  })
}

/** What a sink has not been sent, or does not show; undefined if that is too much to list. */
function namesAfter(context: CorpusContext, cursor: number): ReadonlySet<string> | undefined {
  const rows = listOutboxRowsAfter(context.sql, cursor, BEHIND + 1)
  if (rows.length > BEHIND) return undefined
  return new Set(rows.flatMap((row) => row.entries.map(nameOf)))
}

/** A chunk and what it mentions, or a node and its bearer, are one row. */
function nameOf(entry: OutboxEntry): string {
  return entry[0] === 'e' ? entry.join(' ') : `${entry[0] === 'd' ? 'd ' : ''}${entry[1]}`
}
