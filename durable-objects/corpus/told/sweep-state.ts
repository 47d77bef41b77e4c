/** Where the sweep is, when it is due, and what sweeps have found: told in the health report. */
import { type Ledger, readMeta, writeMeta } from '../store'
import { cursorOf, lastSeq } from './outbox'
import type { SinkName } from './reconcile'

const EVERY = 86_400_000 // ms between two sweeps of a corpus that changes. One that does not is swept once, and not again
const RETRY = 300_000 // ms until a sink that could not be looked at is looked at again

export interface Found {
  /** What a sink lacked, or held otherwise. */
  readonly missing: number
  /** What it held and should not. */
  readonly foreign: number
}

/** A sweep under way. */
export interface Sweep {
  readonly sink: SinkName
  readonly after: string
  /** The outbox's last entry when it began: what has changed since, the next one looks at. */
  readonly seq: number
  /** ms; before it nothing is to be seen. */
  readonly notBefore: number
}

interface Swept {
  /** When the last sweep ended; of a corpus that was not swept yet, when it was first told. */
  readonly at: number
  readonly seq: number
}

export function sweepUnderWay(ledger: Pick<Ledger, 'sql'>): Sweep | undefined {
  return read(ledger, 'sweep')
}

export function keepSweep(ledger: Pick<Ledger, 'sql'>, sweep: Sweep): void {
  writeMeta(ledger.sql, 'sweep', JSON.stringify(sweep))
}

export function endSweep(ledger: Ledger, seq: number): void {
  ledger.sql.run(`DELETE FROM meta WHERE key = 'sweep'`)
  writeMeta(ledger.sql, 'swept', JSON.stringify({ at: ledger.now(), seq } satisfies Swept))
}

export function lastSweep(ledger: Pick<Ledger, 'sql'>): Swept | undefined {
  return read(ledger, 'swept')
}

/** When the sweep is to begin or go on; null: nothing has changed since the last one. */
export function sweepAt(ledger: Pick<Ledger, 'sql'>): number | null {
  const open = sweepUnderWay(ledger)
  if (open) return open.notBefore
  const last = lastSweep(ledger)
  return last && last.seq < lastSeq(ledger) ? last.at + EVERY : null
}

/** When the sinks are to be looked at next: removals that are not confirmed yet, or the sweep; null: all is as it should be. */
export function lookAt(ledger: Pick<Ledger, 'sql'>): number | null {
  const retry = Number(readMeta(ledger.sql, 'look') ?? 0)
  const at = cursorOf(ledger, 'confirmed') < cursorOf(ledger, 'seen') ? 0 : sweepAt(ledger)
  return at === null ? null : Math.max(at, retry)
}

/** A sink could not be looked at. */
export function lookLater(ledger: Pick<Ledger, 'sql' | 'now'>): void {
  writeMeta(ledger.sql, 'look', String(ledger.now() + RETRY))
}

export function count(ledger: Pick<Ledger, 'sql'>, sink: SinkName, found: Found): void {
  if (found.missing + found.foreign === 0) return
  const before = foundIn(ledger, sink)
  const now: Found = { missing: before.missing + found.missing, foreign: before.foreign + found.foreign }
  writeMeta(ledger.sql, `${sink}/found`, JSON.stringify(now))
}

/** Since the corpus was made. */
export function foundIn(ledger: Pick<Ledger, 'sql'>, sink: SinkName): Found {
  return read<Found>(ledger, `${sink}/found`) ?? { missing: 0, foreign: 0 }
}

function read<T>(ledger: Pick<Ledger, 'sql'>, key: string): T | undefined {
  const text = readMeta(ledger.sql, key)
  return text ? (JSON.parse(text) as T) : undefined
}
