/** The vector index, which finds where a question enters the graph. */
export interface VectorEntry {
  /** The node's id; unique within its corpus. */
  readonly id: string
  /** Of any length: the index compares by cosine. */
  readonly vector: ArrayLike<number>
  readonly kind: string
  readonly layer: number
}

/**
 * One index for all corpora, except those with a dedicated one; each sees only its own vectors. Eventually consistent: writes become
 * visible later, in the order in which they were made. Every call may be repeated, accepts any number of items, and rejects with a
 * `VectorFault` (vector-faults.ts).
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
  /** How many vectors this corpus's index holds, for all corpora in it, and the number at which none of them accepts further documents. */
  size(corpus: string): Promise<{ readonly vectors: number; readonly max: number }>
  /** Removes what an earlier release wrote for this corpus under the nodes' bare ids. */
  removeUnnamed(corpus: string, ids: readonly string[]): Promise<void>
}
