/** What newer documents replaced and where documents contradict each other, below an answer: in words for people, in lines for scripts. */
import type { QueryResult } from '../src/client/client'
import { documentOf, titleOf } from './named-document'
import { clip, field, fields } from './output'
import { formatDates } from './question'

type Told = Pick<QueryResult, 'superseded' | 'conflicts'>
type Statement = NonNullable<Told['conflicts']>[number]['statements'][number]

/** For people: one line for each. */
export function formatDisagreements({ superseded = [], conflicts = [] }: Told): readonly string[] {
  return [
    ...superseded.map(({ current, replaced, earlier = [] }) => {
      const before = earlier.map((one) => `“${clip(field(one.quote))}” (an older version, until ${one.replaced_at.slice(0, 10)})`)
      return `${formatStatement(current)} replaces ${[...replaced.map(formatStatement), ...before].join(', ')}`
    }),
    ...conflicts.map(({ statements }) => `The documents disagree: ${statements.map(formatStatement).join(' / ')}`),
  ]
}

/** A line for each statement. Those of one disagreement have the same number, counted from 1. */
export function plainDisagreements({ superseded = [], conflicts = [] }: Told): readonly string[] {
  return [
    ...superseded.flatMap(({ current, replaced, earlier = [] }, at) => [
      plainStatement('current', at, current),
      ...replaced.map((one) => plainStatement('replaced', at, one)),
      ...earlier.map((one) => plainStatement('earlier', at, { ...current, ...one, dates: one.dates })),
    ]),
    ...conflicts.flatMap(({ statements }, at) => statements.map((one) => plainStatement('conflict', superseded.length + at, one))),
  ]
}

function formatStatement(one: Statement): string {
  return `“${clip(field(one.quote))}” (${titleOf(one)}${formatDates(one.dates)})`
}

function plainStatement(
  role: string,
  at: number,
  one: Omit<Statement, 'dates'> & { readonly dates?: Statement['dates'] | undefined },
): string {
  return fields(role, at + 1, documentOf(one), one.start, one.end, one.quote, plainDates(one.dates))
}

/** As people see them, without the brackets. */
export function plainDates(dates: Statement['dates']): string {
  return formatDates(dates).replace(/^ \((.*)\)$/, '$1')
}
