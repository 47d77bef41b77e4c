/** What the object holds and what filling it wrote. */
export interface Grown {
  readonly chunks: number
  readonly passages: number
  /** Rows written in the object, and things told to the read model, by builder. */
  readonly rows: { readonly [builder: string]: number }
  readonly told: { readonly [builder: string]: number }
}
