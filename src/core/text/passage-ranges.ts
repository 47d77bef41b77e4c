/** Packs a text's sentences into passages: greedily, whole sentences, closing at a paragraph's end once a passage is full enough. */
import type { Span } from '../graph/types'
import { cuts } from './cuts'
import { sentences } from './sentences'
import { countTokens } from './tokens'

export interface Packed {
  /** None is longer than a passage. */
  readonly sentences: readonly Span[]
  /** Tokens of each sentence. */
  readonly tokens: readonly number[]
  /** If borders go by topic: how much it changes before each sentence (topic-shifts.ts). */
  readonly shifts?: readonly number[]
  /** Sentences from `first` up to but not including `last`, and the sum of their tokens. */
  readonly passages: readonly { readonly first: number; readonly last: number; readonly tokens: number }[]
}

const fill = {
  paragraph: 0.6, // share of the limit from which a paragraph's end closes the passage
  topic: 0.4, // share of the limit from which a change of topic may close it
  tail: 1.3, // times the limit: how long the last passage may grow, to take in a short remainder
  rest: 0.4, // share of the limit that counts as a short remainder
} as const
const PARAGRAPH = /\n[^\S\n]*\n|[\u2029]/
const HEADING = /^#{1,6} /

/** `shiftsOf`: if given, borders go by topic. */
export function passageRanges(text: string, limit: number, shiftsOf?: (spans: readonly Span[]) => readonly number[]): Packed {
  const { spans, tokens } = counted(text, limit)
  if (shiftsOf) {
    const shifts = shiftsOf(spans)
    return { sentences: spans, tokens, shifts, passages: passagesByTopic(tokens, shifts, limit) }
  }
  const passages: { first: number; last: number; tokens: number }[] = []
  let open = { first: 0, last: 0, tokens: 0 }
  for (const [i, count] of tokens.entries()) {
    const size = open.last - open.first
    const full = open.tokens + count > limit
    if (size > 0 && (full || (open.tokens >= limit * fill.paragraph && paragraphBefore(text, spans, i)))) {
      passages.push(open)
      open = { first: i, last: i, tokens: 0 }
    }
    open = { first: open.first, last: i + 1, tokens: open.tokens + count }
  }
  if (open.last > open.first) close(passages, open, limit)
  return { sentences: spans, tokens, passages }
}

/** Each sentence with the white space after it, so that sums of tokens come close to the tokens of the whole. */
function counted(text: string, limit: number): { readonly spans: readonly Span[]; readonly tokens: readonly number[] } {
  const spans: Span[] = []
  const tokens: number[] = []
  const whole = sentences(text)
  for (const [i, span] of whole.entries()) {
    const count = countTokens(text.slice(span.start, whole[i + 1]?.start ?? span.end))
    const pieces = count <= limit ? [span] : cuts(text, span, limit)
    for (const piece of pieces) {
      spans.push(piece)
      tokens.push(pieces.length === 1 ? count : countTokens(text.slice(piece.start, piece.end)))
    }
  }
  return { spans, tokens }
}

/** The last passage is joined to the one before if it is only a short remainder. */
function close(
  passages: { first: number; last: number; tokens: number }[],
  rest: { first: number; last: number; tokens: number },
  limit: number,
): void {
  const before = passages[passages.length - 1]
  const sum = rest.tokens + (before?.tokens ?? 0)
  if (!before || rest.tokens > limit * fill.rest || sum > limit * fill.tail) passages.push(rest)
  else passages[passages.length - 1] = { first: before.first, last: rest.last, tokens: sum }
}

/** Does sentence `i` begin a paragraph or a section? */
export function paragraphBefore(text: string, spans: readonly Span[], i: number): boolean {
  const start = spans[i]?.start ?? 0
  return PARAGRAPH.test(text.slice(spans[i - 1]?.end ?? 0, start)) || HEADING.test(text.slice(start, start + 7))
}

/** Each passage ends where the topic changes most, among the borders that leave it full enough; of equal borders, at the last. */
function passagesByTopic(tokens: readonly number[], shifts: readonly number[], limit: number): Packed['passages'] {
  const passages: { first: number; last: number; tokens: number }[] = []
  let left = tokens.reduce((sum, count) => sum + count, 0)
  for (let first = 0; first < tokens.length; ) {
    const open = left <= limit ? { first, last: tokens.length, tokens: left } : nextByTopic(first, { tokens, shifts, limit })
    if (open.last === tokens.length) close(passages, open, limit)
    else passages.push(open)
    left -= open.tokens
    first = open.last
  }
  return passages
}

function nextByTopic(
  first: number,
  { tokens, shifts, limit }: { readonly tokens: readonly number[]; readonly shifts: readonly number[]; readonly limit: number },
): { first: number; last: number; tokens: number } {
  let best = { first, last: first + 1, tokens: tokens[first] ?? 0 }
  let greatest = Number.NEGATIVE_INFINITY
  for (let last = first + 1, sum = tokens[first] ?? 0; last < tokens.length; sum += tokens[last] ?? 0, last++) {
    if (sum > limit) break
    const shift = shifts[last] ?? 0
    if (sum >= limit * fill.topic && shift < greatest) continue
    best = { first, last, tokens: sum }
    if (sum >= limit * fill.topic) greatest = shift
  }
  return best
}
