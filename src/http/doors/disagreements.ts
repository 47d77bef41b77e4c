/**
 * What newer documents replaced and where documents contradict each other, as additional members of a foreign form of answer and as
 * lines for a model.
 */
import type { QueryResult } from '../../client/client'

type Told = Pick<QueryResult, 'superseded' | 'conflicts'>

/** As in an answer of the API: absent if there is nothing to report. */
export function toldIn({ superseded, conflicts }: Told): Told {
  return { ...(superseded ? { superseded } : {}), ...(conflicts ? { conflicts } : {}) }
}

export function disagreementsOf({ superseded = [], conflicts = [] }: Told): readonly string[] {
  return [
    ...superseded.map(({ current, replaced, earlier = [] }) => {
      const before = earlier.map((one) => `“${one.quote}” (an older version, until ${one.replaced_at.slice(0, 10)})`)
      return `replaced: ${quoteOf(current)} replaces ${[...replaced.map(quoteOf), ...before].join(', ')}`
    }),
    ...conflicts.map(({ statements }) => `conflict: ${statements.map(quoteOf).join(' / ')}`),
  ]
}

function quoteOf({ quote, title, document }: NonNullable<Told['conflicts']>[number]['statements'][number]): string {
  return `“${quote}” (${title || document})`
}
