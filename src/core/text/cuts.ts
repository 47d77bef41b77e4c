/**
 * Cuts whatever is too long for one piece (a table, code, prose without punctuation) at the best border available: a line, a clause, a word, a
 * character. Together the pieces hold all non-blank text of the span, none is longer than the limit, and time is linear.
 */
import type { Span } from '../graph/types'
import { borderBefore, isBlank } from './borders'
import { countTokens } from './tokens'

const window = {
  widest: 7, // characters in a token at most, by our estimate
  min: 0.5, // share of the window that stays filled when a better border is looked for
} as const
const CLAUSE = /[;:,，、；：،؛—]/

export function trimmed(text: string, start: number, end: number): Span {
  let from = start
  let to = end
  while (from < to && isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return { start: from, end: to }
}

/** The span itself if it fits. */
export function cuts(text: string, span: Span, limit: number): Span[] {
  const out: Span[] = []
  let { start } = span
  while (start < span.end) {
    const end = furthest(text, start, span.end, Math.max(1, limit))
    const piece = trimmed(text, start, end)
    if (piece.end > piece.start) out.push(piece)
    start = end
    while (start < span.end && isBlank(text.charCodeAt(start))) start++
  }
  return out
}

function furthest(text: string, start: number, end: number, limit: number): number {
  let length = Math.min(end - start, limit * window.widest)
  // Every round removes at least a tenth: there are few rounds even if a character is many tokens.
  for (let tokens = countTokens(text.slice(start, start + length)); tokens > limit && length > 1; ) {
    length = Math.max(1, Math.floor(length * Math.min(0.9, limit / tokens)))
    tokens = countTokens(text.slice(start, start + length))
  }
  return start + length >= end ? end : Math.min(end, best(text, start, start + length))
}

function best(text: string, start: number, end: number): number {
  const min = start + Math.floor((end - start) * window.min)
  let clause = -1
  let word = -1
  for (let at = end; at > min; at--) {
    const code = text.charCodeAt(at - 1)
    if (code === 10) return at
    if (clause < 0 && CLAUSE.test(text[at - 1] ?? '') && borderBefore(text, start, at) === at) clause = at
    if (word < 0 && isBlank(code) && borderBefore(text, start, at) === at) word = at
  }
  if (clause > 0) return clause
  return word > 0 ? word : borderBefore(text, start, end)
}
