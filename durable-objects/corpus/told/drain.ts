/** Sends to every sink what the outbox holds for it. */
import type { Outbound } from '../../../src/outbound-ports'
import type { ReadModel, VectorIndex } from '../../../src/ports'
import type { Ledger } from '../store'
import { sendOwed } from './courier'
import { drainIndex, seen } from './index-sink'
import { prune } from './outbox'
import { drainModel } from './read-model-sink'

export interface Sinks {
  readonly index: VectorIndex
  readonly readModel: ReadModel
  readonly outbound: Outbound
}

/**
 * Sends what is waiting. A sink that fails keeps its place; the other is still served. Between the awaits other requests may
 * commit: they only add entries behind the cursor. Only one drain runs at a time (the caller's flag).
 */
export async function drain(ledger: Ledger, sinks: Sinks): Promise<void> {
  const results = await Promise.allSettled([
    drainIndex(ledger, sinks.index),
    drainModel(ledger, sinks.readModel),
    sendOwed(ledger, sinks.outbound),
  ])
  await seen(ledger, sinks.index).catch(() => undefined) // unknown is not an error: asked again at the next alarm
  prune(ledger)
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
