/** The values that say how far a corpus in partitions is moved to another embedding model (maintenance/lead-move.ts). */
import type { EmbeddingModel } from '../../../src/core/settings'

/** In each object of the corpus: its own job waits at the switch until that is granted. */
export interface ModelHold {
  readonly isGranted: boolean
}

/** In the corpus's own object. */
export interface ModelMove {
  /** All objects' jobs have this id. */
  readonly job: string
  readonly to: EmbeddingModel
  /**
   * begin: the partitions are told · wait: until each has everything from the other model · close: writes are refused · switch: all change to it; there
   * is no way back · end: it is given up everywhere · done
   */
  readonly step: 'begin' | 'wait' | 'close' | 'switch' | 'end' | 'done'
  /** When writes were refused, ms; how often that was not long enough; since when objects have been at work; and before when nothing is done. */
  readonly closedAt?: number
  readonly tries: number
  readonly waitingSince?: number | undefined
  readonly notBefore: number
  /** Why it is given up; absent: it was cancelled. */
  readonly error?: string
}
