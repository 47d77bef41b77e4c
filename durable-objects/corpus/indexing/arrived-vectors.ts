/**
 * Chunks whose vectors come with the replies that one transaction accepts. A document that they complete takes them from memory (with-vectors.ts); only
 * those whose document still waits for others are staged, when everything else is done.
 */
import type { CorpusContext } from '../store'
import { setStagedVectors } from '../tables/staged'
import { concat } from './with-vectors'

/** By chunk. */
export type ArrivedVectors = NonNullable<CorpusContext['arrived']>

export function writeArrived({ sql }: CorpusContext, arrived: ArrivedVectors): void {
  for (const [id, { vectors, isTaken }] of arrived) {
    if (!isTaken) setStagedVectors(sql, id, { passages: concat(vectors.passages), units: concat(vectors.units) })
  }
}
