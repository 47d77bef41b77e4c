/**
 * A corpus in partitions is moved to another embedding model: what one of its objects does. Its own job embeds, derives and sends everything as in any
 * corpus (migrate.ts), and waits before the switch until the corpus's own object says that all may change. Each order may come twice.
 */
import type { ModelAnswer, ModelOrder, ModelState } from '../../../src/ports/migration'
import { isIntegrating } from '../jobs/integration-state'
import { findJob, openUnitOfWork, unfinishedJobs } from '../jobs/jobs'
import { isPending } from '../pending-config'
import type { CorpusContext } from '../store'
import { deleteMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import { cancelJob } from './job-actions'
import { isMoved, type MaintenanceProgress } from './job-progress'
import { runMaintenanceSlice } from './maintain'
import { isFilled, isMoveComplete, moveRefusal, startMigration } from './migrate'
import { isMaintenanceOpen } from './under-way'

const SLICES = 20 // in one order: promoting takes one

export function followMove(context: CorpusContext, order: ModelOrder): ModelAnswer {
  switch (order.what) {
    case 'ask': {
      const why = moveRefusal(context, order.to, isAtWork(context))
      return why ? { kind: 'refused', why } : DONE
    }
    case 'begin':
      return begin(context, order)
    case 'state':
      return { kind: 'state', state: stateOf(context, order.job) }
    case 'close':
      close(context, order.isClosed)
      return DONE
    case 'switch':
      return { kind: 'state', state: change(context, order.job) }
    case 'cancel':
      giveUp(context, order.job)
      return DONE
  }
}

const DONE: ModelAnswer = { kind: 'done' }

export const isAtWork = (context: CorpusContext): boolean => isPending(context) || isMaintenanceOpen(context)

function begin(context: CorpusContext, { job, to }: Extract<ModelOrder, { readonly what: 'begin' }>): ModelAnswer {
  if (findJob(context.sql, job)) return DONE
  const begun = startMigration(context, to, isAtWork(context), job)
  if (typeof begun === 'string') return { kind: 'refused', why: begun }
  return begun.kind === 'accepted' ? DONE : { kind: 'refused', why: begun }
}

/** One that has everything but for what came since embeds that, too. Reads the names of all documents, as the switch does. */
export function stateOf(context: CorpusContext, id: string): ModelState {
  const job = findJob(context.sql, id)
  if (!job) return { at: 'none', isBusy: false }
  if (job.status === 'failed' || job.status === 'cancelled')
    return { at: 'ended', isBusy: false, ...(job.error === null ? {} : { error: job.error }) }
  const isBusy = hasStaged(context, id) || isIntegrating(context)
  if (isMoved(job) || job.phase !== 'staging') return { at: 'moved', isBusy }
  const progress = job.progress ? (JSON.parse(job.progress) as MaintenanceProgress) : undefined
  if (progress?.step !== 'promote' || !isFilled(context)) return { at: 'working', isBusy }
  if (context.atomically(() => isMoveComplete(context))) return { at: 'ready', isBusy }
  setStep(context, id, { ...progress, step: 'settle', after: '', next: 'promote' })
  return { at: 'working', isBusy }
}

/** What waits for a budget is not in the graph before the switch, and is embedded by the other model after it. */
function hasStaged({ sql }: CorpusContext, id: string): boolean {
  return unfinishedJobs(sql).some((one) => one.id !== id && one.phase === 'staging' && one.status !== 'paused_budget')
}

function setStep(context: CorpusContext, id: string, progress: MaintenanceProgress): void {
  context.atomically(() => {
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    const found = findJob(context.sql, id)
    const job = found && unitOfWork.find(found.n)
    if (job) job.progress = JSON.stringify(progress)
    unitOfWork.save()
  })
}

function close({ sql, atomically }: CorpusContext, isClosed: boolean): void {
  atomically(() => (isClosed ? writeMeta(sql, metaKeys.moving, { isClosed }) : deleteMeta(sql, metaKeys.moving)))
}

/** In one go, unless something has come since it was ready: then as soon as it has that, too. It is written again when it has changed. */
export function change(context: CorpusContext, id: string): ModelState {
  const { sql } = context
  const { hold } = metaKeys.modelMove
  context.atomically(() => {
    if (readMeta(sql, hold)) writeMeta(sql, hold, { isGranted: true })
  })
  const isToChange = (): boolean => findJob(sql, id)?.phase === 'staging' && readMeta(sql, hold) !== undefined
  for (let slice = 0; slice < SLICES && isToChange() && runMaintenanceSlice(context); slice++);
  const state = stateOf(context, id)
  if (state.at === 'moved') close(context, false)
  return state
}

/** `error`: why; absent: it was cancelled. */
export function giveUp(context: CorpusContext, id: string, error?: string): void {
  close(context, false)
  const found = findJob(context.sql, id)
  if (!found || !cancelJob(context, found) || error === undefined) return
  context.atomically(() => {
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    const job = unitOfWork.find(found.n)
    if (job) Object.assign(job, { status: 'failed', error })
    unitOfWork.save()
  })
}
