/** Background tasks (`auto` measuring itself): no job waits for them, so they wait for callers' work: first questions, then jobs. */
import type { CorpusContext } from '../store'
import { hasUnfinishedJobs } from '../tables/job'
import { countJobTasks, countUrgentTasks, hasTasks, readBackgroundTask, type TaskRow } from '../tables/task'

const QUIET = 1000 // ms after a question during which none is done
const EVERY = 5000 // ms after which one is done anyway, so that a constantly queried corpus finishes too

type Clocks = Pick<CorpusContext, 'lastQuestion' | 'lastBackground' | 'now'>

/** The oldest, if it may be done now. */
export function nextBackgroundTask(context: CorpusContext): TaskRow | undefined {
  const row = readBackgroundTask(context.sql)
  return row && !isPostponed(context, row) && (questionsOverAt(context) ?? 0) <= context.now() ? row : undefined
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
  return row && !isPostponed(context, row) ? questionsOverAt(context) : null
}

/** During open jobs: the builder decides. */
function isPostponed({ builders, graph, sql }: CorpusContext, { builder }: TaskRow): boolean {
  const own = builders.find((one) => one.name === builder)
  return own?.isPostponed?.(graph) === true && hasUnfinishedJobs(sql)
}

function questionsOverAt({ lastQuestion, lastBackground }: Clocks): number | null {
  if (!lastQuestion) return null
  return Math.min(lastQuestion.at + QUIET, (lastBackground?.at ?? 0) + EVERY)
}
