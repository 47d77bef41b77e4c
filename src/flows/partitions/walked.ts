/** What a walk over all partitions ends with, before the partitions add dates and places. */
import type { Evidence } from '../../core/evidence'
import type { Worth } from '../../core/selection'
import type { Retrieved } from '../../core/strategy'
import type { RetrieveResult } from '../../ports/retrieval'

export interface Found {
  readonly kind: 'evidence'
  readonly found: Extract<Retrieved, { readonly kind: 'evidence' }>
  /** How many of it may be shown. */
  readonly shown: number
  readonly evidence: readonly Evidence[]
  /** How far a re-ranker is trusted. */
  readonly weight: number
  /** For each piece, if it is a pool to choose from. */
  readonly paths: readonly (string | null)[] | undefined
  readonly worth: Worth | undefined
  /** Hits whose documents are counted by their metadata. */
  readonly counted: readonly string[] | undefined
  readonly rarity: Pick<Extract<RetrieveResult, { readonly kind: 'evidence' }>, 'frequencies' | 'passages'>
}
