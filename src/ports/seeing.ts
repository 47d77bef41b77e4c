/** What the object of a corpus tells of itself to who watches over it: figures for metrics. Declared here, implemented by the object. */

/** All that is read costs a bounded number of rows, whatever the size of the corpus. */
export interface Figures {
  readonly version: number
  readonly documents: number
  readonly chunks: number
  /** Jobs by state, of the newest 1,000. */
  readonly jobs: { readonly [state: string]: number }
  /** Age of the oldest that is not done; 0: there is none. */
  readonly oldestJobMs: number
  /** Open ones, counted up to 10,000. */
  readonly tasks: number
  readonly outboxRows: number
  readonly versionsBehind: number
  /** For how long the index has not shown what it was sent; 0: it shows all. */
  readonly indexLagMs: number
  /** Documents, counted up to 1,000. */
  readonly quarantined: number
  readonly storageBytes: number
  readonly budget: { readonly tokens?: number; readonly usd?: number }
  /** Null: no such ceiling. */
  readonly left: { readonly tokens: number | null; readonly usd: number | null }
  readonly stages: { readonly [stage: string]: StageFigures }
}

export interface StageFigures {
  readonly calls: number
  readonly in: number
  readonly out: number
  readonly embedded: number
  readonly neurons: number
}

/** The part of the corpus object that this is about. */
export interface SeeingObject {
  /** Null: there is no such corpus, or it answers nothing now. */
  figures(): Promise<Figures | null>
}
