/**
 * The candidate replaces the served graph, in one transaction. Labels and what was learned, which do not come from documents, are copied to
 * it. The differences were found before (compare.ts) and are sent to the sinks; the rest is not.
 */
import type { CommitReceipt } from '../../../src/contract/receipts'
import { DECISION_SPACES } from '../../../src/core/builders/decision-list'
import { NAME_VECTORS } from '../../../src/core/builders/entry-vectors'
import type { Change, Patch } from '../../../src/core/graph/types'
import type { Settings } from '../../../src/core/settings'
import { keptSpaces } from '../../../src/core/strategies/registry'
import { NAME_RULES } from '../../../src/core/text/entities'
import type { SqliteGraph } from '../../graph/sqlite-graph'
import type { Job } from '../jobs/job'
import { forgetTouched } from '../jobs/job-touched'
import type { JobUnitOfWork } from '../jobs/jobs'
import { restageForMove } from '../jobs/staging'
import { forgetDiffering, isComparing, moveDifferingToOutbox } from '../outbox/differing'
import { beginClearing, noteDiffering, noteUnconfirmed } from '../outbox/former-index'
import { keepReceipt } from '../outbox/receipts'
import { dropMigration, isMigrating, noteDivision, requestedConfig } from '../pending-config'
import { endReplication } from '../replication/writer'
import type { CorpusContext } from '../store'
import { insertFormerNodes } from '../tables/former'
import { deleteMeta, hasMeta, metaKeys, writeMeta } from '../tables/meta'
import { lastSeq } from '../tables/outbox'
import { adoptMovedProbes, forgetMovedProbes } from '../tables/probe'
import { deleteSentBatches } from '../tables/sent'
import { isOfCandidate } from '../tables/task'
import { deleteAllVectorless } from '../tables/vectorless'
import { adoptTasks, candidateJob, closeTasks, dropCandidateTasks } from './candidate'
import { movedLabels, orphanedVectors } from './moved-labels'
import { createCandidateTables, dropCandidateTables, isCandidateOpen, replaceServedTables } from './tables'
import { withCandidate } from './with-candidate'

const BASE = 'base'
const PAGE = 100 // labels or values copied at a time
const DECIDED = ['resolution/same', 'resolution/audit', ...DECISION_SPACES] as const

/** An empty graph with callers' decisions about names: builders apply them from the first document on. A later decision restarts it (names.ts). */
export function openCandidate(context: CorpusContext): void {
  createCandidateTables(context.sql, isMigrating(context))
  for (const decisions of valuesOf(context.graph, DECIDED)) withCandidate(context, ({ graph }) => graph.apply(decisions, graph.version))
}

/** `touched`: from the comparison. The context must be read again afterwards: its configuration may have changed. */
export function promoteCandidate(context: CorpusContext, unitOfWork: JobUnitOfWork, job: Job, touched: CommitReceipt['touched']): void {
  const { sql, graph, unindexed } = context
  const isMoving = isMigrating(context)
  for (const patch of labelPatches(graph)) {
    withCandidate(context, ({ graph: own }) => own.apply(isMoving ? movedLabels(own, patch) : patch, own.version))
  }
  const requested = requestedConfig(context)
  if (isMoving) {
    withCandidate(context, ({ graph: own }) => own.apply(orphanedVectors(own, graph), own.version))
    leaveIndex(context)
  }
  endReplication(context) // replicas start again with the other graph
  closeTasks(context, unitOfWork, (builder) => builder !== BASE && !isOfCandidate(builder))
  replaceServedTables(sql, graph.version + 1)
  graph.forget()
  adoptTasks(context)
  writeMeta(sql, metaKeys.config, { ...context.config, strategies: requested.strategies, settings: requested.settings })
  noteDivision(context, context.config.settings, requested.settings)
  deleteMeta(sql, metaKeys.pendingConfig)
  writeMeta(sql, metaKeys.nameRules, NAME_RULES) // all its names have just been found
  if (isMoving) settleMove(context, unitOfWork, requested.settings)
  keepReceipt(context, touched, [job])
  job.tally.version = graph.version
  moveDifferingToOutbox(context, graph.version)
  unindexed.forget(lastSeq(context)) // these are found in the outbox's rows
}

/** The vectors in its index are from another model: they are removed, whatever has been sent (outbox/former-index.ts). */
function leaveIndex(context: CorpusContext): void {
  insertFormerNodes(context.sql, 'node', 'value', NAME_VECTORS)
  noteUnconfirmed(context)
  beginClearing(context.sql, context.config.settings)
}

/** Work in progress belongs to the other model from now on, and the deployment is told. */
function settleMove(context: CorpusContext, unitOfWork: JobUnitOfWork, settings: Settings): void {
  const { sql } = context
  writeMeta(sql, metaKeys.dimensions, settings.dimensions)
  writeMeta(sql, metaKeys.isMoveUnrecorded, true)
  deleteMeta(sql, metaKeys.fill, metaKeys.modelMove.hold, metaKeys.topsTold)
  adoptMovedProbes(sql)
  restageForMove(context, unitOfWork, settings)
  deleteSentBatches(sql, lastSeq(context)) // their marks are in the abandoned index
  deleteMeta(sql, metaKeys.indexSlice)
}

/** The corpus stays with its current model, and the index that was being filled is cleared. */
function giveUpMove(context: CorpusContext): void {
  if (!isMigrating(context)) return
  const { sql } = context
  if (beginFillAnew(context)) beginClearing(sql, requestedConfig(context).settings)
  forgetMovedProbes(sql)
  deleteAllVectorless(sql)
  deleteMeta(sql, metaKeys.modelMove.hold)
  dropMigration(context)
}

/** Records what the other index was sent, if anything. */
function beginFillAnew(context: CorpusContext): boolean {
  const { sql } = context
  if (!hasMeta(sql, metaKeys.fill)) return false
  if (isCandidateOpen(sql)) insertFormerNodes(sql, 'next_node', 'next_value', NAME_VECTORS)
  noteDiffering(context)
  deleteMeta(sql, metaKeys.fill)
  return true
}

/** The served graph stays. `keepsTexts`: what was embedded for the other is still needed. */
export function abandonCandidate(context: CorpusContext, unitOfWork: JobUnitOfWork, keepsTexts = false): void {
  if (keepsTexts) beginFillAnew(context)
  else giveUpMove(context)
  const job = isComparing(context) ? candidateJob(context, unitOfWork) : undefined
  if (job) forgetTouched(context.sql, job)
  forgetDiffering(context)
  dropCandidateTasks(context, unitOfWork)
  dropCandidateTables(context.sql, keepsTexts)
}

/** A limited number at a time. Read from the served graph, not from the candidate. */
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
