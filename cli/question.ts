/** What `ask` and `search` send, from the command line. */
import type { Evidence, Search } from '../src/client/client'
import { type Wanted, type Written, wantedOf } from '../src/contract/condition-text'
import { dateSchema } from '../src/contract/dates'
import { isOver } from '../src/core/text/iso-date'
import type { Values } from './command'
import { misuse } from './failure'
import type { question } from './options'

export function readQuestion(values: Values<typeof question>, positionals: readonly string[]): Search {
  const query = positionals.join(' ').trim()
  if (query === '') throw misuse('what is the question?')
  return {
    query,
    ...(values.strategy ? { strategy: values.strategy } : {}),
    ...(values.top ? { top_k: wholeNumber('top', values.top) } : {}),
    ...(values.budget ? { token_budget: wholeNumber('budget', values.budget) } : {}),
    ...(values.boost ? { boosts: values.boost.map(readBoost) } : {}),
    ...(values.facet ? { facets: values.facet } : {}),
    ...(values['as-of'] ? { as_of: date('as-of', values['as-of']) } : {}),
    ...(values.since ? { since: date('since', values.since) } : {}),
    ...(values.until ? { until: date('until', values.until) } : {}),
    ...(values.freshness ? { freshness: share('freshness', values.freshness) } : {}),
    ...optionsOf(values),
    ...(values['min-version'] ? { min_version: wholeNumber('min-version', values['min-version']) } : {}),
    ...filtersOf(values),
  }
}

function filtersOf({ filter, language, saved }: Values<typeof question>): Pick<Search, 'filters'> {
  if (!filter && !language && !saved) return {}
  return {
    filters: { ...(filter ? { metadata: readFilters(filter) } : {}), ...(language ? { language } : {}), ...(saved ? { saved } : {}) },
  }
}

function optionsOf({ expand, granularity, neighbours }: Values<typeof question>): Pick<Search, 'options'> {
  if (!expand && !granularity && !neighbours) return {}
  return {
    options: {
      ...(expand ? { expand: expand as Expand } : {}),
      ...(granularity ? { granularity: granularity as Granularity } : {}),
      ...(neighbours ? { neighbours: wholeNumber('neighbours', neighbours) } : {}),
    },
  }
}

type Expand = NonNullable<NonNullable<Search['options']>['expand']>
type Granularity = NonNullable<NonNullable<Search['options']>['granularity']>

/** Several values of one key: any of them. A whole number may be in the metadata as a number or as text. */
export function readFilters(filters: readonly string[]): { [key: string]: Wanted } {
  const said = new Map<string, Written[]>()
  for (const filter of filters) {
    const [, key = '', sign, value = ''] = /^([^=<>!]+)(>=|<=|!=|>|<|=)(.*)$/s.exec(filter) ?? []
    if (sign === undefined) throw misuse(`--filter ${filter}: expected key=value, key!=value, or key and >=, >, <= or < with a value`)
    said.set(key, [...(said.get(key) ?? []), { sign: sign as Written['sign'], value }])
  }
  const meanings = (value: string) => [value, ...(/^-?\d{1,15}$/.test(value) ? [Number(value)] : [])]
  return Object.fromEntries([...said].map(([key, all]) => [key, wantedOf(all, meanings)]))
}

function readBoost(boost: string): NonNullable<Search['boosts']>[number] {
  const [, filter = '', factor] = /^(.+=.*):(\d+(?:\.\d+)?)$/.exec(boost) ?? []
  if (factor === undefined) throw misuse(`--boost ${boost}: expected key=value:factor, as in lang=en:2`)
  return { metadata: readFilters([filter]), factor: Number(factor) }
}

function date(name: string, text: string): string {
  if (!dateSchema.safeParse(text).success) throw misuse(`--${name} ${text}: expected a date such as 2024, 2024-05 or 2024-05-01`)
  return text
}

function share(name: string, text: string): number {
  const value = Number(text)
  if (!(value >= 0 && value <= 1)) throw misuse(`--${name} ${text}: expected a number from 0 to 1`)
  return value
}

export function wholeNumber(name: string, text: string, min = 1): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < min) throw misuse(`--${name} ${text}: expected a whole number, at least ${min}`)
  return value
}

/** After a title: when it was published, and when it is in force, or was. */
export function formatDates(dates: NonNullable<Evidence['dates']> = {}, now = Date.now()): string {
  const { published_at, valid_from, valid_until } = dates
  const said = [
    ...(published_at ? [published_at.value] : []),
    ...(valid_from ? [`in force from ${valid_from.value}`] : []),
    ...(valid_until ? [`${isOver(dates, now) ? 'was in force until' : 'until'} ${valid_until.value}`] : []),
  ]
  return said.length > 0 ? ` (${said.join(', ')})` : ''
}
