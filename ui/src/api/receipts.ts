/** Receipts of commits, a page at a time, newest first. */
import { at, call } from './client'
import type { Page } from './types'

export interface CommitReceipt {
  readonly version: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly jobs: readonly string[]
  readonly touched: { readonly [kind: string]: number }
  readonly change: string
  readonly state: string
  readonly hash: string
}

/** The last `most` receipts up to a version, newest first. Versions have no gaps. */
export async function receiptsUpTo(corpus: string, version: number, most: number, signal: AbortSignal): Promise<readonly CommitReceipt[]> {
  const query = new URLSearchParams({ after: String(Math.max(0, version - most)), limit: String(most) })
  const { data } = await call<Page<CommitReceipt>>('GET', `${at(corpus, 'receipts')}?${query}`, { signal })
  return data.filter((one) => one.version <= version).toReversed()
}
