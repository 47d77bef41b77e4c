/**
 * How much the topic changes before each sentence of a text: one minus the cosine of the words around that border, with more weight for words that
 * are rare in the text. This is TextTiling (Hearst, Computational Linguistics 23/1, 1997) with groups of sentences for its blocks. Pure: a text has
 * the same shifts whenever and wherever it is cut, so that ids that name its chunks stay valid; nothing here depends on a model or its file.
 */
import type { Span } from '../graph/types'
import type { Stemmed } from './languages'
import { terms } from './terms'

/** Shifts that do not depend on words: before a heading, and inside anything that should stay whole. */
const BEST = 2
const WORST = -1
const GROUP = 3 // sentences on each side of a border
const FENCE = /^(?:`{3,}|~{3,})/
const HEADING = /^#{1,6} /

/** How similar the sentences before and after border `i` are: 1, the same; 0, nothing in common. */
export type Likeness = (i: number) => number
export type Comparison = (text: string, spans: readonly Span[], language: Stemmed | undefined) => Likeness

export function topicShifts(text: string, spans: readonly Span[], language: Stemmed | undefined, compare: Comparison = byWords): number[] {
  const likeness = compare(text, spans, language)
  return borders(text, spans).map((known, i) => known ?? 1 - likeness(i))
}

/**
 * What is known about a border without looking at words: a heading begins a part and is never separated from it; fenced code and tables are not
 * divided.
 */
function borders(text: string, spans: readonly Span[]): (number | undefined)[] {
  let fence = ''
  let before: Kind = 'prose'
  return spans.map(({ start, end }, i) => {
    const sentence = text.slice(start, end)
    const mark = FENCE.exec(sentence)?.[0] ?? ''
    const kind = fence !== '' || mark !== '' ? 'code' : kindOf(sentence)
    const isInside = fence !== '' || before === 'heading' || (before === 'row' && kind === 'row')
    fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence
    before = kind
    if (isInside) return WORST
    return i === 0 || kind === 'heading' ? BEST : undefined
  })
}

type Kind = 'heading' | 'row' | 'code' | 'prose'

function kindOf(sentence: string): Kind {
  if (HEADING.test(sentence)) return 'heading'
  return sentence.startsWith('|') ? 'row' : 'prose'
}

const byWords: Comparison = (text, spans, language) => {
  const bags = spans.map(({ start, end }) => terms(text.slice(start, end), language))
  const sentencesWith = new Map<string, number>()
  for (const bag of bags) for (const term of new Set(bag)) sentencesWith.set(term, (sentencesWith.get(term) ?? 0) + 1)
  const weight = (term: string): number => Math.log(1 + spans.length / (sentencesWith.get(term) ?? 1))
  return (i) => cosine(weighed(bags.slice(Math.max(0, i - GROUP), i), weight), weighed(bags.slice(i, i + GROUP), weight))
}

function weighed(bags: readonly (readonly string[])[], weight: (term: string) => number): Map<string, number> {
  const out = new Map<string, number>()
  for (const bag of bags) for (const term of bag) out.set(term, (out.get(term) ?? 0) + weight(term))
  return out
}

function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let dot = 0
  for (const [term, value] of a) dot += value * (b.get(term) ?? 0)
  return dot === 0 ? 0 : dot / Math.sqrt(squares(a) * squares(b))
}

function squares(bag: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const value of bag.values()) sum += value * value
  return sum
}
