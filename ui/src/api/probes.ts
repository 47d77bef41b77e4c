/** Probes: pinned questions, each with the documents that must answer it. They are put all at once, so each change begins by reading them. */
import { at, call, Fault } from './client'

export interface Probe {
  readonly query: string
  /** Ids of documents. */
  readonly expect: readonly string[]
}

export interface Finding {
  /** Of its documents. */
  readonly recall: number
  /** Of the first piece from one of them; null: none was found. */
  readonly rank: number | null
}

/** What was found of a probe, by strategy. */
export interface Results {
  readonly last: { readonly at: number; readonly found: { readonly [strategy: string]: Finding } } | null
  readonly gate: {
    readonly kind: string
    readonly found: { readonly [strategy: string]: { readonly before: Finding; readonly after: Finding } }
  } | null
}

export interface Pinned {
  readonly probes: readonly (Probe & Partial<Results>)[]
  /** Pieces of evidence looked at. */
  readonly k: number
  /** How much a strategy's mean recall may fall. */
  readonly tolerance: number
  /** Names what is pinned. */
  readonly revision: string
}

export const MOST_PROBES = 50

export const pinnedOf = (corpus: string, signal?: AbortSignal): Promise<Pinned> => call('GET', at(corpus, 'probes'), { signal })

export const samePin = (a: Probe, b: Probe): boolean => JSON.stringify([a.query, a.expect]) === JSON.stringify([b.query, b.expect])

const TRIES = 5 // each fails only because somebody else's change was taken in

/** Read and put again, on condition that nobody pinned meanwhile: else the same is done to what is pinned now. */
export async function repin(corpus: string, change: (now: Pinned) => Pinned): Promise<void> {
  for (let left = TRIES; ; left--) {
    const now = await pinnedOf(corpus)
    const { probes, k, tolerance } = change(now)
    const body = { probes: probes.map(({ query, expect }) => ({ query, expect })), k, tolerance }
    try {
      return await call('PUT', at(corpus, 'probes'), { body, ifMatch: now.revision })
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 412 || left <= 1) throw error
    }
  }
}
