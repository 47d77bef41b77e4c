/**
 * The terms of each passage of a chunk. A commit needs them twice, for the keyword index and for the words of names: they are kept by the chunk
 * object, for as long as the commit holds it.
 */
import { terms } from '../text/terms'
import { passageText } from './parts'
import type { TermCounts } from './reader'
import type { Chunk } from './types'

const known = new WeakMap<Chunk, readonly (readonly string[])[]>()

/** In order, with repeats; nobody changes them. */
export function passageTerms(chunk: Chunk): readonly (readonly string[])[] {
  const held = known.get(chunk)
  if (held) return held
  const made = chunk.passages.map((_, ordinal) => terms(passageText(chunk, ordinal), chunk.language))
  known.set(chunk, made)
  return made
}

/** Of a passage, by all of its terms. */
export function countedTerms(chunk: Chunk, ordinal: number, wanted: readonly string[]): TermCounts {
  const all = [...terms(chunk.title, chunk.language), ...(passageTerms(chunk)[ordinal] ?? [])]
  const counts = new Map(wanted.map((term) => [term, 0]))
  for (const term of all) {
    const count = counts.get(term)
    if (count !== undefined) counts.set(term, count + 1)
  }
  return { length: all.length, counts: wanted.map((term) => counts.get(term) ?? 0) }
}
