/**
 * The candidate takes the place of the graph that was served, in one transaction. Labels and what was learned, which no document makes,
 * go over to it. What differs was found before (compare.ts), and is sent to the sinks; what is the same is not.
 */
import type { CommitReceipt } from '../../../src/contract/receipts'
import type { Change, Patch } from '../../../src/core/graph/types'
import { keptSpaces } from '../../../src/core/strategies/registry'
import type { SqliteGraph } from '../../graph/sqlite-graph'
import type { Job } from '../jobs/job'
import { forgetTouched } from '../jobs/job-touched'
import type { JobUnitOfWork } from '../jobs/jobs'
import { forgetDiffering, isComparing, moveDifferingToOutbox } from '../outbox/differing'
import { keepReceipt } from '../outbox/receipts'
import { requestedConfig } from '../pending-config'
import type { CorpusContext } from '../store'
import { deleteMeta, metaKeys, writeMeta } from '../tables/meta'
import { lastSeq } from '../tables/outbox'
import { isOfCandidate } from '../tables/task'
import { adoptTasks, candidateJob, closeTasks, dropCandidateTasks, withCandidate } from './candidate'
import { createCandidateTables, dropCandidateTables, replaceServedTables } from './tables'

const BASE = 'base'
const PAGE = 100 // labels or values copied at a time
const DECIDED = ['resolution/same', 'resolution/audit'] as const

/**
 * An empty graph that knows what callers have decided about names: builders heed it from the first document on. A decision made later
 * begins it again (names.ts).
 */
export function openCandidate(context: CorpusContext): void {
  createCandidateTables(context.sql)
  for (const decisions of valuesOf(context.graph, DECIDED)) withCandidate(context, ({ graph }) => graph.apply(decisions, graph.version))
}

/** `touched`: by all that the comparison found. Afterwards the context must be read anew: its configuration may be another. */
export function promoteCandidate(context: CorpusContext, unitOfWork: JobUnitOfWork, job: Job, touched: CommitReceipt['touched']): void {
  const { sql, graph, unindexed } = context
  for (const patch of labelPatches(graph)) withCandidate(context, (candidate) => candidate.graph.apply(patch, candidate.graph.version))
  const requested = requestedConfig(context)
  closeTasks(context, unitOfWork, (builder) => builder !== BASE && !isOfCandidate(builder))
  replaceServedTables(sql, graph.version + 1)
  graph.forget()
  adoptTasks(context)
  writeMeta(sql, metaKeys.config, { ...context.config, strategies: requested.strategies, settings: requested.settings })
  deleteMeta(sql, metaKeys.pendingConfig)
  keepReceipt(context, touched, [job])
  job.tally.version = graph.version
  moveDifferingToOutbox(context, graph.version)
  unindexed.forget(lastSeq(context)) // it is found in the outbox's rows
}

/** The graph that was served stays. */
export function abandonCandidate(context: CorpusContext, unitOfWork: JobUnitOfWork): void {
  const job = isComparing(context) ? candidateJob(context, unitOfWork) : undefined
  if (job) forgetTouched(context.sql, job)
  forgetDiffering(context)
  dropCandidateTasks(context, unitOfWork)
  dropCandidateTables(context.sql)
}

/** So many at a time. Read from the graph that is served: not inside the candidate. */
function* labelPatches(graph: SqliteGraph): Generator<Patch> {
  const ids = paged(
    (after) => graph.page('label', after, PAGE),
    (id) => id,
  )
  for (const labels of grouped(ids)) {
    const edges = labels.flatMap((label) => graph.edgesTo('indicates', label))
    const nodes = [...labels, ...new Set(edges.map((edge) => edge.source))].flatMap((id) => graph.node(id) ?? [])
    yield [...nodes.map((node): Change => ({ op: 'put-node', node })), ...edges.map((edge): Change => ({ op: 'put-edge', edge }))]
  }
  yield* valuesOf(graph, keptSpaces)
}

function* valuesOf(graph: SqliteGraph, spaces: readonly string[]): Generator<Patch> {
  for (const space of spaces) {
    const rows = paged(
      (after) => graph.values(space, after === '' ? '' : `${after}\0`, PAGE),
      (row) => row.key,
    )
    for (const some of grouped(rows)) yield some.map(({ key, value }): Change => ({ op: 'put-value', space, key, value }))
  }
}

function* grouped<T>(all: Iterable<T>): Generator<T[]> {
  let group: T[] = []
  for (const one of all) {
    group.push(one)
    if (group.length < PAGE) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
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
