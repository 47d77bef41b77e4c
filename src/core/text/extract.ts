/**
 * A summary without a model: whole sentences of the texts, chosen because their words are frequent and not yet said (SumBasic, Vanderwende et al.
 * 2007, evaluated lazily: gains only fall, so few are computed again). Which sentences are chosen does not depend on the order of the texts; they
 * stand in reading order. Nothing is invented: every piece is a slice of a text.
 */
import { cuts } from './cuts'
import { type Named, numberedTerms, type SentenceTerms, sentenceTerms } from './sentence-terms'
import { countTokens } from './tokens'

const weigh = {
  smooth: 6, // terms added to a sentence's length, so that a heading of one frequent word does not win
  first: 1.3, // a text's first sentence says what it is about
  termsPerToken: 4, // no tokenizer makes fewer tokens of a sentence than this: what surely does not fit need not be counted
  said: 0.2, // share of its weight left to a term once a chosen sentence has said it
} as const

const HEAD = 4 // numbers before a sentence's terms
const TOKENS = 2 // places before them for its number of tokens

interface Sentence {
  readonly text: string
  readonly at: number
  /** Numbers of its terms, at these places. */
  readonly terms: SentenceTerms
  readonly from: number
  readonly to: number
  readonly bonus: number
}

interface Candidate {
  readonly sentence: Sentence
  readonly gain: number
}

/** At most `tokens` tokens; empty only if the texts are blank. A text with a name is analysed once, however often it is read. */
export function summarize(texts: readonly (string | Named)[], tokens: number): string {
  const all = collected(texts)
  const budget = Math.max(1, tokens)
  const chosen = choose(all, weights(all), budget).sort((a, b) => a.at - b.at)
  const shortest = chosen.length > 0 ? undefined : all[0]
  if (shortest) return clipped(best(all, weights(all))?.text ?? shortest.text, budget)
  return chosen.map((one) => one.text).join(' ')
}

/** Every different sentence once, at its first place. */
function collected(texts: readonly (string | Named)[]): readonly Sentence[] {
  const seen = new Map<string, Sentence>()
  for (const [i, terms] of sentenceTerms(texts).entries()) {
    const text = textOf(texts[i])
    for (let from = HEAD; from <= terms.length; ) {
      const [start, end, count] = [terms[from - 4] as number, terms[from - 3] as number, terms[from - 1] as number]
      const slice = text.slice(start, end)
      const bonus = from === HEAD ? weigh.first : 1
      const known = seen.get(slice)
      if (known) seen.set(slice, { ...known, bonus: Math.max(known.bonus, bonus) })
      else seen.set(slice, { text: slice, at: seen.size, terms, from, to: from + count, bonus })
      from += count + HEAD
    }
  }
  return [...seen.values()]
}

function textOf(text: string | Named | undefined): string {
  return typeof text === 'object' ? text.text : (text ?? '')
}

let scratch = new Float64Array(0)

/** In how many sentences each term occurs; values of other terms are arbitrary. Valid until the next call. */
function weights(all: readonly Sentence[]): Float64Array {
  if (scratch.length < numberedTerms()) scratch = new Float64Array(2 * numberedTerms())
  const out = scratch
  for (const { terms, from, to } of all) for (let i = from; i < to; i++) out[terms[i] as number] = 0
  for (const { terms, from, to } of all) {
    for (let i = from; i < to; i++) out[terms[i] as number] = (out[terms[i] as number] as number) + 1
  }
  return out
}

/** Chooses greedily, lowering the weight of what has been said. */
function choose(all: readonly Sentence[], weight: Float64Array, budget: number): Sentence[] {
  const queue = all.map((sentence) => ({ sentence, gain: gain(sentence, weight) })).sort(order)
  const chosen: Sentence[] = []
  let left = budget
  // The best candidate is the last.
  for (let top = queue.pop(); top; top = queue.pop()) {
    const now = { sentence: top.sentence, gain: gain(top.sentence, weight) }
    const next = queue[queue.length - 1]
    if (next && order(now, next) < 0) {
      queue.splice(place(queue, now), 0, now)
      continue
    }
    const { terms, from, to } = top.sentence
    if (to - from > left * weigh.termsPerToken) continue
    // Counted only now, since few sentences ever come to the top.
    const cost = tokensOf(top.sentence) + (chosen.length > 0 ? 1 : 0)
    if (cost > left) continue
    chosen.push(top.sentence)
    left -= cost
    for (let i = from; i < to; i++) weight[terms[i] as number] = (weight[terms[i] as number] as number) * weigh.said
  }
  return chosen
}

/** Counted once if the text is remembered. */
function tokensOf({ text, terms, from }: Sentence): number {
  const known = terms[from - TOKENS] as number
  if (known > 0) return known
  const counted = countTokens(text)
  terms[from - TOKENS] = counted
  return counted
}

function best(all: readonly Sentence[], weight: Float64Array): Sentence | undefined {
  return all
    .map((sentence) => ({ sentence, gain: gain(sentence, weight) }))
    .sort(order)
    .pop()?.sentence
}

function gain({ terms, from, to, bonus }: Sentence, weight: Float64Array): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += weight[terms[i] as number] as number
  return (bonus * sum) / (to - from + weigh.smooth)
}

/** Ascending; ties are broken by the text itself, not by its place. */
function order(a: Candidate, b: Candidate): number {
  if (a.gain !== b.gain) return a.gain - b.gain
  return a.sentence.text < b.sentence.text ? 1 : -1
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
