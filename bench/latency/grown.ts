/** What taking texts in came to. */
export interface Taken {
  readonly chunks: number
  /** In the corpus now. */
  readonly passages: number
  /** Written in the object. */
  readonly rows: number
}

/** One builder's share: rows written in the object, and things sent to the read model. */
export interface Built {
  readonly rows: number
  readonly told: number
  /** Has it left something for commits of its own? */
  readonly behind: boolean
}
