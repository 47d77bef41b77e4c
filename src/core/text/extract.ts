/**
 * A summary without a model: whole sentences of the texts, chosen because their words are frequent and not yet said (SumBasic, Vanderwende et al.
 * 2007, evaluated lazily: gains only fall, so few are computed again). Which sentences are chosen does not depend on the order of the texts; they
 * stand in reading order. Nothing is invented: every piece is a slice of a text.
 */
import { cuts } from './cuts'
import { FIRST, identity, rememberedTerms, SENTENCE, type SentenceTerms, sentenceTerms } from './sentence-terms'
import { countTokens } from './tokens'

const by = {
  smooth: 6, // terms added to a sentence's length, so that a heading of one frequent word does not win
  first: 1.3, // a text's first sentence says what it is about
  termsPerToken: 4, // no tokenizer makes fewer tokens of a sentence than this: what surely does not fit need not be counted
  said: 0.2, // share of its weight left to a term once a chosen sentence has said it
} as const

/** A text already divided; itself it is read only if a sentence of it is wanted. */
export interface Material {
  readonly terms: SentenceTerms
  /** The text that was divided. */
  readonly text: () => string
}

/** `again`: it will probably be read again. */
export function materialOf(text: string, again = false): Material {
  return { terms: again ? rememberedTerms(text) : sentenceTerms(text), text: () => text }
}

interface Sentence {
  readonly material: Material
  /** Where its numbers are among those of the material. */
  readonly place: number
  readonly at: number
  bonus: number
  /** Where the places of its terms begin and end (`weigh`). */
  from: number
  to: number
}

interface Candidate {
  readonly sentence: Sentence
  readonly gain: number
}

/** At most `tokens` tokens; empty only if the texts are blank. */
export function summarize(texts: readonly Material[], tokens: number): string {
  const all = collected(texts)
  const budget = Math.max(1, tokens)
  const chosen = choose(all, budget).sort((a, b) => a.at - b.at)
  const shortest = chosen.length > 0 ? undefined : all[0]
  if (shortest) return clipped(textOf(best(all) ?? shortest), budget)
  return chosen.map(textOf).join(' ')
}

/** Every different sentence once, at its first place. */
function collected(texts: readonly Material[]): readonly Sentence[] {
  const seen = new Map<number, Sentence>()
  for (const material of texts) {
    const { terms } = material
    for (let place = FIRST; place < terms.length; place += SENTENCE.terms + (terms[place + SENTENCE.count] as number)) {
      const bonus = place === FIRST ? by.first : 1
      const hash = identity(terms[place + SENTENCE.hash] as number, terms[place + SENTENCE.rest] as number)
      const known = seen.get(hash)
      if (known) known.bonus = Math.max(known.bonus, bonus)
      else seen.set(hash, { material, place, at: seen.size, bonus, from: 0, to: 0 })
    }
  }
  return [...seen.values()]
}

function textOf({ material: { terms, text }, place }: Sentence): string {
  return text().slice(terms[place + SENTENCE.start], terms[place + SENTENCE.end])
}

// Valid until the next call of `weigh`.
let hashes = new Int32Array(0) // a table of the terms that occur
let weight = new Float64Array(0) // by place in the table
let places = new Int32Array(0) // in the table, of one term of a sentence after the other

/** Gives each term its weight: in how many sentences it occurs. */
function weigh(all: readonly Sentence[]): void {
  const count = all.reduce((sum, { material: { terms }, place }) => sum + (terms[place + SENTENCE.count] as number), 0)
  const size = 2 ** Math.ceil(Math.log2(2 * count + 1))
  if (places.length < count) places = new Int32Array(2 * count)
  if (hashes.length < size) [hashes, weight] = [new Int32Array(size), new Float64Array(size)]
  hashes.fill(0, 0, size)
  weight.fill(0, 0, size)
  let next = 0
  for (const sentence of all) {
    const { terms } = sentence.material
    const first = sentence.place + SENTENCE.terms
    sentence.from = next
    for (let i = first; i < first + (terms[first - 1] as number); i++) {
      const place = placed(terms[i] as number, size)
      weight[place] = (weight[place] as number) + 1
      places[next++] = place
    }
    sentence.to = next
  }
}

/** `size` is a power of two, more than twice the number of terms. */
function placed(hash: number, size: number): number {
  let place = hash & (size - 1)
  while (hashes[place] !== 0 && hashes[place] !== hash) place = (place + 1) & (size - 1)
  hashes[place] = hash
  return place
}

/** Chooses greedily, lowering the weight of what has been said. */
function choose(all: readonly Sentence[], budget: number): Sentence[] {
  weigh(all)
  const queue = all.map((sentence) => ({ sentence, gain: gain(sentence) })).sort(order)
  const chosen: Sentence[] = []
  let left = budget
  // The best candidate is the last.
  for (let top = queue.pop(); top; top = queue.pop()) {
    const now: Candidate = { sentence: top.sentence, gain: gain(top.sentence) }
    const next = queue[queue.length - 1]
    if (next && order(now, next) < 0) {
      queue.splice(place(queue, now), 0, now)
      continue
    }
    const { from, to } = top.sentence
    if (to - from > left * by.termsPerToken) continue
    // Counted only now, since few sentences ever come to the top.
    const cost = tokensOf(top.sentence) + (chosen.length > 0 ? 1 : 0)
    if (cost > left) continue
    chosen.push(top.sentence)
    left -= cost
    for (let i = from; i < to; i++) weight[places[i] as number] = (weight[places[i] as number] as number) * by.said
  }
  return chosen
}

/** Counted once, as long as the terms are remembered. */
function tokensOf(sentence: Sentence): number {
  const { terms } = sentence.material
  const at = sentence.place + SENTENCE.tokens
  const known = terms[at] as number
  if (known > 0) return known
  const counted = countTokens(textOf(sentence))
  terms[at] = counted
  return counted
}

function best(all: readonly Sentence[]): Sentence | undefined {
  weigh(all)
  return all
    .map((sentence) => ({ sentence, gain: gain(sentence) }))
    .sort(order)
    .pop()?.sentence
}

function gain({ from, to, bonus }: Sentence): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += weight[places[i] as number] as number
  return (bonus * sum) / (to - from + by.smooth)
}

/** Ascending; ties are broken by the text itself, not by its place. */
function order(a: Candidate, b: Candidate): number {
  if (a.gain !== b.gain) return a.gain - b.gain
  return textOf(a.sentence) < textOf(b.sentence) ? 1 : -1
}

function place(queue: readonly Candidate[], one: Candidate): number {
  let low = 0
  let high = queue.length
  while (low < high) {
    const middle = (low + high) >> 1
    const other = queue[middle]
    if (other && order(other, one) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function clipped(text: string, budget: number): string {
  const piece = cuts(text, { start: 0, end: text.length }, budget)[0]
  return piece ? text.slice(piece.start, piece.end) : text
}
