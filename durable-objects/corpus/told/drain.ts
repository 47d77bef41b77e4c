/** Sends to every sink what the outbox holds for it, one sink at a time: what one call carries is all that memory holds of it. */
import type { Outbound } from '../../../src/outbound-ports'
import type { ReadModel, VectorIndex } from '../../../src/ports'
import type { Ledger } from '../store'
import { confirmRemovals } from './confirm'
import { sendOwed, unsent } from './courier'
import { clearFault, noteFault } from './delivery'
import { drainIndex, placeOf, watchIndex } from './index-sink'
import { cursorOf, isWaiting, prune } from './outbox'
import { drainModel } from './read-model-sink'
import { sweepSome } from './sweep'
import { lookLater } from './sweep-state'

const TURN = 20_000 // ms for each sink: far below the quarter of an hour an alarm may take. The next alarm goes on
const LOOK = 5000 // ms for looking whether what was sent is there

export interface Sinks {
  readonly index: VectorIndex
  readonly readModel: ReadModel
  readonly outbound: Outbound
}

/** Has a sink, or the queue, not been sent everything? */
export function isUnsent(ledger: Ledger): boolean {
  return isWaiting(ledger) || unsent(ledger)
}

/**
 * A sink that fails keeps its place; the others are still served. Between the awaits other requests may commit: they only add entries
 * behind the cursor. Only one drain runs at a time (the caller's flag). Rejects with the first failure, when all have had their turn.
 */
export async function drain(ledger: Ledger, sinks: Sinks): Promise<void> {
  const failures: unknown[] = []
  const turn = async (work: (until: number) => Promise<void>): Promise<void> => {
    await work(ledger.now() + TURN).catch((error: unknown) => failures.push(error))
  }
  await turn(() => sendOwed(ledger, sinks.outbound))
  await turn((until) => telling(ledger, 'index', () => drainIndex(ledger, sinks.index, until)))
  await turn((until) => telling(ledger, 'model', () => drainModel(ledger, sinks.readModel, until)))
  // Unknown is not an error: asked again at the next alarm.
  await watchIndex(ledger, sinks.index).catch(() => undefined)
  await confirmRemovals(ledger, sinks.index, ledger.now() + LOOK).catch(() => lookLater(ledger))
  await sweepSome(ledger, sinks, ledger.now() + LOOK)
  prune(ledger)
  if (failures.length > 0) throw failures[0]
}

/** Keeps what a sink has failed with, until it has been told again. */
async function telling(ledger: Ledger, sink: 'index' | 'model', work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    noteFault(ledger, sink, error, sink === 'index' ? placeOf(ledger).join('/') : String(cursorOf(ledger, 'model')))
    throw error
  }
  clearFault(ledger, sink)
}
