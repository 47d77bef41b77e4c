/** Words that name a month or a day of the week, in the languages that are told apart. Pure. */
import { DAY_NAMES, MONTH_NAMES } from '../text/calendar-names'
import { fold } from '../text/fold'
import type { Language } from '../text/languages'
import { readTerms } from '../text/read-terms'

export interface CalendarName {
  readonly unit: 'month' | 'weekday'
  /** From 1. */
  readonly at: number
  /** Written with a capital wherever it stands, in every language that has it. */
  readonly isCapital: boolean
}

type Names = ReadonlyMap<string, CalendarName | 'several'>

/** English only, as other languages have other words of three letters: they count beside a number. */
const SHORT = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const CYRILLIC = /^\p{Script=Cyrillic}/u
let known: Names | undefined

/** Undefined for other words, and for names that are those of two months. `folded` is the word without its plural. */
export function calendarName(folded: string): CalendarName | undefined {
  known ??= namesOf()
  const found = known.get(folded) ?? (CYRILLIC.test(folded) ? known.get(stemmed(folded)) : undefined)
  return found === 'several' ? undefined : found
}

export function shortMonth(folded: string): number | undefined {
  const at = SHORT.indexOf(folded === 'sept' ? 'sep' : folded)
  return at < 0 ? undefined : at + 1
}

const stemmed = (word: string): string => `${readTerms(word)[0] ?? word}-`

function namesOf(): Names {
  const names = new Map<string, CalendarName | 'several'>()
  const add = (form: string, name: CalendarName): void => {
    const other = names.get(form)
    if (other === undefined) names.set(form, name)
    else if (other !== 'several' && other.unit === name.unit && other.at === name.at)
      names.set(form, { ...name, isCapital: name.isCapital && other.isCapital })
    else names.set(form, 'several')
  }
  for (const [unit, table] of [
    ['month', MONTH_NAMES],
    ['weekday', DAY_NAMES],
  ] as const)
    for (const [language, row] of Object.entries(table) as [Language, string][])
      for (const [i, forms] of row.split(' ').entries())
        for (const form of forms.split('/')) {
          const name = { unit, at: i + 1, isCapital: /^\p{Lu}/u.test(form) }
          for (const word of spellings(fold(form), language)) add(word, name)
        }
  return names
}

/** Russian and its neighbours decline them; what happens every week is written with an s. */
function spellings(name: string, language: Language): readonly string[] {
  if (CYRILLIC.test(name)) return [name, stemmed(name)]
  if (name.endsWith('tag') && language === 'de') return [name, `${name}s`]
  return name.endsWith('day') && language === 'en' ? [name, `${name}s`] : [name]
}
