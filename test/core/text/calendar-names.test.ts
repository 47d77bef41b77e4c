/** The table of names is a copy of what Intl says: where a new version of it differs, it is written again. */
import { expect, it } from 'vitest'
import { DAY_NAMES, MONTH_NAMES } from '../../../src/core/text/calendar-names'

type Options = Intl.DateTimeFormatOptions

const MONTHS = Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month, 4))
const DAYS = Array.from({ length: 7 }, (_, day) => Date.UTC(2024, 0, 1 + day))

function rowOf(language: string, type: 'month' | 'weekday', forms: readonly Options[], dates: readonly number[]): string {
  const formats = forms.map((form) => new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC', calendar: 'gregory' }))
  const nameOf = (format: Intl.DateTimeFormat, date: number) => format.formatToParts(date).find((part) => part.type === type)?.value
  return dates.map((date) => [...new Set(formats.map((format) => nameOf(format, date)))].join('/')).join(' ')
}

it('[T2000] months and days are called as Intl calls them in each language', () => {
  const months = Object.keys(MONTH_NAMES).map((one) => [
    one,
    rowOf(one, 'month', [{ month: 'long' }, { month: 'long', day: 'numeric' }], MONTHS),
  ])
  const days = Object.keys(DAY_NAMES).map((one) => [one, rowOf(one, 'weekday', [{ weekday: 'long' }], DAYS)])
  expect([MONTH_NAMES, DAY_NAMES]).toEqual([Object.fromEntries(months), Object.fromEntries(days)])
})
