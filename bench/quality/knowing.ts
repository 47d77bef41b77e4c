/**
 * An artificially strong embedding model, to see whether strong vectors are trusted: texts of the corpus have vectors without meaning, and any other
 * text lies near those of the documents it is about. It knows each of them with a given chance, seeded. What a question is about is its gold;
 * what a probe is about, the document with most of its words.
 */
import { random } from '../../src/core/random'
import { terms } from '../../src/core/text/terms'
import { quantize } from '../../src/core/vectors'
import { DIMENSIONS, noise } from '../lib/embeddings'
import type { Corpus } from './corpora'

const NEAR = 2 // weight of what a text is about beside its own noise: a cosine of .9 where it is one thing

export function knowing(corpus: Corpus, chance: number): (texts: readonly string[]) => Promise<Int8Array[]> {
  const bodies = new Map(corpus.passages.map((one) => [one.id, one.text]))
  const gold = new Map(corpus.questions.map((one) => [one.text, one.gold]))
  const words = new Map<string, string[]>()
  for (const { id, text } of corpus.passages) for (const term of new Set(terms(text))) words.set(term, [...(words.get(term) ?? []), id])

  const closest = (text: string): string[] => {
    const votes = new Map<string, number>()
    for (const term of new Set(terms(text))) {
      const holders = words.get(term) ?? []
      for (const id of holders) votes.set(id, (votes.get(id) ?? 0) + Math.log(1 + bodies.size / holders.length))
    }
    const [best] = [...votes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    return best ? [best[0]] : []
  }
  const known = (text: string): string[] => (gold.get(text) ?? closest(text)).filter((id) => random(`${text} ${id}`).next() < chance)
  // A passage has the vector of its document's text: one passage is one document in these sets.
  const own = new Map(corpus.passages.map(({ id, text }) => [id, noise([text])[0] ?? new Int8Array(DIMENSIONS)]))
  const whole = new Map(corpus.passages.map((one) => [one.title ? `${one.title}\n${one.text}` : one.text, one.id]))
  return async (texts) =>
    texts.map((text) => {
      const id = whole.get(text)
      const base = noise([text])[0] ?? new Int8Array(DIMENSIONS)
      if (id !== undefined) return own.get(id) ?? base
      const about = known(text).flatMap((one) => own.get(one) ?? [])
      return quantize(Array.from(base, (value, i) => value + NEAR * about.reduce((sum, vector) => sum + (vector[i] ?? 0), 0)))
    })
}
