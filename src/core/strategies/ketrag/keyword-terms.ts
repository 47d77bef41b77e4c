/**
 * Which keywords a chunk holds, in which passages and in which sentences. Keywords are search terms: folded, stemmed, without stop words, so that
 * "The" is not a keyword and "Film" is "film". Pure functions of the text; a passage also holds its title's terms, as in the index.
 */
import type { Chunk } from '../../graph/types'
import { terms } from '../../text/terms'

export interface ChunkTerms {
  /** Passages of the chunk in which the keyword occurs, as the keyword index counts them. */
  readonly passages: ReadonlyMap<string, number>
  /** Ordinals of the sentences that say the keyword themselves. */
  readonly units: ReadonlyMap<string, readonly number[]>
}

export function chunkTerms(chunk: Chunk): ChunkTerms {
  const title = terms(chunk.title, chunk.language)
  const inPassage = chunk.passages.map(() => new Set(title))
  const units = new Map<string, number[]>()
  chunk.units.forEach((unit, ordinal) => {
    for (const term of new Set(terms(chunk.text.slice(unit.start, unit.end), chunk.language))) {
      inPassage[unit.passage]?.add(term)
      const known = units.get(term)
      if (known) known.push(ordinal)
      else units.set(term, [ordinal])
    }
  })
  const passages = new Map<string, number>()
  for (const held of inPassage) for (const term of held) passages.set(term, (passages.get(term) ?? 0) + 1)
  return { passages, units }
}

const PLAIN = /^[\u0020-\u007e\s]*$/
const STEMMED = /^[a-z]{4,}$/
const HEAD = 3 // letters of a word that its stem never changes

/** Sentences of one passage that say the keyword. */
export function unitsSaying(chunk: Chunk, passage: number, term: string): readonly number[] {
  const head = STEMMED.test(term) ? term.slice(0, HEAD) : ''
  return chunk.units.flatMap((unit, ordinal) => {
    if (unit.passage !== passage) return []
    const text = chunk.text.slice(unit.start, unit.end)
    // Comparing three letters rules out most sentences, at a hundredth of the cost of analysing them.
    if (head !== '' && !chunk.language && PLAIN.test(text) && !text.toLowerCase().includes(head)) return []
    return terms(text, chunk.language).includes(term) ? [ordinal] : []
  })
}
