/**
 * What a change brought that was too much for one transaction: builders left it for commits of their own (Builder.behind). It is caught up
 * with a piece at a time, other requests in between; no tasks are lent meanwhile, so that what is owed does not grow, and jobs that
 * brought it are done when it is. All of it is in the graph: a crash repeats nothing and forgets nothing.
 */

import { candidateJob, inCandidate, inside, noteMade } from '../shadow-graph/candidate'
import type { CorpusContext } from '../store'
import { deleteMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import { catchUpBuilders } from './builders'
import { type Job, type JobUnitOfWork, openUnitOfWork } from './jobs'
import { publish } from './publish'

/** Has a builder left something? O(1). */
export function isBehind({ builders, graph }: Pick<CorpusContext, 'builders' | 'graph'>): boolean {
  return builders.some((builder) => builder.behind?.(graph))
}

/** These jobs are not done before what was left is in: they owe one more. */
export function waitFor(context: CorpusContext, jobs: readonly Job[]): void {
  if (jobs.length === 0 || !isBehind(context)) return
  const waiting = waitingFor(context)
  for (const job of jobs) {
    if (waiting.includes(job.n)) continue
    job.open++
    job.total++
    waiting.push(job.n)
  }
  writeMeta(context.sql, metaKeys.backlogJobs, waiting)
}

/** One piece, in a commit of its own. False when there was nothing to do. */
export function catchUpOnce(context: CorpusContext): boolean {
  if (!isBehind(context) && waitingFor(context).length === 0) return false
  context.atomically(() => {
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    const jobs = waitingFor(context).flatMap((n) => unitOfWork.find(n) ?? [])
    publish(context, jobs, catchUpBuilders({ context, unitOfWork, jobs, version: context.graph.version + 1 }))
    if (!isBehind(context)) release(context, jobs)
    unitOfWork.save()
  })
  return true
}

/** The same for the graph that is derived anew beside the one that is served. */
export function catchUpCandidate(context: CorpusContext, unitOfWork: JobUnitOfWork): boolean {
  const job = candidateJob(context, unitOfWork)
  if (!job) return false
  return inCandidate(context, (candidate) => {
    if (!isBehind(candidate)) return false
    noteMade(candidate, catchUpBuilders(inside(candidate, unitOfWork, job)))
    return true
  })
}

function release(context: CorpusContext, jobs: readonly Job[]): void {
  for (const job of jobs) {
    job.open--
    job.done++
  }
  deleteMeta(context.sql, metaKeys.backlogJobs)
}

function waitingFor({ sql }: Pick<CorpusContext, 'sql'>): number[] {
  return [...(readMeta(sql, metaKeys.backlogJobs) ?? [])]
}
