/**
 * The candidate takes the place of the graph that was served, in one transaction. Labels and what was learned, which no document makes,
 * go over to it. What differs is told to the sinks; what is the same is not.
 */
import { MENTIONS } from '../../../src/core/builders/mention-list'
import { SENSES } from '../../../src/core/builders/sense-list'
import { SYMMETRIC } from '../../../src/core/graph/reader'
import { isExported } from '../../../src/core/graph/state'
import type { Change, EdgeKind, Patch } from '../../../src/core/graph/types'
import { EDGE_KINDS, oneSide } from '../../graph/rows'
import type { SqliteGraph } from '../../graph/sqlite-graph'
import { type Ledger, writeMeta } from '../store'
import { publish } from '../told/publish'
import type { Touched } from '../told/touched'
import type { Book, Job } from '../work/jobs'
import { adoptTasks, askedOf, closeTasks, forgetOwed, inCandidate, ofCandidate } from './candidate'
import { drop, open, replace } from './tables'

const BASE = 'base'
const PAGE = 500
const LABELLED = ['gorag/label', 'gorag/text', 'gorag/learned', 'gorag/vector'] as const
const DECIDED = ['resolution/same', 'resolution/audit'] as const

/**
 * An empty graph that knows what callers have decided about names: builders heed it from the first document on. A decision made later
 * begins it again (names.ts).
 */
export function begin(ledger: Ledger): void {
  open(ledger.sql)
  const decisions = valuesOf(ledger.graph, DECIDED)
  if (decisions.length > 0) inCandidate(ledger, ({ graph }) => graph.apply(decisions, graph.version))
}

/** Afterwards the ledger must be read anew: its configuration may be another. */
export function promote(ledger: Ledger, book: Book, job: Job): void {
  const { sql, graph } = ledger
  const labels = labelled(graph)
  const changes = inCandidate(ledger, (candidate) => {
    candidate.graph.apply(labels, candidate.graph.version)
    return [...gone(candidate), ...come(candidate)]
  })
  const asked = askedOf(ledger)
  closeTasks(ledger, book, (builder) => builder !== BASE && !ofCandidate(builder))
  replace(sql, graph.version + 1)
  graph.forget()
  adoptTasks(ledger)
  writeMeta(sql, 'config', JSON.stringify({ ...ledger.config, strategies: asked.strategies, settings: asked.settings }))
  sql.run(`DELETE FROM meta WHERE key = 'asked'`)
  publish(ledger, [job], changes)
}

/** The graph that was served stays. */
export function abandon(ledger: Ledger, book: Book): void {
  forgetOwed(ledger, book)
  drop(ledger.sql)
}

function labelled(graph: SqliteGraph): Patch {
  const labels = [
    ...paged(
      (after) => graph.page('label', after, PAGE),
      (id) => id,
    ),
  ]
  const edges = labels.flatMap((label) => graph.edgesTo('indicates', label))
  const nodes = [...labels, ...new Set(edges.map((edge) => edge.source))].flatMap((id) => graph.node(id) ?? [])
  const values = valuesOf(graph, LABELLED)
  return [...nodes.map((node): Change => ({ op: 'put-node', node })), ...edges.map((edge): Change => ({ op: 'put-edge', edge })), ...values]
}

function valuesOf(graph: SqliteGraph, spaces: readonly string[]): Change[] {
  return spaces.flatMap((space) => {
    const rows = paged(
      (after) => graph.values(space, after === '' ? '' : `${after}\0`, PAGE),
      (row) => row.key,
    )
    return [...rows].map(({ key, value }): Change => ({ op: 'put-value', space, key, value }))
  })
}

function* paged<T>(read: (after: string) => readonly T[], nameOf: (one: T) => string): Generator<T> {
  for (let after = ''; ; ) {
    const page = read(after)
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    after = nameOf(last)
  }
}

/** Inside the candidate: what the graph that was served has, and it has not. By name alone: what is dropped or put is read by nobody here. */
function gone({ sql }: Ledger): Touched[] {
  const nodes = sql.all<{ id: string }>('SELECT id FROM served_node o WHERE NOT EXISTS (SELECT 1 FROM node n WHERE n.id = o.id)')
  const missing = `SELECT o.near, o.far FROM served_edge o WHERE o.side = ? AND (NOT ? OR o.near < o.far) AND NOT EXISTS
    (SELECT 1 FROM edge n WHERE n.side = o.side AND n.near = o.near AND n.far = o.far)`
  return [
    ...nodes.map(({ id }): Touched => ({ op: 'drop-node', id })),
    ...told((kind) => endsOf(sql, missing, kind).map((ends): Touched => ({ op: 'drop-edge', kind, ...ends }))),
  ]
}

/** Inside the candidate: what it has, and the graph that was served has not, or not so; chunks that mention others than they did, and names that mean others. */
function come({ sql }: Ledger): Touched[] {
  const nodes = sql.all<{ id: string }>(`SELECT n.id FROM node n LEFT JOIN served_node o ON o.id = n.id
    WHERE o.id IS NULL OR o.layer <> n.layer OR o.body <> n.body OR o.vector IS NOT n.vector`)
  const other = `SELECT n.near, n.far FROM edge n LEFT JOIN served_edge o ON o.side = n.side AND o.near = n.near AND o.far = n.far
    WHERE n.side = ? AND (NOT ? OR n.near < n.far) AND (o.side IS NULL OR o.weight <> n.weight OR o.data IS NOT n.data)`
  return [
    ...nodes.map((node): Touched => ({ op: 'put-node', node })),
    ...told((kind) => endsOf(sql, other, kind).map((ends): Touched => ({ op: 'put-edge', edge: { kind, ...ends } }))),
    ...[MENTIONS, SENSES].flatMap((space) => differing(sql, space).map((key): Touched => ({ op: 'put-value', space, key }))),
  ]
}

/** The texts are the same in both: what they mention must be told where it differs, and what their names mean. */
function differing(sql: Ledger['sql'], space: string): string[] {
  const differs = (
    here: string,
    there: string,
  ): string => `SELECT a.key FROM ${here} a LEFT JOIN ${there} b ON b.space = a.space AND b.key = a.key
    WHERE a.space = ? AND b.body IS NOT a.body`
  const rows = sql.all<{ key: string }>(`${differs('value', 'served_value')} UNION ${differs('served_value', 'value')}`, space, space)
  return rows.map((row) => row.key)
}

function told<T>(read: (kind: EdgeKind) => readonly T[]): T[] {
  return EDGE_KINDS.filter(isExported).flatMap(read)
}

/** Each edge once. What is exported is written from its source. */
function endsOf(sql: Ledger['sql'], statement: string, kind: EdgeKind): { readonly source: string; readonly target: string }[] {
  const rows = sql.all<{ near: string; far: string }>(statement, oneSide(kind), Number(SYMMETRIC.has(kind)))
  return rows.map(({ near, far }) => ({ source: near, target: far }))
}
