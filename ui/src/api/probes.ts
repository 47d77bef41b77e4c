/** Probes: pinned questions, each with the documents that must answer it. They are put all at once, so each change begins by reading them. */
import { at, call } from './client'

export interface Probe {
  readonly query: string
  /** Ids of documents. */
  readonly expect: readonly string[]
}

export interface Pinned {
  readonly probes: readonly Probe[]
  /** Pieces of evidence looked at. */
  readonly k: number
  /** How much a strategy's mean recall may fall. */
  readonly tolerance: number
}

export const MOST_PROBES = 50

export const pinnedOf = (corpus: string, signal?: AbortSignal): Promise<Pinned> => call('GET', at(corpus, 'probes'), { signal })

/** Read and put again at once: who pins elsewhere in that moment is overwritten, as the API has no condition for it. */
export async function repin(corpus: string, change: (now: Pinned) => Pinned): Promise<void> {
  await call('PUT', at(corpus, 'probes'), { body: change(await pinnedOf(corpus)) })
}
