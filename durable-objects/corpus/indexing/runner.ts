/**
 * Leases the corpus's tasks to its one runner, and accepts its results. The lease is on the corpus, not on a task: what a runner did not bring back is
 * simply still open when it, or the next runner, asks again.
 */
import { embeddingOf } from '../../../src/core/settings'
import type { Round, TaskResult, Turn } from '../../../src/ports/tasks'
import { isBudgetExhausted, openAdmission } from '../billing/admission'
import { isWaitingForMoney } from '../billing/partition'
import { isCapped } from '../billing/usage'
import { countLapsed } from '../billing/usage-recorder'
import { openUnitOfWork, unfinishedJobs } from '../jobs/jobs'
import { notePace } from '../jobs/progress'
import { requestedConfig } from '../pending-config'
import { isBeingQueried } from '../query-load'
import type { CorpusContext } from '../store'
import { hasJobToPause } from '../tables/job'
import { deleteMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { Lease } from '../tables/meta-values'
import { countTasksForNow } from './background'
import { commitResults, hasCommit } from './commit'
import { lendFirst } from './lend'
import { onceRoles, shortRoles } from './prompt-forms'

const ROUND_SHARE = 0.8 // of a lease a round may take; the rest is for its last commit
const TEXTS_BESIDE_QUESTIONS = 512 // lent to a round while the corpus is being asked: some twenty chunks, whose vectors are received in one slice
const HELD_WAIT = 5000 // ms until a runner asks again, if what is left is reserved for others

export function readLease(context: CorpusContext): Lease | undefined {
  const held = readMeta(context.sql, metaKeys.lease)
  return held && held.until > context.now() ? held : undefined
}

/** At most `limit` texts' worth of tasks, oldest first. `null`: another runner holds the corpus. */
export function openTasks(context: CorpusContext, runner: string, limit: number, turn?: Turn, thinkingTokens?: number): Round | null {
  const held = readLease(context)
  if (held && held.runner !== runner) return null
  const wait = roundWait(context, held, turn)
  if (wait > 0) return { tasks: [], left: countTasksForNow(context), paused: false, wait }
  context.atomically(() => {
    countLapsed(context)
    pauseOrResume(context)
  })
  if (isBudgetExhausted(context)) return pausedRound(context)
  // What has already arrived is applied first.
  if (hasCommit(context)) {
    deleteLease(context)
    return { tasks: [], left: 0, paused: false }
  }
  const { tasks, remembered, refused, group } = context.atomically(() => {
    const until = context.now() + context.leaseMs
    writeLease(context, { runner, until, at: held?.at ?? context.now(), ...(turn ? { round: { id: turn.id, until } } : {}) })
    if (isWaitingForMoney(context)) return { tasks: [], remembered: [], refused: 'held', group: 'all' } as const
    const texts = isBeingQueried(context) ? Math.min(limit, TEXTS_BESIDE_QUESTIONS) : limit
    return lendFirst(context, openAdmission(context, thinkingTokens), { texts, written: turn?.written ?? limit })
  })
  if (remembered.length > 0) commitResults(context, remembered)
  const idle = tasks.length === 0 && remembered.length === 0
  if (idle && refused === 'unaffordable') {
    context.atomically(() => pauseOrResume(context))
    return pausedRound(context)
  }
  const left = countTasksForNow(context)
  if (idle && refused === 'held') return { tasks, left, paused: false, wait: HELD_WAIT }
  if (left === 0) deleteLease(context)
  const { settings } = group === 'served' || group === 'all' ? context.config : requestedConfig(context)
  const embedded = embeddingOf(settings)
  const more = { ...(isCapped(context) ? { isCapped: true as const } : {}), ...talliedOf(context), ...chosenOf(settings) }
  return { tasks, left, paused: false, ms: context.leaseMs * ROUND_SHARE, embedded, ...more }
}

function pausedRound(context: CorpusContext): Round {
  deleteLease(context)
  return { tasks: [], left: 0, paused: true }
}

/** Milliseconds for which another round of this runner may still be working on its tasks. */
function roundWait(context: CorpusContext, held: Lease | undefined, turn: Turn | undefined): number {
  const round = held?.round
  if (!round || round.id === turn?.id || round.id === turn?.after) return 0
  return Math.max(0, round.until - context.now())
}

/** Refused when the lease is gone: another runner may have the same tasks. Anything it could not do stays open. */
export function commitRound(context: CorpusContext, runner: string, results: readonly TaskResult[]): { left: number } | null {
  const held = readLease(context)
  if (held?.runner !== runner) return null
  const now = context.now()
  commitResults(context, results)
  recordPace(context, results, now - (held.at ?? now))
  const left = countTasksForNow(context)
  if (left === 0) deleteLease(context)
  else writeLease(context, { ...held, at: now, until: context.now() + context.leaseMs })
  return { left }
}

/** The runner ends although something is left. False: it holds no lease. */
export function endLease(context: CorpusContext, runner: string): boolean {
  if (readLease(context)?.runner !== runner) return false
  deleteLease(context)
  return true
}

/** How much the last round has done: texts if nothing was written, otherwise replies. */
function recordPace({ sql }: CorpusContext, results: readonly TaskResult[], ms: number): void {
  const texts = results.reduce((sum, { reply }) => sum + (reply.kind === 'embed' ? reply.vectors.length : 0), 0)
  const replies = results.filter(({ reply }) => reply.kind !== 'embed').length
  if (replies > 0) notePace(sql, 'task', replies, ms)
  else notePace(sql, 'text', texts, ms)
}

function writeLease(context: CorpusContext, held: Lease): void {
  writeMeta(context.sql, metaKeys.lease, held)
}

function deleteLease(context: CorpusContext): void {
  deleteMeta(context.sql, metaKeys.lease)
}

/** Jobs are paused while the budget is used up, by anything. */
export function pauseOrResume(context: CorpusContext): void {
  const paused = isBudgetExhausted(context)
  const was = readMeta(context.sql, metaKeys.isPaused) === true
  if (!paused && !was) return
  writeMeta(context.sql, metaKeys.isPaused, paused)
  const unitOfWork = openUnitOfWork(context.sql, context.now())
  for (const { n } of unfinishedJobs(context.sql)) {
    const job = unitOfWork.find(n)
    // Work that needs no model continues: a deletion becomes visible and is sent to the sinks whatever is left to spend.
    if (!job || job.phase === 'telling' || job.open === 0) continue
    if (paused) job.status = 'paused_budget'
    else if (job.status === 'paused_budget') job.status = 'running'
  }
  unitOfWork.save()
}

/** Are there jobs that `pauseOrResume` would change? */
export function hasBudgetMoved(context: CorpusContext): boolean {
  if (!isBudgetExhausted(context)) return readMeta(context.sql, metaKeys.isPaused) === true
  return hasJobToPause(context.sql)
}

/** How roles are asked, according to their replies so far. */
function talliedOf(context: CorpusContext): Pick<Round, 'short' | 'once'> {
  const [short, once] = [shortRoles(context), onceRoles(context)]
  return { ...(short.length > 0 ? { short } : {}), ...(once.length > 0 ? { once } : {}) }
}

function chosenOf({ roleModels }: Pick<CorpusContext['config']['settings'], 'roleModels'>): Pick<Round, 'chosen'> {
  return roleModels && Object.keys(roleModels).length > 0 ? { chosen: roleModels } : {}
}
