/**
 * Finds what differs between the candidate and the served graph, a page of rows at a time, in slices, before promotion; memory holds the names of one page.
 * Labels, which promotion copies, are equal by then and not compared.
 */
import type { CommitReceipt } from '../../../src/contract/receipts'
import { INDEXED_UNITS, NAME_VECTORS } from '../../../src/core/builders/entry-vectors'
import { SENSES } from '../../../src/core/builders/sense-list'
import { SYMMETRIC } from '../../../src/core/graph/reader'
import { isExported } from '../../../src/core/graph/state'
import type { EdgeKind } from '../../../src/core/graph/types'
import { EDGE_KINDS, idRange, oneSide } from '../../graph/rows'
import type { Job } from '../jobs/job'
import { recordTouched } from '../jobs/job-touched'
import { beginComparing, recordDiffering } from '../outbox/differing'
import { entriesIn } from '../outbox/outbox'
import { NOTHING_TOUCHED, touchedBy } from '../outbox/receipts'
import type { Touched } from '../outbox/touched'
import type { CorpusContext } from '../store'
import { candidateName } from './tables'
import { withCandidate } from './with-candidate'

const PAGE = 2000 // rows compared by one statement
const PAGES = 8 // in one slice: some 0.2 s

/** Whose rows are checked: the served graph's, for what was removed; the candidate's own, for what was added or changed. */
type Side = 'served' | 'own'
type Shelf = { readonly of: 'node' } | { readonly of: 'edge'; readonly kind: EdgeKind } | { readonly of: 'value'; readonly space: string }
type Key = readonly string[]

const SHELVES: readonly Shelf[] = [
  { of: 'node' },
  ...EDGE_KINDS.filter((kind) => isExported(kind) && kind !== 'indicates').map((kind): Shelf => ({ of: 'edge', kind })),
  { of: 'value', space: SENSES }, // names that now mean other entities
  { of: 'value', space: INDEXED_UNITS },
  { of: 'value', space: NAME_VECTORS },
]
const SIDES: readonly Side[] = ['served', 'own']

/** How far the comparison has got. */
export interface Comparing {
  /** The index in `SHELVES`; each is checked from both sides. */
  readonly shelf: number
  readonly side: number
  readonly after: Key
  readonly touched: CommitReceipt['touched']
}

export const COMPARISON_START: Comparing = { shelf: 0, side: 0, after: [], touched: NOTHING_TOUCHED }

/** One slice. What it finds counts as touched by the job. */
export function compareNext(context: CorpusContext, job: Job, from: Comparing): { readonly further: Comparing; readonly isDone: boolean } {
  beginComparing(context)
  return withCandidate(context, (candidate) => {
    let at = from
    for (let pages = 0; pages < PAGES && at.shelf < SHELVES.length; pages++) {
      const { changes, last } = pageOf(context, SHELVES[at.shelf] as Shelf, SIDES[at.side] as Side, at.after)
      recordDiffering(candidate, entriesIn(candidate.graph, changes))
      recordTouched(context.sql, [job], changes)
      at = { ...nextOf(at, last), touched: touchedBy(changes, at.touched) }
    }
    return { further: at, isDone: at.shelf >= SHELVES.length }
  })
}

function nextOf({ shelf, side }: Comparing, last: Key | undefined): Pick<Comparing, 'shelf' | 'side' | 'after'> {
  if (last) return { shelf, side, after: last }
  return side + 1 < SIDES.length ? { shelf, side: side + 1, after: [] } : { shelf: shelf + 1, side: 0, after: [] }
}

interface Page {
  readonly changes: readonly Touched[]
  /** Where the next slice begins; undefined: there is no more. */
  readonly last: Key | undefined
}

/** Outside the candidate, where the tables of both graphs are accessible. */
function pageOf({ sql, comparedRows = PAGE }: CorpusContext, shelf: Shelf, side: Side, after: Key): Page {
  const { key, first, where, join, absent, differs } = QUERIES[shelf.of]
  const [served, own] = [shelf.of, candidateName(shelf.of)]
  const [mine, other] = side === 'served' ? [served, own] : [own, served]
  const columns = key.map((one) => `a.${one}`).join(', ')
  const place = `(${columns})`
  const marks = `(${key.map(() => '?').join(', ')})`
  const bindings = [...ownOf(shelf), ...(after.length > 0 ? after : first)]
  const bound = `SELECT ${columns} FROM ${mine} a WHERE ${where} AND ${place} > ${marks} ORDER BY ${columns} LIMIT 1 OFFSET ${comparedRows - 1}`
  const end = sql.one<Row>(bound, ...bindings)
  const last = end && key.map((column) => end[column] ?? '')
  const rows = sql.all<Row>(
    `SELECT ${columns} FROM ${mine} a LEFT JOIN ${other} b ON ${join} WHERE ${where} AND ${place} > ${marks}
     ${last ? `AND ${place} <= ${marks}` : ''} AND (${side === 'served' ? absent : `${absent} OR ${differs}`})`,
    ...bindings,
    ...(last ?? []),
  )
  return { changes: rows.map((one) => changeOf(shelf, side, one)), last }
}

type Row = { readonly [column: string]: string }

interface Query {
  /** Its sort key within the shelf. */
  readonly key: readonly string[]
  readonly where: string
  readonly first: Key
  readonly join: string
  readonly absent: string
  readonly differs: string
}

const [LABELS, AFTER_LABELS] = idRange('label')
const QUERIES: { readonly [of in Shelf['of']]: Query } = {
  node: {
    key: ['id'],
    where: 'NOT (a.id >= ? AND a.id < ?)',
    first: [''],
    join: 'b.id = a.id',
    absent: 'b.id IS NULL',
    differs: 'b.layer <> a.layer OR b.body <> a.body OR b.vector IS NOT a.vector',
  },
  edge: {
    key: ['near', 'far'],
    where: 'a.side = ? AND (NOT ? OR a.near < a.far)', // an edge between equals has a row at both ends: one of them counts
    first: ['', ''],
    join: 'b.side = a.side AND b.near = a.near AND b.far = a.far',
    absent: 'b.side IS NULL',
    differs: 'b.weight <> a.weight OR b.data IS NOT a.data',
  },
  value: {
    key: ['key'],
    where: 'a.space = ?',
    first: [''],
    join: 'b.space = a.space AND b.key = a.key',
    absent: 'b.space IS NULL',
    differs: 'b.body IS NOT a.body',
  },
}

function ownOf(shelf: Shelf): (string | number)[] {
  if (shelf.of === 'node') return [LABELS, AFTER_LABELS]
  return shelf.of === 'edge' ? [oneSide(shelf.kind), Number(SYMMETRIC.has(shelf.kind))] : [shelf.space]
}

function changeOf(shelf: Shelf, side: Side, one: Row): Touched {
  const { id = '', near = '', far = '', key = '' } = one
  switch (shelf.of) {
    case 'node':
      return side === 'served' ? { op: 'drop-node', id } : { op: 'put-node', node: { id } }
    case 'edge': {
      const edge = { kind: shelf.kind, source: near, target: far } // exports name an edge by its source
      return side === 'served' ? { op: 'drop-edge', ...edge } : { op: 'put-edge', edge }
    }
    case 'value':
      return { op: 'put-value', space: shelf.space, key }
  }
}
