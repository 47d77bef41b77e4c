/**
 * The parts of a text that contain no names: code between backticks and the time in a time stamp, which are overwritten so that everything else
 * stays in its place; and quotations that are sentences rather than titles. Pure.
 */
import { ADVERBS, OPENERS } from './openers'
import { STOP_WORDS } from './stop-words'

const CODE = /(?<!`)(`{1,3})(?!`)(?:(?!'')[^`\n])+\1(?!`)/gu
/** "2026-01-02T10:00:00.000Z", "10:00:00.000Z". */
const TIME =
  /(?<=\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?|(?<![\p{L}\p{N}])\d{2}:\d{2}:\d{2}(?:[.,]\d+)?Z?/gu
const OVER = '`'

export function withoutCode(text: string): string {
  const bare = text.includes('`') ? text.replace(CODE, (code) => OVER.repeat(code.length)) : text
  return bare.includes(':') ? bare.replace(TIME, (time) => OVER.repeat(time.length)) : bare
}

/** "Settings.Path", "tables.Rows": names of things in programs. */
export function isIdentifier(word: string): boolean {
  return /^\p{Lu}\p{L}*\p{Ll}[\p{L}\p{N}]*(?:\.\p{Lu}\p{L}*\p{Ll}[\p{L}\p{N}]*)+$/u.test(word)
}

const WORD = /[\p{L}\p{M}\p{N}’']+/gu
const LOWER = /^\p{Ll}/u
/** Verbs and negations, one of which may be in any sentence, in the languages whose titles have few capitals. */
const AUXILIARIES = new Set(
  (
    'am is are was were has have had do does did will would can could should must not ist sind war waren hat habe haben hatte hatten wird werden wurde wurden kann können muss müssen soll nicht ' +
    'est sont était étaient a ont avait peut pas es son está están era eran ha han había puede no'
  ).split(' '),
)
/** Small words that English shares with none of these languages: whoever writes them capitalises titles. */
const ENGLISH = new Set([...STOP_WORDS].filter((word) => word.length > 2 && !['was', 'had', 'once', 'her', 'down'].includes(word)))
/** Small words that stay in lower case in titles. */
const IN_TITLES = new Set(
  'of the a an and or nor for in on at to from by with into upon over under de la le les el los der die das von und et y e du des del al'.split(
    ' ',
  ),
)

/** Is a quotation something said, rather than what something is called? */
export function isSentence(quoted: string): boolean {
  const words = quoted.match(WORD) ?? []
  const lower = words.filter((word) => LOWER.test(word))
  if (!lower.some((word) => !IN_TITLES.has(word))) return false
  if (lower.some((word) => AUXILIARIES.has(word))) return true
  const first = (words[0] ?? '').toLowerCase()
  if (words.length > 2 && (ADVERBS.has(first) || (OPENERS.has(first) && !IN_TITLES.has(first)))) return true
  return lower.some((word) => ENGLISH.has(word) && !IN_TITLES.has(word)) || (words.length > 3 && lower.some((word) => word === 'the'))
}
