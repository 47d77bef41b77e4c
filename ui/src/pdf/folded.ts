/**
 * A text reduced to what two readings of one page have in common: without spaces, breaks and hyphens, ligatures and accents taken apart.
 * Each letter knows where it stands in the text.
 */

export interface Folded {
  readonly letters: string
  /** For each letter: the offset of the character it comes from, and that character's length. */
  readonly at: readonly number[]
  readonly lengths: readonly number[]
}

const PASSED_OVER = /[\s\p{Cc}\p{Cf}\p{Pd}]/gu // soft hyphens, and marks of direction, are among the last but one

export function fold(text: string): Folded {
  let letters = ''
  const at: number[] = []
  const lengths: number[] = []
  let offset = 0
  for (const character of text) {
    const folded = character.normalize('NFKD').replace(PASSED_OVER, '')
    letters += folded
    for (let i = 0; i < folded.length; i++) {
      at.push(offset)
      lengths.push(character.length)
    }
    offset += character.length
  }
  return { letters, at, lengths }
}
