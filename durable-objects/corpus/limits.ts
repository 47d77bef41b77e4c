/** How much one corpus may hold. What would not fit is refused on arrival (ingest/limits.ts). */
import { objectLimits } from '../../src/platform-limits'

export interface Limits {
  readonly documents: number
  readonly chunks: number
  /** Of storage. */
  readonly bytes: number
}

/**
 * With some 9 passages and 60 sentences in a chunk, vectors of 1,024 bytes each take 7 of the 10 GB that an object may hold. A fifth of
 * these is left for what was accepted before, and for deletions, which write before they free.
 */
export const LIMITS: Limits = { documents: 100_000, chunks: 100_000, bytes: 0.8 * objectLimits.maxStorageBytes }

export const PART = 128 // chunks added or removed in one transaction: one to three seconds, and about 20 MB, with every strategy on

interface LimitsEnv {
  readonly CORPUS_DOCUMENTS?: string
  readonly CORPUS_CHUNKS?: string
  readonly CORPUS_BYTES?: string
}

export function limitsOf(env: LimitsEnv): Limits {
  return {
    documents: Number(env.CORPUS_DOCUMENTS || LIMITS.documents),
    chunks: Number(env.CORPUS_CHUNKS || LIMITS.chunks),
    bytes: Number(env.CORPUS_BYTES || LIMITS.bytes),
  }
}
