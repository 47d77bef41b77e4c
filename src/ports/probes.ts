/** Questions with known answers, and the quality gate that asks them. */
import type { JobKind } from './jobs'

/** A question and the documents that must answer it. */
export interface ProbeInput {
  readonly query: string
  readonly expect: readonly string[]
  /** Absent: the embedding model was out; words alone are looked up. */
  readonly vector?: Int8Array
}

export interface ProbesView {
  readonly probes: readonly { readonly query: string; readonly expect: readonly string[] }[]
  readonly k: number
  /** How much recall@k of a strategy may fall, 0 to 1. */
  readonly tolerance: number
  /** Names what is pinned: the same for the same questions, documents and bounds. */
  readonly revision: string
}

/** How well a strategy found what a probe expects. */
export interface Finding {
  /** Share of its documents that are among the first k pieces of evidence. */
  readonly recall: number
  /** Place of the first piece from one of them, 1 for the best; null: none was found. */
  readonly rank: number | null
}

/** What was found for a probe last, each by strategy. Null: not asked yet. A strategy is left out where none of the documents is in the corpus. */
export interface ProbeResults {
  /** By the schedule. */
  readonly last: { readonly at: number; readonly found: { readonly [strategy: string]: Finding } } | null
  /** At the last gate, on both graphs. */
  readonly gate: {
    readonly at: number
    readonly job: string
    readonly kind: JobKind
    readonly found: { readonly [strategy: string]: { readonly before: Finding; readonly after: Finding } }
  } | null
}

export interface MeasuredProbes extends ProbesView {
  readonly probes: readonly (ProbesView['probes'][number] & ProbeResults)[]
}

/** What the gate last said. */
export interface GateView {
  readonly at: number
  readonly job: string
  readonly kind: JobKind
  readonly promoted: boolean
  readonly k: number
  readonly tolerance: number
  readonly recall: { readonly [strategy: string]: { readonly before: number; readonly after: number } }
}
