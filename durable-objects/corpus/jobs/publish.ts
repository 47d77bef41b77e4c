/**
 * What follows every change of the graph outside a document's commit: the outbox is filled, a receipt is kept, the jobs' counts are
 * updated.
 */

import { fillOutbox } from '../outbox/outbox'
import { keepReceipt, touchedBy } from '../outbox/receipts'
import type { Touched } from '../outbox/touched'
import type { CorpusContext } from '../store'
import type { Job } from './job'
import { recordTouched } from './job-touched'

/** After the changes, in the same transaction. */
export function publish(context: CorpusContext, jobs: readonly Job[], changes: readonly Touched[]): void {
  const { version } = context.graph
  keepReceipt(context, touchedBy(changes), jobs)
  if (changes.length === 0) return
  fillOutbox(context, changes, version)
  recordTouched(context.sql, jobs, changes)
  for (const job of jobs) job.tally.version = version
}
