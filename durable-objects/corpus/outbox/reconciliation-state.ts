/** Where the sweep is, when it is due, and what sweeps have found, for the health report. */
import type { CorpusContext } from '../store'
import { deleteMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { LastReconciliation, Reconciliation, SinkFindings } from '../tables/meta-values'
import { lastSeq } from '../tables/outbox'
import { cursorOf } from './outbox'
import type { SinkName } from './reconciler'

const SWEEP_PAUSE = 86_400_000 // ms between two sweeps of a corpus that changes. An unchanged one is swept once, and again only for missing items: after twice as long each time
const MAX_RESENDS = 6 // sweeps of a corpus in which nothing has changed except what earlier sweeps sent again: those items themselves are refused by a sink
const RETRY_PAUSE = 300_000 // ms until a sink that could not be checked is checked again

export function openReconciliation(context: Pick<CorpusContext, 'sql'>): Reconciliation | undefined {
  return readMeta(context.sql, metaKeys.reconciliation)
}

export function keepReconciliation(context: Pick<CorpusContext, 'sql'>, sweep: Reconciliation): void {
  writeMeta(context.sql, metaKeys.reconciliation, sweep)
}

export function endReconciliation(context: CorpusContext, { seq, own }: Pick<Reconciliation, 'seq' | 'own'>): void {
  const before = lastReconciliation(context)
  const tries = before?.own === seq ? (before.tries ?? 0) + 1 : 1
  deleteMeta(context.sql, metaKeys.reconciliation)
  writeMeta(context.sql, metaKeys.lastReconciliation, { at: context.now(), seq, ...(own === undefined ? {} : { own, tries }) })
}

export function lastReconciliation(context: Pick<CorpusContext, 'sql'>): LastReconciliation | undefined {
  return readMeta(context.sql, metaKeys.lastReconciliation)
}

/** When the sweep should begin or continue; null: nothing has changed since the last one, or only what was sent again often enough. */
export function nextReconciliationAt(context: Pick<CorpusContext, 'sql'>): number | null {
  const open = openReconciliation(context)
  if (open) return open.notBefore
  const last = lastReconciliation(context)
  if (!last || last.seq >= lastSeq(context)) return null
  const { at, own, tries = 1 } = last
  if (own !== lastSeq(context)) return at + SWEEP_PAUSE
  return tries > MAX_RESENDS ? null : at + SWEEP_PAUSE * 2 ** (tries - 1)
}

/** When the sinks should be checked next: removals that are not confirmed yet, or the sweep; null: everything is in order. */
export function nextSinkCheckAt(context: Pick<CorpusContext, 'sql'>): number | null {
  const retry = readMeta(context.sql, metaKeys.sinkCheckNotBefore) ?? 0
  const at = cursorOf(context, 'confirmed') < cursorOf(context, 'visible') ? 0 : nextReconciliationAt(context)
  return at === null ? null : Math.max(at, retry)
}

/** A sink could not be checked. */
export function postponeSinkCheck(context: Pick<CorpusContext, 'sql' | 'now'>): void {
  writeMeta(context.sql, metaKeys.sinkCheckNotBefore, context.now() + RETRY_PAUSE)
}

export function countFindings(context: Pick<CorpusContext, 'sql'>, sink: SinkName, found: SinkFindings): void {
  if (found.missing + found.foreign === 0) return
  const before = findingsOf(context, sink)
  const now: SinkFindings = { missing: before.missing + found.missing, foreign: before.foreign + found.foreign }
  writeMeta(context.sql, metaKeys.findings[sink], now)
}

/** Since the corpus was created. */
export function findingsOf(context: Pick<CorpusContext, 'sql'>, sink: SinkName): SinkFindings {
  return readMeta(context.sql, metaKeys.findings[sink]) ?? { missing: 0, foreign: 0 }
}
