/**
 * Which short names a text introduces for a long one: "World Health Organization (WHO)", and "WHO (World Health Organization)". The letters are
 * matched from the right, as Schwartz and Hearst do (A Simple Algorithm for Identifying Abbreviation Definitions in Biomedical Text, PSB 2003), but
 * only against whole names that were found. Pure; linear in the text.
 */
import type { Mention } from './entities'

const SHORT = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}]|[.&/-](?=[\\p{L}\\p{N}])){1,9}\\.?'
const BEHIND = new RegExp(`^\\s{0,2}\\(\\s?(?:(?:the|or|also|abbreviated|short) ){0,2}["“]?(?<short>${SHORT})["”]?\\s?[),;]`, 'u')
const BEFORE = new RegExp(`(?<![\\p{L}\\p{N}])(?<short>${SHORT})\\s?\\($`, 'u')
const CAPITALS = /\p{Lu}/gu
const LETTER = /[\p{L}\p{N}]/u
const MIN_CAPITALS = 2 // "Mercury (Hg)" and "Paris (fr)" do not count

/** A sentence with the names in it. */
export interface Named {
  readonly text: string
  readonly names: readonly Mention[]
}

/** From a short name, as written, to the surface of the long one. A name that stands for several here is left out. */
export function acronyms(sentences: readonly Named[]): ReadonlyMap<string, string> {
  const found = new Map<string, string | undefined>()
  const note = (short: string, long: string): void => {
    found.set(short, found.has(short) && found.get(short)?.toLowerCase() !== long.toLowerCase() ? undefined : long)
  }
  for (const { text, names } of sentences) {
    if (!text.includes('(')) continue
    for (const name of names) {
      if (name.type !== 'name') continue
      const short = BEHIND.exec(text.slice(name.end, name.end + 40))?.groups?.short
      if (short !== undefined && standsFor(short, name.surface)) note(short, name.surface)
      const before = isWithin(text, name) ? BEFORE.exec(text.slice(Math.max(0, name.start - 16), name.start))?.groups?.short : undefined
      if (before !== undefined && standsFor(before, name.surface)) note(before, name.surface)
    }
  }
  return new Map([...found].flatMap(([short, long]) => (long === undefined ? [] : [[short, long] as const])))
}

/** Is the name all that the parentheses hold? */
const isWithin = (text: string, { start, end }: Mention): boolean => text[start - 1] === '(' && /[),;]/u.test(text[end] ?? '')

/** Does the long name have its letters in this order, the first at its beginning and each capital at the beginning of a word or as a capital? */
export function standsFor(short: string, long: string): boolean {
  const letters = [...short].filter((letter) => LETTER.test(letter))
  const capitals = short.match(CAPITALS)?.length ?? 0
  const words = long.split(/[\s\-–/]+/u).length
  if (letters.length < 2 || capitals < MIN_CAPITALS || words < 2 || letters.length >= [...long].length || words > 2 * letters.length)
    return false
  const text = [...long]
  let at = text.length - 1
  for (let i = letters.length - 1; i >= 0; i--) {
    const letter = letters[i] ?? ''
    const fits = (place: number): boolean => {
      if (text[place]?.toLowerCase() !== letter.toLowerCase()) return false
      return i === 0 ? place === 0 : !/\p{Lu}/u.test(letter) || isStart(text, place)
    }
    while (at >= 0 && !fits(at)) at--
    if (at < 0) return false
    at--
  }
  return true
}

function isStart(text: readonly string[], place: number): boolean {
  return place === 0 || !LETTER.test(text[place - 1] ?? '') || /\p{Lu}/u.test(text[place] ?? '')
}

/** Does a text say it exactly as written? */
export function says(text: string, short: string): boolean {
  for (let at = text.indexOf(short); at >= 0; at = text.indexOf(short, at + 1))
    if (!LETTER.test(text[at - 1] ?? '') && !LETTER.test(text[at + short.length] ?? '')) return true
  return false
}
