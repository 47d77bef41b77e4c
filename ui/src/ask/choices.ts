/** How a corpus is asked, beyond the question: what the panel offers, what a request and a link contain, what is remembered. */
import type { Question } from '../../../src/client/client'
import { wantedOf, written } from '../../../src/contract/condition-text'

export interface Boost {
  readonly key: string
  readonly value: string
  readonly factor: number
}

export type Filters = Readonly<Record<string, readonly string[]>>

export interface Choices {
  readonly strategy: string
  /** Pieces of evidence; 0: the default number. */
  readonly top: number
  readonly asOf: string
  readonly since: string
  readonly until: string
  /** 0 to 1. */
  readonly freshness: number
  readonly expand: Expansion
  readonly granularity: Granularity
  /** 0 to 1. */
  readonly diversity: number
  /** Passages of one document at most; 0: as many as there are. */
  readonly perDocument: number
  /** Values of a key: any of them; with a sign before them (`>= 1990`, `!= draft`), bounds and excluded values. */
  readonly filters: Filters
  /** Codes of languages, of which a document must be in one. */
  readonly languages: readonly string[]
  /** Names of saved filters. */
  readonly saved: readonly string[]
  readonly boosts: readonly Boost[]
  /** Keys of metadata whose values are counted. */
  readonly facets: readonly string[]
  /** Other corpora that are asked too. */
  readonly corpora: readonly string[]
}

type Granularity = (typeof granularities)[number]
type Expansion = (typeof expansions)[number]
/** How a text model expands a question before the search. */
export const expansions = ['none', 'decompose', 'hyde'] as const
export const granularities = ['passage', 'chunk', 'document'] as const

export const unchosen: Choices = {
  strategy: 'auto',
  top: 0,
  asOf: '',
  since: '',
  until: '',
  freshness: 0,
  expand: 'none',
  granularity: 'passage',
  diversity: 0,
  perDocument: 0,
  filters: {},
  languages: [],
  saved: [],
  boosts: [],
  facets: [],
  corpora: [],
}

/** The part of a question's body that says how to ask; defaults are left out. */
export function bodyOf(choices: Choices): Omit<Question, 'query' | 'history' | 'min_version'> {
  const { strategy, top, asOf, since, until, freshness, boosts, facets } = choices
  const options = optionsOf(choices)
  const filters = filtersOf(choices)
  return {
    strategy,
    ...(top > 0 ? { top_k: top } : {}),
    ...(asOf ? { as_of: asOf } : {}),
    ...(since ? { since } : {}),
    ...(until ? { until } : {}),
    ...(freshness > 0 ? { freshness } : {}),
    ...(Object.keys(options).length > 0 ? { options } : {}),
    ...(Object.keys(filters).length > 0 ? { filters } : {}),
    ...(boosts.length > 0 ? { boosts: boosts.map(({ key, value, factor }) => ({ metadata: { [key]: meanings(value) }, factor })) } : {}),
    ...(facets.length > 0 ? { facets } : {}),
  }
}

function filtersOf({ filters, languages, saved }: Choices): NonNullable<Question['filters']> {
  const metadata = Object.fromEntries(Object.entries(filters).map(([key, values]) => [key, wantedOf(values.map(written), meanings)]))
  return {
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    ...(languages.length > 0 ? { language: [...languages] } : {}),
    ...(saved.length > 0 ? { saved: [...saved] } : {}),
  }
}

function optionsOf({ expand, granularity, diversity, perDocument }: Choices): NonNullable<Question['options']> {
  return {
    ...(expand === 'none' ? {} : { expand }),
    ...(granularity === 'passage' ? {} : { granularity }),
    ...(diversity > 0 ? { diversity } : {}),
    ...(perDocument > 0 ? { max_per_document: perDocument } : {}),
  }
}

const OTHERS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }

/** Numbers and JSON words may be in the metadata as such or as text. */
export function meanings(value: string): (string | number | boolean | null)[] {
  const other = OTHERS[value]
  if (other !== undefined) return [value, other]
  return /^-?\d{1,15}(\.\d{1,6})?$/.test(value) ? [value, Number(value)] : [value]
}

export function withFilter(filters: Filters, key: string, value: string): Filters {
  const values = filters[key] ?? []
  return values.includes(value) ? filters : { ...filters, [key]: [...values, value] }
}

export function withoutFilter(filters: Filters, key: string, value: string): Filters {
  const { [key]: values = [], ...others } = filters
  const left = values.filter((one) => one !== value)
  return left.length === 0 ? others : { ...others, [key]: left }
}

const LISTS = ['filters', 'languages', 'saved', 'boosts', 'facets', 'corpora'] as const
const PLAIN = ['top', 'asOf', 'since', 'until', 'freshness', 'expand', 'granularity', 'diversity', 'perDocument'] as const

/** How many of the panel's options differ from the default. */
export function countChosen(choices: Choices): number {
  const lists = LISTS.filter((name) => Object.keys(choices[name]).length > 0).length
  return lists + PLAIN.filter((name) => choices[name] !== unchosen[name]).length
}

export const filterList = (filters: Filters): readonly (readonly [key: string, value: string])[] =>
  Object.entries(filters).flatMap(([key, values]) => values.map((value) => [key, value] as const))
