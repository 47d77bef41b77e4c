/** What taking texts in came to. */
export interface Taken {
  readonly chunks: number
  /** In the corpus now; entities before the builders' turn. */
  readonly passages: number
  readonly entities: number
  /** Written in the object. */
  readonly rows: number
}

/** One builder's share: rows written in the object, and things told to the read model. */
export interface Built {
  readonly rows: number
  readonly told: number
}
