/** Receipts of commits, a page at a time, newest first. */
import type { CommitReceipt } from '../../../src/client/client'
import { corpusAt } from '../shared/loam'

/** The last `most` receipts up to a version, newest first. Versions have no gaps. */
export async function receiptsUpTo(corpus: string, version: number, most: number, signal: AbortSignal): Promise<readonly CommitReceipt[]> {
  const { data } = await corpusAt(corpus, signal).receipts({ after: Math.max(0, version - most), limit: most })
  return data.filter((one) => one.version <= version).toReversed()
}
