/** What one insertion wrote. */
export interface Step {
  readonly rows: number
  /** Rows of the read model that follow from it: one for each node and each edge. */
  readonly told: number
  readonly chunks: number
}
