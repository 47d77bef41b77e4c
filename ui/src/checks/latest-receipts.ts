/** Receipts of commits, a page at a time, newest first. */
import type { CommitReceipt } from '../../../src/client/client'
import { corpusAt } from '../shared/loam'

interface Upto {
  readonly version: number
  readonly most: number
  /** In a corpus in partitions: whose. */
  readonly partition: number | undefined
}

/** The last `most` receipts up to a version, newest first. Versions have no gaps. */
export async function receiptsUpTo(
  corpus: string,
  { version, most, partition }: Upto,
  signal: AbortSignal,
): Promise<readonly CommitReceipt[]> {
  const of = partition === undefined ? {} : { partition }
  const { data } = await corpusAt(corpus, signal).receipts({ after: Math.max(0, version - most), limit: most, ...of })
  return data.filter((one) => one.version <= version).toReversed()
}
