/**
 * The sentences of a text with exact UTF-16 offsets: they hold all non-blank text, in order, without overlap and without white space around them.
 * Terminators of Latin, CJK, Arabic, Indic, Ethiopic, Burmese, Khmer and Armenian writing; abbreviations, initials and decimals do not end a
 * sentence; blank lines, headings, list items, table rows and speakers' names begin one. Text without borders is cut at `longest`. One pass,
 * linear, and (unlike Intl.Segmenter, whose tables change with the platform) always the same everywhere: passages' ids name their content.
 */
import type { Span } from '../graph/types'
import { LEADING, MONTHS, NUMBERED, OPEN, STARTERS } from './abbreviations'
import { extendsBefore, isBlank } from './borders'
import { cuts, trimmed } from './cuts'
import { countTokens } from './tokens'

const longest = 400 // tokens; no sentence of prose is longer
/** A line of this many characters that does not end a sentence was wrapped by hand; a shorter or longer line stands by itself. */
export const wrapped = { min: 40, minCjk: 15, max: 120 } as const

const CANDIDATE = /[.!?…‽⁇⁈⁉。．｡！？।॥؟۔።፧။។៕։\n\u0085\u2028\u2029]|\r(?!\n)/g
const BREAKS = /[\n\r\u0085\u2028\u2029]/
/** More terminators, closing quotes and brackets, footnote numbers, and the emoji with which chat messages end. */
const TAIL =
  /(?:[.!?…。！？।॥؟۔]|["'”’»›)\]}」』）】》〉*_~`]|\p{M}|\u200d|\[\d{1,3}\]|(?: ?\p{Extended_Pictographic}(?:\p{Extended_Pictographic}|\p{M}|\u200d|\p{Emoji_Modifier})*))*/uy
const CLOSED = /["'”’»›)\]}」』）】》〉]/
const NEXT_WORD = /["'“‘„«‹([{¿¡*_`]*([\p{L}\p{N}]+)?/uy
const LOWER = /^\p{Ll}/u
const CAPITAL = /^\p{Lu}/u
const INITIALS = /^(?:\p{L}\.)*\p{Lu}$|^(?:\p{L}\p{M}*\.)+\p{L}\p{M}*$/u
const ORDINAL = /^(?:\d{1,3}|\p{L})$/u
const DAY = /^(?:[12]?\d|3[01])$/
const DIGIT = /^\p{Nd}/u
const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/
const HIRAGANA = /[\u3041-\u309f]/
/** The beginning of a line that stands by itself: blank, heading, list item, quotation, table row, fence, rule, or a speaker's name. */
const OPENS_LINE = /[ \t\r]*(?:$|#{1,6} |[-*+•–] |\(?\d{1,3}[.)] |>|\||```|~~~|===|---|[^\s:]{1,40}: )/my
const STANDS_ALONE = /[ \t]*(?:#{1,6} |\||```|~~~)/y

export function sentences(text: string): Span[] {
  const out: Span[] = []
  let from = nextStart(text, 0)
  let line = 0
  CANDIDATE.lastIndex = 0
  for (let match = CANDIDATE.exec(text); match; match = CANDIDATE.exec(text)) {
    const at = match.index
    const inside = at >= from // otherwise within white space already passed
    if (BREAKS.test(match[0])) {
      if (inside && endsLine(text, line, at)) {
        add(out, text, from, at)
        from = nextStart(text, at)
      }
      line = at + 1
      continue
    }
    TAIL.lastIndex = at + 1
    const end = at + 1 + (TAIL.exec(text)?.[0].length ?? 0)
    CANDIDATE.lastIndex = end
    if (!endsSentence(text, from, at, end)) continue
    add(out, text, from, end)
    from = nextStart(text, end)
  }
  add(out, text, from, text.length)
  return out
}

function add(out: Span[], text: string, from: number, to: number): void {
  const span = trimmed(text, from, to)
  if (span.end <= span.start) return
  // A token is never shorter than a code unit, except for emoji and rare Han: two units and at most two tokens.
  const short = span.end - span.start <= longest || countTokens(text.slice(span.start, span.end)) <= longest
  if (short) out.push(span)
  else out.push(...cuts(text, span, longest))
}

function endsLine(text: string, line: number, at: number): boolean {
  if (matches(OPENS_LINE, text, at + 1) || matches(STANDS_ALONE, text, line)) return true
  const length = at - line
  return length < (CJK.test(text[at - 1] ?? '') ? wrapped.minCjk : wrapped.min) || length > wrapped.max
}

function endsSentence(text: string, from: number, at: number, end: number): boolean {
  const mark = text[at] ?? ''
  if (end >= text.length) return true
  const closed = CLOSED.test(text.slice(at + 1, end))
  if (mark > '\x7f' && mark !== '…') return !(closed && HIRAGANA.test(text[end] ?? '')) && !inNumber(text, at)
  if (!isBlank(text.charCodeAt(end))) return (mark === '!' || mark === '?') && CJK.test(text[end] ?? '')
  const next = nextStart(text, end)
  // A combining mark on a space belongs to the space.
  if (extendsBefore(text, next) && !BREAKS.test(text[next - 1] ?? '')) return false
  NEXT_WORD.lastIndex = next
  const word = NEXT_WORD.exec(text)?.[1] ?? ''
  const dots = mark === '…' || text[at + 1] === '.'
  if (mark === '.' && !dots) return stopEnds(text, from, at, { word, closed })
  return !LOWER.test(word) || (!dots && !closed && !CAPITAL.test(wordBefore(text, from, at)))
}

/** Does a single full stop end the sentence if this word comes next? */
function stopEnds(text: string, from: number, at: number, next: { readonly word: string; readonly closed: boolean }): boolean {
  const word = wordBefore(text, from, at)
  const folded = word.toLowerCase()
  if (ORDINAL.test(word) && at - from <= word.length + 1) return false // "1. First", "(a. …"
  if (next.closed) return !LOWER.test(next.word)
  if (DAY.test(word) && MONTHS.has(next.word.toLowerCase())) return false // "am 3. Mai"
  if (LEADING.has(folded)) return false
  if (NUMBERED.has(folded)) return !DIGIT.test(next.word) && !LOWER.test(next.word)
  if (OPEN.has(folded) || INITIALS.test(word)) return CAPITAL.test(next.word) && STARTERS.has(next.word.toLowerCase())
  if (!LOWER.test(next.word)) return true
  // Prose without capitals; a short or capitalised word may be an unlisted abbreviation.
  return word.length >= 4 && LOWER.test(word) && !word.includes('.')
}

/** The word before a mark, without opening quotes and brackets; at most 24 characters back. */
function wordBefore(text: string, from: number, at: number): string {
  let start = at
  const min = Math.max(from, at - 24)
  while (start > min && !isBlank(text.charCodeAt(start - 1))) start--
  return text.slice(start, at).replace(/^[^\p{L}\p{N}]+/u, '')
}

function inNumber(text: string, at: number): boolean {
  return text[at] === '．' && DIGIT.test(text[at - 1] ?? '') && DIGIT.test(text[at + 1] ?? '')
}

function nextStart(text: string, end: number): number {
  let at = end
  while (at < text.length && isBlank(text.charCodeAt(at))) at++
  return at
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}
