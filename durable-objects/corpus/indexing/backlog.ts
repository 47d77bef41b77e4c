/**
 * The part of a change that was too much for one transaction: builders left it for separate commits (Builder.hasBacklog). It is processed a batch at a
 * time, with other requests in between; no tasks are lent meanwhile, so that the backlog does not grow, and the jobs that brought it are done when it is.
 * All of it is stored in the graph: a crash repeats nothing and forgets nothing.
 */

import { hasBacklog, processBuilderBacklogs } from '../jobs/builders'
import type { Job } from '../jobs/job'
import { openUnitOfWork } from '../jobs/jobs'
import { publish } from '../jobs/publish'
import type { CorpusContext } from '../store'
import { deleteMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'

/** These jobs wait for the backlog: each has one more open task. */
export function waitForBacklog(context: CorpusContext, jobs: readonly Job[]): void {
  if (jobs.length === 0 || !hasBacklog(context)) return
  const waiting = readWaitingJobs(context)
  for (const job of jobs) {
    if (waiting.includes(job.n)) continue
    job.open++
    job.total++
    waiting.push(job.n)
  }
  writeMeta(context.sql, metaKeys.backlogJobs, waiting)
}

/** One slice, in its own commit. False when there was nothing to do. */
export function processBacklog(context: CorpusContext): boolean {
  if (!hasBacklog(context) && readWaitingJobs(context).length === 0) return false
  context.atomically(() => {
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    const jobs = readWaitingJobs(context).flatMap((n) => unitOfWork.find(n) ?? [])
    publish(context, jobs, processBuilderBacklogs({ context, unitOfWork, jobs, version: context.graph.version + 1 }))
    if (!hasBacklog(context)) releaseJobs(context, jobs)
    unitOfWork.save()
  })
  return true
}

function releaseJobs(context: CorpusContext, jobs: readonly Job[]): void {
  for (const job of jobs) {
    job.open--
    job.done++
  }
  deleteMeta(context.sql, metaKeys.backlogJobs)
}

function readWaitingJobs({ sql }: Pick<CorpusContext, 'sql'>): number[] {
  return [...(readMeta(sql, metaKeys.backlogJobs) ?? [])]
}
