/** Questions with known answers, and the quality gate that uses them. */
import type { Finding, Probe, Probes } from '../contract/probes'
import type { CorpusConfig } from './corpus'

/** A question and the documents that must answer it. */
export interface ProbeInput {
  readonly query: string
  readonly expect: readonly string[]
  /** Absent: the embedding model did not answer; the probe is searched by words only. */
  readonly vector?: Int8Array
  /** Id of the model that made it. */
  readonly embedded?: string
}

/** The pinned probes. */
export type PinnedProbes = Omit<Probes, 'probes'> & { readonly probes: readonly Pick<Probe, 'query' | 'expect'>[] }

/** The probes just pinned, and which of the documents they expect are missing for the person who pinned them. */
export type JustPinned = PinnedProbes & { readonly missing: readonly string[] }

/** What was last found for a probe, by strategy. Null: not asked yet. A strategy is left out if none of the documents is in the corpus. */
export type ProbeResults = Pick<Probe, 'last' | 'gate'>

/** A probe that is put to a whole corpus in partitions. */
export interface ProbeAsked {
  readonly config: CorpusConfig
  readonly probe: Pick<ProbeInput, 'query' | 'expect' | 'vector'>
  readonly k: number
}

/** By strategy; none if no expected document is in the corpus. */
export type ProbeFound = { readonly [strategy: string]: Finding }

/** Null: not all partitions answered. */
export type AskProbe = (asked: ProbeAsked) => Promise<ProbeFound | null>
