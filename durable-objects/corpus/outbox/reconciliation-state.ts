/** Where the sweep is, when it is due, and what sweeps have found: told in the health report. */
import { type CorpusContext, readMeta, writeMeta } from '../store'
import { cursorOf, lastSeq } from './outbox'
import type { SinkName } from './reconciler'

const EVERY = 86_400_000 // ms between two sweeps of a corpus that changes. One that does not is swept once, and again only for what was missing: twice as long after each time
const TRIES = 6 // sweeps of a corpus in which nothing has changed but what the sweeps before told again: a sink refuses that, for its own sake
const RETRY = 300_000 // ms until a sink that could not be looked at is looked at again

export interface Findings {
  /** What a sink lacked, or held otherwise. */
  readonly missing: number
  /** What it held and should not. */
  readonly foreign: number
}

/** A sweep under way. */
export interface Reconciliation {
  readonly sink: SinkName
  readonly after: string
  /** The outbox's last entry when it began: what has changed since, the next one looks at. */
  readonly seq: number
  /** The last entry it made itself, while nobody else made one. */
  readonly own?: number
  /** ms; before it nothing is to be seen. */
  readonly notBefore: number
}

interface LastReconciliation {
  /** When the last sweep ended; of a corpus that was not swept yet, when it was first told. */
  readonly at: number
  readonly seq: number
  /** As of the sweep, and how many in a row have told the same again. */
  readonly own?: number
  readonly tries?: number
}

export function openReconciliation(context: Pick<CorpusContext, 'sql'>): Reconciliation | undefined {
  return read(context, 'sweep')
}

export function keepReconciliation(context: Pick<CorpusContext, 'sql'>, sweep: Reconciliation): void {
  writeMeta(context.sql, 'sweep', JSON.stringify(sweep))
}

export function endReconciliation(context: CorpusContext, { seq, own }: Pick<Reconciliation, 'seq' | 'own'>): void {
  const before = lastReconciliation(context)
  const tries = before?.own === seq ? (before.tries ?? 0) + 1 : 1
  context.sql.run(`DELETE FROM meta WHERE key = 'sweep'`)
  const ended: LastReconciliation = { at: context.now(), seq, ...(own === undefined ? {} : { own, tries }) }
  writeMeta(context.sql, 'swept', JSON.stringify(ended))
}

export function lastReconciliation(context: Pick<CorpusContext, 'sql'>): LastReconciliation | undefined {
  return read(context, 'swept')
}

/** When the sweep is to begin or go on; null: nothing has changed since the last one, or nothing but what was told again often enough. */
export function nextReconciliationAt(context: Pick<CorpusContext, 'sql'>): number | null {
  const open = openReconciliation(context)
  if (open) return open.notBefore
  const last = lastReconciliation(context)
  if (!last || last.seq >= lastSeq(context)) return null
  const { at, own, tries = 1 } = last
  if (own !== lastSeq(context)) return at + EVERY
  return tries > TRIES ? null : at + EVERY * 2 ** (tries - 1)
}

/** When the sinks are to be looked at next: removals that are not confirmed yet, or the sweep; null: all is as it should be. */
export function nextSinkCheckAt(context: Pick<CorpusContext, 'sql'>): number | null {
  const retry = Number(readMeta(context.sql, 'look') ?? 0)
  const at = cursorOf(context, 'confirmed') < cursorOf(context, 'seen') ? 0 : nextReconciliationAt(context)
  return at === null ? null : Math.max(at, retry)
}

/** A sink could not be looked at. */
export function postponeSinkCheck(context: Pick<CorpusContext, 'sql' | 'now'>): void {
  writeMeta(context.sql, 'look', String(context.now() + RETRY))
}

export function countFindings(context: Pick<CorpusContext, 'sql'>, sink: SinkName, found: Findings): void {
  if (found.missing + found.foreign === 0) return
  const before = findingsOf(context, sink)
  const now: Findings = { missing: before.missing + found.missing, foreign: before.foreign + found.foreign }
  writeMeta(context.sql, `${sink}/found`, JSON.stringify(now))
}

/** Since the corpus was made. */
export function findingsOf(context: Pick<CorpusContext, 'sql'>, sink: SinkName): Findings {
  return read<Findings>(context, `${sink}/found`) ?? { missing: 0, foreign: 0 }
}

function read<T>(context: Pick<CorpusContext, 'sql'>, key: string): T | undefined {
  const text = readMeta(context.sql, key)
  return text ? (JSON.parse(text) as T) : undefined
}
