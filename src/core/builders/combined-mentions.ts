/**
 * What a chunk mentions where two models have read it: the names that Clue-RAG's units say, those that the chunk's knowledge names, by the sentences that
 * say them, and those only the reader of knowledge found. The result does not depend on which of the two answered first.
 */
import type { Chunk } from '../graph/types'
import { findMentions, type Mentioned } from './mention-list'

export interface Readings {
  /** Texts of the model's units; not empty. */
  readonly written: readonly string[]
  /** Entities that the chunk's knowledge describes, by name. */
  readonly told: Iterable<string>
  /** Names in no sentence that was read without a model. */
  readonly strangers: readonly Mentioned[]
}

/** By name, in order of id. */
export function combineMentions(chunk: Chunk, { written, told, strangers }: Readings): readonly Mentioned[] {
  const units = findMentions(chunk, written)
  const wanted = new Set(told)
  const said = findMentions(chunk).filter(({ entity }) => wanted.has(entity))
  const all = new Map([...strangers, ...said, ...units].map((one) => [one.entity, one]))
  return [...all.values()].sort((a, b) => (a.entity < b.entity ? -1 : 1))
}
