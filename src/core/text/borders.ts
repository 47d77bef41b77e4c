/**
 * Where a text may be cut without damaging a character: white space, surrogate pairs, combining sequences, emoji joined by ZWJ, flags, Hangul. A
 * few rules of our own instead of Intl.Segmenter: its tables change with the platform, but ids name content, so the same text must always be cut
 * the same.
 */

/** The longest character kept whole, in code units. Unicode's stream-safe format allows 30 marks on a letter; anything longer is an attack. */
const LONGEST = 64
const EXTENDS = /^(?:\p{M}|\u200c|\u200d|\p{Emoji_Modifier}|[\u{e0020}-\u{e007f}])/u
/** Viramas: the next consonant joins the one before. */
const LINKER = /[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d\u1039\u17d2]$/
const JAMO = /^[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/
const HANGUL = /[\u1100-\u11ff\ua960-\ua97c\uac00-\ud7fb]$/
const FLAGS = /(?:\ud83c[\udde6-\uddff])*$/

/** What `\s` matches, by code unit. */
export function isBlank(code: number): boolean {
  if (code < 0x80) return code === 32 || (code >= 9 && code <= 13)
  if (code < 0x1680) return code === 0xa0
  return (
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  )
}

/** Does a combining mark or joiner stand here, so that it may not be cut off from what comes before? */
export function extendsBefore(text: string, at: number): boolean {
  return text.charCodeAt(at) >= 0x300 && EXTENDS.test(text.slice(at, at + 2))
}

/** Does a character begin at `at`? */
export function isBorder(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true
  const next = text.charCodeAt(at)
  const before = text.charCodeAt(at - 1)
  if (before === 13 && next === 10) return false
  if (next < 0x300 || before === 10) return true
  if (low(next) && before >= 0xd800 && before <= 0xdbff) return false
  if (EXTENDS.test(text.slice(at, at + 2)) || before === 0x200d) return false
  if (LINKER.test(text[at - 1] ?? '') || (JAMO.test(text[at] ?? '') && HANGUL.test(text[at - 1] ?? ''))) return false
  return !insideFlag(text, at)
}

/**
 * The nearest border at or before `at`, after `from`; if a single character fills that space, the next border after `at`, or a place where no code
 * point breaks.
 */
export function borderBefore(text: string, from: number, at: number): number {
  for (let back = at; back > from && back > at - LONGEST; back--) if (isBorder(text, back)) return back
  for (let on = at + 1; on < at + LONGEST; on++) if (isBorder(text, on)) return Math.min(on, text.length)
  return low(text.charCodeAt(at)) ? at + 1 : at
}

function low(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** Flags are pairs of regional indicators: after an odd number of them the pair is still open. */
function insideFlag(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 0xd83c || text.charCodeAt(at - 2) !== 0xd83c) return false
  const second = text.charCodeAt(at + 1)
  if (second < 0xdde6 || second > 0xddff) return false
  const run = FLAGS.exec(text.slice(Math.max(0, at - LONGEST * 4), at))?.[0].length ?? 0
  return (run / 2) % 2 === 1
}
