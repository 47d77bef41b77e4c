/** Questions with known answers, and the quality gate that asks them. */
import type { Probe, Probes } from '../contract/probes'

/** A question and the documents that must answer it. */
export interface ProbeInput {
  readonly query: string
  readonly expect: readonly string[]
  /** Absent: the embedding model was out; words alone are looked up. */
  readonly vector?: Int8Array
  /** Id of the model that made it. */
  readonly embedded?: string
}

/** What is pinned. */
export type PinnedProbes = Omit<Probes, 'probes'> & { readonly probes: readonly Pick<Probe, 'query' | 'expect'>[] }

/** What has just been pinned, and which of the documents it expects are not there for who pinned it. */
export type JustPinned = PinnedProbes & { readonly missing: readonly string[] }

/** What was found for a probe last, each by strategy. Null: not asked yet. A strategy is left out where none of the documents is in the corpus. */
export type ProbeResults = Pick<Probe, 'last' | 'gate'>
