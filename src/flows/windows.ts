/**
 * Cuts a text into windows that a model can read, at word boundaries. Token counts are estimates, so a margin is kept. Windows tile the
 * text: joined, they give the text again. Scripts without spaces are cut between characters.
 */
import { countTokens } from '../core/text/tokens'

const SLACK = 0.95 // of a window is used when a text is divided evenly: words and characters per token vary within a text
const MARGIN = 0.8 // of the window is filled: vocabularies deviate from our estimate by up to a fifth

/** The text itself if it fits; otherwise as few windows as possible, of nearly equal length, so that their mean weighs all words alike. */
export function splitByWindow(text: string, window: number): string[] {
  const max = Math.max(1, Math.floor(window * MARGIN))
  // Even in single bytes, the last resort of every vocabulary, a code unit is at most three tokens: nothing needs counting.
  if (text.length * 3 <= max) return [text]
  const tokens = countTokens(text)
  if (tokens <= max) return [text]
  const out: string[] = []
  let from = 0
  for (let parts = Math.ceil(tokens / (max * SLACK)); from < text.length; parts--) {
    const even = parts > 1 ? whole(text, from, from + Math.ceil((text.length - from) / parts)) : text.length
    const to = countTokens(text.slice(from, even)) <= max ? even : border(text, from, max)
    out.push(text.slice(from, to))
    from = to
  }
  return out
}

/** The beginning of a text, at most so many tokens. */
export function clipToTokens(text: string, tokens: number): string {
  return countTokens(text) <= tokens ? text : text.slice(0, border(text, 0, Math.max(1, tokens))).trimEnd()
}

/** Where the longest piece of at most `max` tokens that starts at `from` ends. */
function border(text: string, from: number, max: number): number {
  const stride = max * 8 // characters; few languages have tokens this long
  let fits = from
  let over = from
  while (countTokens(text.slice(from, over)) <= max) {
    if (over === text.length) return over
    fits = over
    over = Math.min(text.length, over + stride)
  }
  while (over - fits > 1) {
    const middle = (fits + over) >> 1
    if (countTokens(text.slice(from, middle)) <= max) fits = middle
    else over = middle
  }
  return whole(text, from, Math.max(fits, from + 1))
}

/** Back to the last space in the piece's second half, or else to where no character is cut in two. */
function whole(text: string, from: number, to: number): number {
  for (let at = to; at > from + (to - from) / 2; at--) if (/\s/.test(text[at - 1] ?? '')) return at
  const code = text.charCodeAt(to)
  const low = code >= 0xdc00 && code <= 0xdfff
  return low ? (to - 1 > from ? to - 1 : to + 1) : to
}
