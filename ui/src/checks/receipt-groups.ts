/** Receipts grouped by their job: jobs first, then receipts without one. Each keeps its order. */
import type { CommitReceipt } from '../../../src/client/client'

export interface ReceiptGroup {
  /** Null: without a job. */
  readonly job: string | null
  readonly receipts: readonly CommitReceipt[]
}

export function byJob(receipts: readonly CommitReceipt[]): readonly ReceiptGroup[] {
  const groups = Map.groupBy(receipts, ({ jobs: [first = null] }) => first)
  const all = [...groups].map(([job, of]): ReceiptGroup => ({ job, receipts: of }))
  return [...all.filter(({ job }) => job !== null), ...all.filter(({ job }) => job === null)]
}
