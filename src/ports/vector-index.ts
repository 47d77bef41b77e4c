/** The index of vectors, which finds where a question enters the graph. */
export interface VectorEntry {
  /** Of the node; unique within its corpus. */
  readonly id: string
  /** Of any length: the index compares by cosine. */
  readonly vector: ArrayLike<number>
  readonly kind: string
  readonly layer: number
}

/**
 * One index for all corpora but those with one of their own; each sees its own vectors alone. Eventually consistent: writes become visible later, in the order in
 * which they were made. Every call may be repeated, takes any number of things, and rejects with a `VectorFault` (vector-faults.ts).
 */
export interface VectorIndex {
  upsert(corpus: string, entries: readonly VectorEntry[]): Promise<void>
  remove(corpus: string, ids: readonly string[]): Promise<void>
  /** Those of these ids that are visible, in any order. */
  fetch(corpus: string, ids: readonly string[]): Promise<readonly VectorEntry[]>
  query(
    corpus: string,
    vector: ArrayLike<number>,
    where: { readonly kind: string; readonly k: number },
  ): Promise<readonly { readonly id: string; readonly score: number }[]>
  /** How many vectors the index of this corpus holds, of all corpora in it, and how many it may before none of them takes further documents. */
  size(corpus: string): Promise<{ readonly vectors: number; readonly max: number }>
  /** Removes what an earlier release wrote for this corpus under the nodes' bare ids. */
  removeUnnamed(corpus: string, ids: readonly string[]): Promise<void>
}
