/**
 * German compounds parted by frequency (Koehn and Knight, "Empirical Methods for Compound Splitting", EACL 2003): into known words of the corpus, with a
 * letter or two of a joint between them, so that the geometric mean of the parts' frequencies is highest; the whole word is one of the candidates. For the
 * bench: parts are written behind text and question, as an index would hold them as further terms.
 */
import { germanStem } from '../../../src/core/text/german-stem'

const LEAST = 4 // letters of a part
const JOINTS = ['', 's', 'es', 'n', 'en', 'er', 'e'] // between two parts
const WORD = /\p{L}{4,}/gu

export type Vocabulary = ReadonlyMap<string, number>

export function vocabularyOf(texts: readonly string[]): Vocabulary {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const [word] of text.matchAll(WORD)) counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1)
  return counts
}

interface Split {
  readonly parts: readonly string[]
  readonly mean: number
}

/** Empty: the word stays whole. */
export function partsOf(word: string, known: Vocabulary): readonly string[] {
  const own = known.get(word) ?? 0
  const best = splits(word, known)
    .filter(({ parts }) => parts.length > 1)
    .sort((a, b) => b.mean - a.mean)[0]
  return best && best.mean >= own ? best.parts : []
}

function splits(word: string, known: Vocabulary): Split[] {
  const found: Split[] = []
  const walk = (rest: string, parts: readonly string[], product: number): void => {
    if (rest === '') found.push({ parts, mean: product ** (1 / parts.length) })
    for (let at = LEAST; at <= rest.length; at++) {
      const part = rest.slice(0, at)
      const count = part === word ? undefined : known.get(part)
      if (count === undefined) continue
      for (const joint of at === rest.length ? [''] : JOINTS)
        if (rest.startsWith(joint, at) && (joint === '' || rest.length - at - joint.length >= LEAST))
          walk(rest.slice(at + joint.length), [...parts, part], product * count)
    }
  }
  walk(word, [], 1)
  return found
}

/** The most that looking words up by how they end could do: whatever a known word ends in another, or begins with it, it is taken for a part. */
export function endsOf(word: string, known: Vocabulary): readonly string[] {
  const stem = germanStem(word)
  return [...known.keys()].filter((one) => {
    const own = germanStem(one)
    return own.length >= LEAST && stem.length >= own.length + 3 && (stem.endsWith(own) || stem.startsWith(own))
  })
}

/** With the parts of its compounds behind it. */
export function withParts(text: string, known: Vocabulary, part = partsOf): string {
  const parts = [...text.matchAll(WORD)].flatMap(([word]) => part(word.toLowerCase(), known))
  return parts.length > 0 ? `${text} ${parts.join(' ')}` : text
}
