/** Sends to every sink what the outbox holds for it, one sink at a time: memory holds only what one call carries. */
import type { Outbound } from '../../../src/ports/outbound'
import type { ReadModel } from '../../../src/ports/read-model'
import type { ReportsObject } from '../../../src/ports/reports'
import type { VectorIndex } from '../../../src/ports/vector-index'
import type { CorpusContext } from '../store'
import { hasReports } from '../tables/report'
import { lastRuling } from '../tables/ruling'
import { hasNewMessages, sendMessages } from '../webhooks/message-queue'
import { confirmRemovals } from './confirm-removals'
import { drainIndex, nextSliceStart, updateVisibility } from './index-sink'
import { cursorOf, deleteSentRows, hasUnsentChanges } from './outbox'
import { drainModel } from './read-model-sink'
import { reconcileSinks } from './reconcile-sinks'
import { postponeSinkCheck } from './reconciliation-state'
import { sendReports } from './send-reports'
import { clearFault, noteFault } from './slice-sender'
import { type PartitionOf, tellPartitions } from './tell-partitions'

const SINK_MS = 20_000 // ms for each sink: far below the quarter of an hour that an alarm may take. The next alarm continues
const CHECK_MS = 5000 // ms for checking whether what was sent is there

export interface Sinks {
  readonly index: VectorIndex
  /** The previous embedding model's, if there is one. */
  readonly previousIndex?: VectorIndex | null
  /** For checking whether removals have been made, if that is not only the index. */
  readonly removals?: VectorIndex
  readonly readModel: ReadModel
  readonly outbound: Outbound
  /** The object of the corpus of which this is a partition. */
  readonly whole?: (uid: string) => ReportsObject
  /** The partitions of this corpus. */
  readonly partition?: PartitionOf
}

/** Has a sink, or the queue, not been sent everything? */
export function hasUnsent(context: CorpusContext): boolean {
  return hasUnsentChanges(context) || hasNewMessages(context) || hasReports(context.sql) || lastRuling(context.sql) > 0
}

/**
 * A sink that fails keeps its place; the others are still served. Between the awaits other requests may commit: they only add entries after
 * the cursor. Only one drain runs at a time (the caller's flag). Rejects with the first failure, when all have had their turn.
 */
export async function drain(context: CorpusContext, sinks: Sinks): Promise<void> {
  const failures: unknown[] = []
  const turn = async (work: (until: number) => Promise<void>): Promise<void> => {
    await work(context.now() + SINK_MS).catch((error: unknown) => failures.push(error))
  }
  await turn(() => sendMessages(context, sinks.outbound))
  await turn(() => sendReports(context, sinks.whole ?? nobody))
  await turn(() => tellPartitions(context, sinks.partition ?? noPartition))
  await turn((until) => recordFaults(context, 'index', () => drainIndex(context, sinks.index, until)))
  await turn((until) => recordFaults(context, 'model', () => drainModel(context, sinks.readModel, until)))
  // Unknown is not an error: it is checked again at the next alarm.
  await updateVisibility(context, sinks.index).catch(() => undefined)
  await confirmRemovals(context, sinks.removals ?? sinks.index, context.now() + CHECK_MS).catch(() => postponeSinkCheck(context))
  await reconcileSinks(context, sinks, context.now() + CHECK_MS)
  deleteSentRows(context)
  if (failures.length > 0) throw failures[0]
}

const nobody = (): Pick<ReportsObject, 'takeReports'> => ({ takeReports: () => Promise.reject(new Error('reports: nobody takes them')) })

const noPartition: PartitionOf = () => ({ takeRulings: () => Promise.reject(new Error('rulings: nobody takes them')) })

/** Keeps a sink's last failure until something has been sent again. */
async function recordFaults(context: CorpusContext, sink: 'index' | 'model', work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    noteFault(context, sink, error, sink === 'index' ? nextSliceStart(context).join('/') : String(cursorOf(context, 'model')))
    throw error
  }
  clearFault(context, sink)
}
