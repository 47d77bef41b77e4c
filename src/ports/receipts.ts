/** What one commit did, chained to all before it. Offline, an export's rows can be added up and compared with the last `state`. */
export interface CommitReceipt {
  readonly version: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Jobs it worked for, at most twenty. */
  readonly jobs: readonly string[]
  /** Changes made; `other`: places and values, which never leave the object. */
  readonly touched: {
    readonly documents: number
    readonly chunks: number
    readonly nodes: number
    readonly edges: number
    readonly other: number
  }
  /** `state` less the state before, modulo 2²⁵⁶. */
  readonly change: string
  /** Sum of the hashes of all exported rows (core/graph/state.ts), 64 hex digits. */
  readonly state: string
  /** SHA-256 over the hash before and this receipt without it. */
  readonly hash: string
}
