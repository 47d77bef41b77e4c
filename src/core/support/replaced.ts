/** Different things stand in the same place of both statements: "adults with epilepsy", "adults with migraine". Pure. */
import type { Matches } from './matches'
import type { Phrase } from './phrases'
import type { Sentence } from './read'
import type { Reason } from './reason'

export function replaced(claim: Sentence, places: readonly number[], sentence: Sentence, matches: Matches): Reason[] {
  const wanted = new Set(places)
  const said = new Set([...matches.values()].flatMap((match) => (match ? [match.at] : [])))
  const own = claim.phrases.flat().filter((phrase) => isThing(phrase) && phrase.places.every((at) => wanted.has(at)))
  const others = sentence.phrases.flat().filter(isThing)
  const first = claim.phrases.flat().find((phrase) => phrase.tie === 'core')
  const subject = own.find((phrase) => phrase === first)
  return own.flatMap((phrase) => {
    if (phrase.places.some((at) => matches.get(at))) return modified(claim, phrase, sentence, matches, said)
    if (phrase.places.some((at) => matches.has(at))) return []
    const rival =
      phrase.tie === 'core'
        ? unsaid(phrase === subject ? others.find((other) => other.tie === 'core') : undefined, said)
        : others.find((other) => other.tie === phrase.tie && unsaid(other, said))
    if (rival) return [{ fault: 'replaced' as const, claim: textOf(claim, phrase.places), source: textOf(sentence, rival.places) }]
    // The claim's subject is not named: whatever else the sentence says is about something else.
    return phrase === subject ? [{ fault: 'replaced' as const, claim: textOf(claim, phrase.places) }] : []
  })
}

function isThing(phrase: Phrase): boolean {
  return !phrase.isPronoun && phrase.places.length > 0
}

function unsaid(phrase: Phrase | undefined, said: ReadonlySet<number>): Phrase | undefined {
  return phrase?.places.some((at) => said.has(at)) ? undefined : phrase
}

/** Phrases with the same head whose names differ: "the engineer Thomas Palmer", "the engineer Ruth Palmer". */
function modified(claim: Sentence, { places }: Phrase, sentence: Sentence, matches: Matches, said: ReadonlySet<number>): Reason[] {
  const missing = places.filter((at) => !matches.get(at) && claim.words[at]?.capital)
  const at = places.map((one) => matches.get(one)?.at).find((one) => one !== undefined)
  const other = at === undefined ? undefined : sentence.phrases.flat().find((phrase) => phrase.places.includes(at))
  const left = other?.places.filter((one) => !said.has(one) && sentence.words[one]?.capital) ?? []
  return missing.length === 0 || left.length === 0
    ? []
    : [{ fault: 'replaced', claim: textOf(claim, missing), source: textOf(sentence, left) }]
}

export function textOf(sentence: Sentence, places: readonly number[]): string {
  return places.map((at) => sentence.words[at]?.text ?? '').join(' ')
}
