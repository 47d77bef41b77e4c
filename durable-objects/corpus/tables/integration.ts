/** How far a change has got that is too large for one transaction (indexing/large.ts). */
import type { CommitReceipt } from '../../../src/contract/receipts'
import type { ChangedKey } from './changed-key'

/** A part of which texts and some builders' work are in the graph (indexing/midway.ts), and how far: builders by name, what they changed by its keys. */
export interface Midway {
  readonly chunks: readonly string[]
  readonly documents: readonly string[]
  readonly made: readonly (readonly [builder: string, changed: readonly ChangedKey[]])[]
}

export interface Integration {
  /** Its job, by number. */
  readonly job: number
  /** The version it will become. */
  readonly version: number
  /** The next one to be applied. */
  readonly part: number
  /** Chunks in a part: it stays what it was when the change began. */
  readonly size?: number
  readonly touched: CommitReceipt['touched']
  /** The last entry for the sinks; 0: none. */
  readonly seq: number
  readonly rows: number
  /** The next part has begun. Absent: it has not. */
  readonly midway?: Midway
  /** When the last part was begun, and how many chunks it had. */
  readonly last?: { readonly at: number; readonly chunks: number }
}
