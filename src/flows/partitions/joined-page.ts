/** A page of a list by id, combined from the pages that all partitions have after the same place. */
import type { Page } from '../../contract/pages'
import { compareText } from '../../core/graph/ordered-map'

export function joinPages<T>(pages: readonly Page<T>[], limit: number, idOf: (row: T) => string): Page<T> {
  const rows = pages.flatMap(({ data }) => data).sort((a, b) => compareText(idOf(a), idOf(b)))
  // A partition may have more after the place where it stopped: the others' later items wait for the next page.
  const [horizon = null] = pages.flatMap(({ next_cursor }) => next_cursor ?? []).sort(compareText)
  const sure = horizon === null ? rows : rows.filter((row) => compareText(idOf(row), horizon) <= 0)
  const data = sure.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: last !== undefined && sure.length > limit ? idOf(last) : horizon }
}
