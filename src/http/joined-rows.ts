/**
 * Rows of all partitions of a corpus in the order of their keys, those of one key as one: what names the same thing is one node of the
 * whole graph. A page reads one page of each partition and ends where the first of them ends, so it needs no more memory than any.
 */
import { atOnce } from '../core/at-once'
import { joinedWeight } from '../core/builders/relations'
import { compareText } from '../core/graph/ordered-map'
import { workerLimits } from '../platform-limits'
import type { ExportedRow } from '../ports/export'
import type { RowPage } from '../ports/read-model'

export interface RowsPage {
  readonly rows: readonly ExportedRow[]
  readonly bytes: number
  readonly next: string | null
  /** If not all rows are shown: the key of the last one that is, or empty if none is. */
  readonly shown?: string
}

type Key = readonly string[]

/** `read`: a page of one partition, whose places are its number, a colon and a key. `from.rows`, `from.bytes`: of the joined page. */
export async function joinedRows(count: number, from: RowPage, read: (from: RowPage) => Promise<RowsPage>): Promise<RowsPage> {
  const slot = atOnce(workerLimits.safeConnections)
  const each = { rows: Math.ceil(from.rows / count), bytes: Math.ceil(from.bytes / count) }
  const pages = await Promise.all(
    Array.from({ length: count }, (_, part) =>
      slot(() => read({ ...each, after: `${part}:${from.after}` })).then((page) => own(page, part)),
    ),
  )
  const [horizon = null] = pages.flatMap(({ next }) => next ?? []).sort((a, b) => compareKeys(parsed(a), parsed(b)))
  const end = horizon === null ? null : parsed(horizon)
  const sure = pages.flatMap(({ rows }) => rows).filter((row) => end === null || compareKeys(keyOf(row), end) <= 0)
  const groups = Map.groupBy(sure, (row) => JSON.stringify(keyOf(row)))
  const rows = [...groups.values()].map(joined).sort((a, b) => compareKeys(keyOf(a), keyOf(b)))
  const last = rows.at(-1)
  const isPartial = pages.some(({ shown }) => shown !== undefined)
  return {
    rows,
    bytes: pages.reduce((sum, { bytes }) => sum + bytes, 0),
    next: horizon,
    ...(isPartial ? { shown: last ? printed(keyOf(last)) : '' } : {}),
  }
}

/** The same page with places that name no partition; null: this partition has no more. */
function own({ next, ...page }: RowsPage, part: number): RowsPage {
  const here = `${part}:`
  return { ...page, next: next?.startsWith(here) ? next.slice(here.length) : null }
}

/** Of an edge, weights add up as they would in one graph. */
function joined(same: readonly ExportedRow[]): ExportedRow {
  const [first] = same
  if (first?.type !== 'edge') return first as ExportedRow
  return { ...first, weight: joinedWeight(same.flatMap((one) => (one.type === 'edge' ? one : []))) }
}

function keyOf(row: ExportedRow): Key {
  if (row.type === 'edge') return [row.source, row.kind, row.target]
  return 'id' in row ? [row.id] : []
}

/** As the read model's pages write keys: an edge's is a JSON list. */
const printed = (key: Key): string => (key.length === 1 ? (key[0] ?? '') : JSON.stringify(key))
const parsed = (place: string): Key => (place.startsWith('[') ? (JSON.parse(place) as Key) : [place])

function compareKeys(a: Key, b: Key): number {
  for (let i = 0; i < a.length; i++) {
    const order = compareText(a[i] ?? '', b[i] ?? '')
    if (order !== 0) return order
  }
  return 0
}
