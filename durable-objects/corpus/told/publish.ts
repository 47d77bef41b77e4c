/** What follows every change of the graph outside a document's commit: the sinks are told, a receipt is kept, the jobs' tallies move. */
import type { Ledger } from '../store'
import { recordTouched } from '../work/job-touched'
import type { Job } from '../work/jobs'
import { fillOutbox } from './outbox'
import { keepReceipt, touchedBy } from './receipts'
import type { Touched } from './touched'

/** After the changes were made, in the same transaction. */
export function publish(ledger: Ledger, jobs: readonly Job[], changes: readonly Touched[]): void {
  const { version } = ledger.graph
  keepReceipt(ledger, touchedBy(changes), jobs)
  if (changes.length === 0) return
  fillOutbox(ledger, changes, version)
  recordTouched(ledger.sql, jobs, changes)
  for (const job of jobs) job.tally.version = version
}
