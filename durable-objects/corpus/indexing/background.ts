/**
 * Background tasks (`auto` measuring itself): no job waits for them, so they wait for callers' work: first questions, then jobs, and after the last job for those who
 * waited for it, who are told how it ended only between two of them.
 */
import type { CorpusContext } from '../store'
import { hasUnfinishedJobs } from '../tables/job'
import { countJobTasks, countUrgentTasks, hasTasks, readBackgroundTask, type TaskRow } from '../tables/task'

const QUIET = 1000 // ms after a question, and for some builders after the last job, during which none is done
const EVERY = 5000 // ms after which one is done anyway, so that a constantly queried corpus finishes too

type Clocks = Pick<CorpusContext, 'lastQuestion' | 'lastBackground' | 'lastJob' | 'now'>

/** The oldest, if it may be done now. */
export function nextBackgroundTask(context: CorpusContext): TaskRow | undefined {
  const row = readBackgroundTask(context.sql)
  return row && !isPostponed(context, row) && (quietAt(context, row) ?? 0) <= context.now() ? row : undefined
}

export function noteBackgroundTask({ lastBackground, now }: Pick<CorpusContext, 'lastBackground' | 'now'>): void {
  if (lastBackground) lastBackground.at = now()
}

/** Tasks that a runner may take now. */
export function countTasksForNow(context: CorpusContext): number {
  return nextBackgroundTask(context) ? countUrgentTasks(context.sql) : countJobTasks(context.sql)
}

/** Are there any? One row is read, however many there are. */
export function hasTasksForNow(context: CorpusContext): boolean {
  return hasTasks(context.sql, 'job') || nextBackgroundTask(context) !== undefined
}

/** When one that waits for questions may be done; null: none is waiting. */
export function backgroundDueAt(context: CorpusContext): number | null {
  const row = readBackgroundTask(context.sql)
  return row && !isPostponed(context, row) ? quietAt(context, row) : null
}

/** Are jobs open? It is remembered when there last were. */
export function areJobsOpen({ sql, lastJob, now }: Pick<CorpusContext, 'sql' | 'lastJob' | 'now'>): boolean {
  const are = hasUnfinishedJobs(sql)
  if (are && lastJob) lastJob.at = now()
  return are
}

/** During open jobs: the builder decides. */
function isPostponed(context: CorpusContext, row: TaskRow): boolean {
  return waitsForJobs(context, row) && areJobsOpen(context)
}

function waitsForJobs({ builders, graph }: CorpusContext, { builder }: TaskRow): boolean {
  return builders.find((one) => one.name === builder)?.isPostponed?.(graph) === true
}

/** When questions are over, and those who waited for jobs know that they have ended; null: that is not known here. */
function quietAt(context: CorpusContext, row: TaskRow): number | null {
  const { lastQuestion, lastBackground, lastJob }: Clocks = context
  if (!lastQuestion) return null
  const jobsOverAt = lastJob && waitsForJobs(context, row) ? lastJob.at + QUIET : 0
  return Math.max(jobsOverAt, Math.min(lastQuestion.at + QUIET, (lastBackground?.at ?? 0) + EVERY))
}
