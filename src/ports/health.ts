/** Whether a corpus is in order. */
import type { GateView } from './probes'

/** Of the vector index or the read model. */
export interface SinkView {
  /** What it has failed with since it was told last; the vendor's code, 0 where it gave none. */
  readonly fault: { readonly code: number; readonly at: number; readonly tries: number } | null
  /** Rows or vectors it lacked, or held otherwise, and those it should not have had: found and put right, since the corpus was made. */
  readonly missing: number
  readonly foreign: number
}

export interface HealthView {
  readonly version: number
  /** Hash and state of the last receipt; null before the first. */
  readonly head: { readonly hash: string; readonly state: string } | null
  /** Milliseconds since the epoch; null: the schedule has not been here yet. */
  readonly last_tend: number | null
  /** Of the last whole look at all derived nodes, a page each time; null before it. */
  readonly nodes: {
    readonly at: number
    readonly seen: number
    /** Entities nothing mentions, summaries and communities without members. */
    readonly orphans: number
    readonly stale: number
    /** Mean and largest number of members of summaries and communities. */
    readonly size: { readonly mean: number; readonly most: number }
    /** Mean and largest number of mentions of an entity. */
    readonly degree: { readonly mean: number; readonly most: number }
  } | null
  /** How far the means have moved since the graph was last put in order, as a share; null where that is not known. */
  readonly drift: { readonly size: number; readonly degree: number; readonly churn: number } | null
  /**
   * How far structures that grow locally have fallen behind one made anew, as last measured: `lost` is a share, beyond `bound` a consolidation
   * makes it anew. Null where nothing was measured.
   */
  readonly quality: {
    readonly at: number
    readonly measures: readonly { readonly strategy: string; readonly measure: string; readonly lost: number; readonly bound: number }[]
  } | null
  /** Texts extracted because the text model was out, which it is still asked for; when it is tried next, null unless it is out. */
  readonly owed: { readonly texts: number; readonly retry_at: number | null }
  /** Documents a model could not read in part, or whose vectors could not be had. */
  readonly quarantined: number
  /** Chunks the models are asked about again, those about which they were asked often enough, and when it is done next; null: nothing waits. */
  readonly retries: { readonly waiting: number; readonly given_up: number; readonly next_at: number | null }
  readonly outbox: { readonly entries: number; readonly versions_behind: number }
  readonly sinks: {
    /** `refused`: vectors it would not take. `delay_ms`: until what was sent last was known to be visible. */
    readonly index: SinkView & { readonly refused: number; readonly delay_ms: number | null }
    readonly model: SinkView
    /** When both are compared with the object next, which sends again what one of them lacks; null: nothing has changed, or it was sent often enough. */
    readonly next_sweep_at: number | null
    /** When both were last compared with the object; null: not yet. */
    readonly swept_at: number | null
  }
  /** Bytes of the corpus's own storage, those with which it takes no further documents, and the one as a share of the other. */
  readonly storage: { readonly bytes: number; readonly limit: number; readonly share: number }
  readonly probes: {
    readonly count: number
    readonly k: number
    readonly tolerance: number
    readonly recall: { readonly [strategy: string]: number }
    readonly at: number | null
  }
  readonly gate: GateView | null
  /** True while other settings were asked for than the graph that is served was made with. */
  readonly pending: boolean
}
