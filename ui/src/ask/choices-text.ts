/** Choices in an address, and as this browser remembers them for each corpus. */
import { isLanguage } from '../../../src/core/text/languages'
import { CHOICES } from '../stored'
import { type Choices, expansions, filterList, type granularities, unchosen, withFilter } from './choices'

const FIELDS = {
  strategy: 's',
  top: 'n',
  asOf: 'as_of',
  since: 'since',
  until: 'until',
  freshness: 'fresh',
  expand: 'expand',
  granularity: 'grain',
  diversity: 'diverse',
  perDocument: 'each',
} as const

/** Only what differs from the default. */
export function choicesInQuery(choices: Choices): URLSearchParams {
  const query = new URLSearchParams()
  for (const [field, name] of Object.entries(FIELDS) as [keyof typeof FIELDS, string][])
    if (choices[field] !== unchosen[field]) query.set(name, String(choices[field]))
  for (const [key, value] of filterList(choices.filters)) query.append('f', `${key}=${value}`)
  for (const code of choices.languages) query.append('lang', code)
  for (const name of choices.saved) query.append('saved', name)
  for (const { key, value, factor } of choices.boosts) query.append('boost', `${key}=${value}:${factor}`)
  for (const key of choices.facets) query.append('facet', key)
  for (const name of choices.corpora) query.append('with', name)
  return query
}

/** Undefined: the address states no options. Invalid ones are ignored: they were typed by hand or come from another release. */
export function choicesFromQuery(query: URLSearchParams): Choices | undefined {
  const names = [...Object.values(FIELDS), 'f', 'lang', 'saved', 'boost', 'facet', 'with']
  if (!names.some((name) => query.has(name))) return undefined
  const text = (name: string) => query.get(name) ?? ''
  const date = (name: string) => (/^\d{4}(-\d\d){0,2}$/.test(text(name)) ? text(name) : '')
  const pairs = query.getAll('f').flatMap((one) => pairOf(one))
  return {
    strategy: text(FIELDS.strategy) || unchosen.strategy,
    top: Math.trunc(number(text(FIELDS.top), { least: 0, most: 100 }) ?? 0),
    asOf: date('as_of'),
    since: date('since'),
    until: date('until'),
    freshness: number(text(FIELDS.freshness), { least: 0, most: 1 }) ?? 0,
    expand: expansions.find((one) => one === text(FIELDS.expand)) ?? unchosen.expand,
    granularity: granularityOf(text(FIELDS.granularity)),
    diversity: number(text(FIELDS.diversity), { least: 0, most: 1 }) ?? 0,
    perDocument: Math.trunc(number(text(FIELDS.perDocument), { least: 0, most: 100 }) ?? 0),
    filters: pairs.reduce((all, [key, value]) => withFilter(all, key, value), unchosen.filters),
    languages: [...new Set(query.getAll('lang').filter(isLanguage))],
    saved: query.getAll('saved').slice(0, 10),
    boosts: query.getAll('boost').flatMap(boostOf).slice(0, 20),
    facets: query.getAll('facet').slice(0, 10),
    corpora: query.getAll('with').slice(0, 7),
  }
}

export function remember(corpus: string, choices: Choices): void {
  const text = choicesInQuery(choices).toString()
  try {
    if (text) localStorage.setItem(CHOICES + corpus, text)
    else localStorage.removeItem(CHOICES + corpus)
  } catch {
    // Storage may be switched off.
  }
}

export function remembered(corpus: string): Choices {
  try {
    return choicesFromQuery(new URLSearchParams(localStorage.getItem(CHOICES + corpus) ?? '')) ?? unchosen
  } catch {
    return unchosen
  }
}

function number(text: string, { least, most }: { readonly least: number; readonly most: number }): number | undefined {
  const value = Number(text)
  return text !== '' && value >= least && value <= most ? value : undefined
}

function granularityOf(text: string): (typeof granularities)[number] {
  return text === 'chunk' || text === 'document' ? text : 'passage'
}

function pairOf(text: string): readonly (readonly [string, string])[] {
  const at = text.indexOf('=')
  return at < 1 ? [] : [[text.slice(0, at), text.slice(at + 1)]]
}

function boostOf(text: string): Choices['boosts'] {
  const [, key, value, factor] = /^([^=]+)=(.*):(\d+(?:\.\d+)?)$/.exec(text) ?? []
  return key === undefined || value === undefined ? [] : [{ key, value, factor: Number(factor) }]
}
