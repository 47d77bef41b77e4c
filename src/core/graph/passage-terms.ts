/**
 * The terms of each passage of a chunk. A commit needs them twice, for the keyword index and for the words of names: they are kept by the chunk
 * object, for as long as the commit holds it.
 */
import { terms } from '../text/terms'
import { passageText } from './parts'
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
