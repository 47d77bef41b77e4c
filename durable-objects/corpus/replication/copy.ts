/**
 * The corpus for a new replica, a page at a time. Pages are from different moments: changes made meanwhile are in the segments that the
 * replica applies after them, and it answers nothing before its state is that of one version.
 */
import type { Change, EdgeKind } from '../../../src/core/graph/types'
import type { CopyPage, CopyPlace } from '../../../src/ports/replication'
import { edgesAfter } from '../../graph/edges'
import { DERIVED } from '../../graph/everything'
import { keysAfter } from '../../graph/keyed-rows'
import { EDGE_KINDS } from '../../graph/rows'
import { cursorOf } from '../outbox/outbox'
import type { CorpusContext } from '../store'
import type { ChangedKey } from '../tables/changed-key'
import { listOutboxCopies } from '../tables/outbox'
import { listSavedFilters } from '../tables/saved-filter'
import { besideOf } from './beside'
import { type Changes, changeOf, pack } from './changes'

const ROWS = { beside: 200, chunk: 16, document: 100, edge: 4000, node: 300, keyed: 500, outbox: 20 } as const
const SORTS: readonly string[] = [
  ...['beside', 'chunk', 'document'],
  ...EDGE_KINDS.map((kind) => `edge ${kind}`),
  ...DERIVED.map((kind) => `node ${kind}`),
  ...['place', 'value', 'outbox'],
]

export const FIRST: CopyPlace = { sort: 'beside', after: [] }

interface Found {
  readonly changes: Partial<Changes>
  readonly last: readonly string[] | undefined
}

export function copyPage(context: CorpusContext, { sort, after }: CopyPlace): Omit<CopyPage, 'behind'> {
  const { changes, last } = found(context, sort, after)
  const rest = SORTS[SORTS.indexOf(sort) + 1]
  const next = last ? { sort, after: last } : rest === undefined ? null : { sort: rest, after: [] }
  const bytes = pack({ patch: [], beside: [], outbox: [], ...changes }, context.graph.dimensions)
  return { bytes, next }
}

function found(context: CorpusContext, sort: string, after: readonly string[]): Found {
  const { graph, sql } = context
  const [first = '', second = ''] = after
  const [what = '', kind = ''] = sort.split(' ')
  const patchOf = (keys: readonly ChangedKey[]): Change[] => keys.flatMap((key) => changeOf(context, key) ?? [])
  switch (what) {
    case 'beside': {
      const ids = graph.page('document', first, ROWS.beside)
      const beside = ids.map((id) => [id, besideOf(context, id)] as const)
      return { changes: { beside, ...(first === '' ? { filters: listSavedFilters(sql) } : {}) }, last: lastOf(ids) }
    }
    case 'chunk':
    case 'document': {
      const ids = graph.page(what, first, ROWS[what])
      return { changes: { patch: patchOf(ids.map((id) => [what === 'chunk' ? 'c' : 'd', id])) }, last: lastOf(ids) }
    }
    case 'edge': {
      const { edges, last } = edgesAfter(sql, kind as EdgeKind, [first, second], ROWS.edge)
      return { changes: { patch: edges.map((edge): Change => ({ op: 'put-edge', edge })) }, last }
    }
    case 'node': {
      const ids = graph.page(kind as (typeof DERIVED)[number], first, ROWS.node)
      return { changes: { patch: patchOf(ids.map((id) => ['n', id])) }, last: lastOf(ids) }
    }
    case 'place':
    case 'value': {
      const keys = keysAfter(sql, what, [first, second], ROWS.keyed)
      return { changes: { patch: patchOf(keys.map(([space, key]) => [what === 'place' ? 'p' : 'v', space, key])) }, last: keys.at(-1) }
    }
    default: {
      const from = Math.max(Number(first || 0), cursorOf(context, 'visible'))
      const outbox = listOutboxCopies(sql, from, ROWS.outbox)
      const end = outbox.at(-1)
      return { changes: { outbox }, last: end && [String(end.seq)] }
    }
  }
}

const lastOf = (ids: readonly string[]): readonly [string] | undefined => {
  const last = ids.at(-1)
  return last === undefined ? undefined : [last]
}
