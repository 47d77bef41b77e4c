/**
 * Moves a corpus to another embedding model in place, by a job in slices: its texts, probes and labels are embedded by that model while it
 * is served with its current one; a graph is derived from these vectors next to the served one, compared by the probes, and sent to the
 * other model's index; then it replaces the served one in one transaction, with settings and index, and the abandoned index is emptied.
 * Additions and removals meanwhile happen in both. What a text model has written is known, and only embedded again.
 */
import { type EmbeddingModel, embeddingModelOf, withEmbeddingModel } from '../../../src/core/settings'
import type { Accepted } from '../../../src/ports/jobs'
import type { MoveRefusal } from '../../../src/ports/migration'
import { quarantineAfterMove } from '../indexing/quarantine'
import { newJobId } from '../ingest/accept'
import { checkRoomForShadowGraph } from '../ingest/limits'
import type { Job } from '../jobs/job'
import { type JobUnitOfWork, openUnitOfWork } from '../jobs/jobs'
import { clearingState } from '../outbox/former-index'
import { isMigrating, writeMigration } from '../pending-config'
import { askForNextChunks, askForQuestions } from '../shadow-graph/move'
import { deleteOrphanedMoved, listUnmovedAfter } from '../shadow-graph/moved-texts'
import { openCandidate } from '../shadow-graph/promote'
import { isCandidateOpen } from '../shadow-graph/tables'
import type { CorpusContext } from '../store'
import { lastDiffering } from '../tables/differing'
import { listFedAmong } from '../tables/fed'
import { incrementMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { FillPlace } from '../tables/meta-values'
import { hasMoveTasks } from '../tables/task'
import { countVectorless } from '../tables/vectorless'
import { feedSlice } from './feed-candidate'
import type { MaintenanceProgress } from './job-progress'

const CHUNKS = 500 // requested in one slice
const DOCUMENTS = 500 // checked together
const LACKING = 0.1 // of the chunks: the most for which a model may lack vectors
const FEW = 10 // chunks for which it always may, whatever their share

/** Why it cannot begin; undefined: it can. */
export function moveRefusal(context: CorpusContext, to: EmbeddingModel, isBusy: boolean) {
  const { settings } = context.config
  const now = embeddingModelOf(settings)
  if (now?.id === to.id && settings.dimensions === to.dimensions) return 'same'
  return isBusy || clearingState(context) ? 'busy' : checkRoomForShadowGraph(context)
}

/** `shared`: the id of the job of all objects of a corpus in partitions, which change to the other model together. Absent: a new one, alone. */
export function startMigration(context: CorpusContext, to: EmbeddingModel, isBusy: boolean, shared?: string): Accepted | MoveRefusal {
  const refused = moveRefusal(context, to, isBusy)
  if (refused) return refused
  return context.atomically(() => {
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    const job = unitOfWork.create({ id: shared ?? newJobId(), kind: 'migrate', created: context.now(), upto: 0, deletes: [] })
    job.waiting = 1
    job.progress = JSON.stringify({ step: 'vectors', after: '', builders: [] } satisfies MaintenanceProgress)
    incrementMeta(context.sql, metaKeys.acceptedCount)
    writeMigration(context, withEmbeddingModel(context.config.settings, to))
    if (shared !== undefined) writeMeta(context.sql, metaKeys.modelMove.hold, { isGranted: false })
    unitOfWork.save()
    return { kind: 'accepted', job: job.id, documents: [] }
  })
}

/** Does the job wait for others at this step? */
export function isMoveWaiting(context: Pick<CorpusContext, 'sql'>, step: MaintenanceProgress['step']): boolean {
  if (step === 'settle') return hasMoveTasks(context.sql)
  if (step === 'fill') return readMeta(context.sql, metaKeys.fill)?.step !== 'ready'
  if (step === 'promote') return isHeld(context)
  return step === 'clear' && clearingState(context) !== undefined
}

/** A corpus in partitions changes when all of it may, also if a few vectors are yet to be sent: these are in the outbox afterwards. */
function isHeld({ sql }: Pick<CorpusContext, 'sql'>): boolean {
  const hold = readMeta(sql, metaKeys.modelMove.hold)
  return hold ? !hold.isGranted : !isFilled({ sql })
}

/** Has the other index been sent everything? */
export function isFilled({ sql }: Pick<CorpusContext, 'sql'>): boolean {
  const place = readMeta(sql, metaKeys.fill)
  return place?.step === 'ready' && place.sent >= lastDiffering(sql)
}

/** Vectors of chunks are requested, a page at a time; the graph that will have them is opened with the first. */
export function askForMove(context: CorpusContext, job: Job, progress: MaintenanceProgress): MaintenanceProgress {
  if (!isCandidateOpen(context.sql)) openCandidate(context)
  const last = askForNextChunks(context, job, progress.after, CHUNKS)
  if (last !== undefined) return { ...progress, after: last }
  askForQuestions(context, job)
  return { ...progress, step: 'await', after: '' }
}

/** Additions since then are embedded, and fed when they are; then it continues. */
export function settle(context: CorpusContext, unitOfWork: JobUnitOfWork, job: Job, progress: MaintenanceProgress): MaintenanceProgress {
  const { pace, ...rest } = progress
  if (askForNextChunks(context, job, '', CHUNKS) !== undefined || askForQuestions(context, job)) return rest
  const given = feedSlice(context, unitOfWork, job, progress.after, pace)
  if (given) return { ...rest, after: given.after, pace: given.pace }
  return { ...rest, step: progress.next ?? 'measure', after: '' }
}

/** A model that fails on so many is broken, or not the intended one: what it has no vectors for would only be found by words. */
export function isMoveRefused({ sql, graph }: CorpusContext, job: Job): boolean {
  const [lacking, all] = [countVectorless(sql), graph.count('chunk')]
  if (lacking === 0 || (lacking < all && lacking <= Math.max(FEW, LACKING * all))) return false
  job.status = 'failed'
  job.error = `refused: the other embedding model gave no vectors for texts of ${lacking} of ${all} chunks`
  return true
}

/** From now on changes are recorded, so that the other index, which is sent the whole, is sent them too. */
export function beginFill(context: CorpusContext, progress: MaintenanceProgress): MaintenanceProgress {
  const place: FillPlace = { step: 'stale', after: '', since: 0, sent: lastDiffering(context.sql) }
  writeMeta(context.sql, metaKeys.fill, place)
  return { ...progress, step: 'fill' }
}

/** The corpus has been switched, inside the same transaction: next the abandoned index is emptied. */
export function clearAfterMove(context: CorpusContext, progress: MaintenanceProgress): MaintenanceProgress {
  quarantineAfterMove(context)
  return { ...progress, step: 'clear', after: '' }
}

/** Does the new graph have everything of the served one? Checked in the transaction that replaces the served one. */
export function isMoveComplete(context: CorpusContext): boolean {
  if (!isMigrating(context) || hasMoveTasks(context.sql) || listUnmovedAfter(context.sql, '', 1).length > 0) return false
  if (hasUnfedDocument(context)) return false
  deleteOrphanedMoved(context.sql)
  return true
}

function hasUnfedDocument(context: CorpusContext): boolean {
  for (let after = ''; ; ) {
    const page = context.graph.page('document', after, DOCUMENTS)
    const last = page.at(-1)
    if (last === undefined) return false
    const names = page.map((id) => `d ${id}`)
    if (listFedAmong(context.sql, names).length < names.length) return true
    after = last
  }
}
