/**
 * Dates in the spellings of four languages, reduced to what they say: "3 May 1921", "May 3, 1921", "3. Mai 1921", "3 de mayo de 1921", "1921-05-03"
 * and "03.05.1921" are one date. A date that says less than another agrees with it. Pure.
 */
import { months } from './grammar/languages'

export interface DateSaid {
  readonly year?: number
  readonly month?: number
  readonly day?: number
  /** 3/5 may be the third of May or the fifth of March. */
  readonly swapped?: true
}

const MONTHS = new Map<string, number>()
for (const names of months) {
  for (const [i, spellings] of names.split(' ').entries()) for (const name of spellings.split('/')) MONTHS.set(name, i + 1)
}
/** These also mean something else: they count only beside a day or a year. */
const AMBIGUOUS = new Set([
  'may',
  'march',
  'mar',
  'sept',
  'sep',
  'jan',
  'abr',
  'ago',
  'ene',
  'dez',
  'mars',
  'mai',
  'jun',
  'jul',
  'août',
  'avr',
  'juil',
  'oct',
  'okt',
  'nov',
  'dec',
  'déc',
  'feb',
  'apr',
  'aug',
  'dic',
  'mär',
  'jänner',
])

const NAMES = [...MONTHS.keys()].sort((a, b) => b.length - a.length).join('|')
const YEAR = '(?:1\\d|20)\\d\\d(?![\\d.,]?\\d)'
const DAY = '(?:[12]\\d|3[01]|0?[1-9])'
const MONTH = `(?:${NAMES})(?![\\p{L}\\p{M}])\\.?`

/** Sticky: at the beginning of a word or number. */
export const DATE = new RegExp(
  [
    `(?<d1>${DAY})(?:st|nd|rd|th|er|º|\\.)? (?:of |de )?(?<m1>${MONTH})(?:,? (?:de |del )?(?<y1>${YEAR}))?`,
    `(?<m2>${MONTH}) (?<d2>${DAY})(?:st|nd|rd|th)?(?![\\d.,]?\\d)(?:,? (?<y2>${YEAR}))?`,
    `(?<m3>${MONTH}) (?:of |de |del )?(?<y3>${YEAR})`,
    `(?<y4>\\d{4})-(?<m4>\\d{2})-(?<d4>\\d{2})(?!\\d)`,
    `(?<d5>\\d{1,2})(?<sign>[./])(?<m5>\\d{1,2})[./](?<y5>\\d{4}|\\d{2})(?![\\d%])`,
    `(?<y6>\\d{4})年(?:(?<m6>\\d{1,2})月)?(?:(?<d6>\\d{1,2})日)?`,
  ].join('|'),
  'iuy',
)

export function dateOf(groups: { readonly [name: string]: string | undefined }): DateSaid | undefined {
  const pick = (letter: string): string | undefined =>
    [1, 2, 3, 4, 5, 6].map((i) => groups[`${letter}${i}`]).find((one) => one !== undefined)
  const [year, month, day] = [pick('y'), pick('m'), pick('d')]
  const monthNumber = month === undefined ? undefined : (monthOf(month.replace('.', '')) ?? Number(month))
  const numeric = groups.d5 !== undefined
  if (numeric && (Number(month) > 12 || Number(day) > 12)) return ordered(year, monthNumber ?? 0, Number(day))
  return {
    ...(year === undefined ? {} : { year: fullYear(year) }),
    ...(monthNumber === undefined ? {} : { month: monthNumber }),
    ...(day === undefined ? {} : { day: Number(day) }),
    ...(numeric && groups.sign === '/' && day !== month ? { swapped: true as const } : {}),
  }
}

/** A month given by its name alone. */
export function monthAlone(word: string): number | undefined {
  return AMBIGUOUS.has(word) ? undefined : monthOf(word)
}

export function agree(claimed: DateSaid, said: DateSaid): boolean {
  const same = (a: number | undefined, b: number | undefined): boolean => a === undefined || a === b
  if (!same(claimed.year, said.year)) return false
  if (same(claimed.month, said.month) && same(claimed.day, said.day)) return true
  return (claimed.swapped ?? said.swapped ?? false) && claimed.month === said.day && claimed.day === said.month
}

function monthOf(word: string): number | undefined {
  return MONTHS.get(word.toLowerCase())
}

function ordered(year: string | undefined, first: number, second: number): DateSaid | undefined {
  const [month, day] = first > 12 ? [second, first] : [first, second]
  if (month > 12 || day > 31) return undefined
  return { ...(year === undefined ? {} : { year: fullYear(year) }), month, day }
}

function fullYear(text: string): number {
  const year = Number(text)
  return text.length > 2 ? year : year + (year < 50 ? 2000 : 1900)
}
