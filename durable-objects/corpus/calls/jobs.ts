/** Jobs, and the tasks that a runner takes and brings back. */
import type { Job as JobView } from '../../../src/contract/jobs'
import type { CorpusObject } from '../../../src/ports/object'
import { questionsFirst } from '../../../src/question-precedence'
import { withAuditEntry } from '../audit/log'
import { openPart } from '../division/closed'
import { giveUpModelMove, modelMoveOf } from '../division/model-move'
import { cancelRepartition, latestRepartition, repartitionJob } from '../division/state'
import type { CorpusHost } from '../host'
import { commitRound, endLease, openTasks } from '../indexing/runner'
import { type Job, viewOf } from '../jobs/job'
import { findJob, listJobs } from '../jobs/jobs'
import { readProgress } from '../jobs/progress'
import { cancelJob, retryJob } from '../maintenance/job-actions'
import { isThreadQueried } from '../query-load'
import type { CorpusContext } from '../store'

const LOOK = 500 // ms: not every step of changing the partitions wakes who waits for it

export function jobsCalls(host: CorpusHost): Pick<CorpusObject, 'job' | 'jobs' | 'cancel' | 'retry' | 'openTasks' | 'commit' | 'release'> {
  const repartitionJobOf = async (id: string, until: number): Promise<JobView | null> => {
    for (;;) {
      const job = repartitionJob(host.store, id)
      if (job?.status !== 'running' || Date.now() >= until) return job
      await host.nextChange(Math.min(until - Date.now(), LOOK))
    }
  }
  return {
    async job(id, waitMs) {
      const until = Date.now() + waitMs
      for (;;) {
        const job = findJob(host.store.sql, id)
        if (!job) return repartitionJobOf(id, until)
        const isDone = job.phase === 'done' && job.status !== 'running' // one of partitions that were left may be
        if (isDone || job.status === 'paused_budget' || Date.now() >= until) return viewOf(job, readProgress(host.store.sql))
        await host.nextChange(job.phase === 'done' ? Math.min(until - Date.now(), LOOK) : until - Date.now())
      }
    },

    async jobs(cursor, limit) {
      const page = listJobs(host.store.sql, cursor, limit)
      const own = cursor === null ? latestRepartition(host.store) : null
      return own ? { ...page, data: [own, ...page.data] } : page
    },

    async cancel(id, by) {
      if (repartitionJob(host.store, id)) {
        const context = host.ready()
        withAuditEntry(host.store, by, 'job.cancel', { subject: id }, () => cancelRepartition(context, id))
        return host.afterChange(repartitionJob(host.store, id))
      }
      if (modelMoveOf(host.store)?.job === id && !giveUpModelMove(host.ready(), id)) return this.job(id, 0)
      return actOn(host, id, (context, job) => withAuditEntry(host.store, by, 'job.cancel', { subject: id }, () => cancelJob(context, job)))
    },

    async retry(id, by) {
      return actOn(host, id, (_, job) => withAuditEntry(host.store, by, 'job.retry', { subject: id }, () => retryJob(openPart(host), job)))
    },

    async openTasks(runner, limit, turn, thinkingTokens) {
      const context = host.isRestoring ? undefined : host.working()
      if (!context) return { tasks: [], left: 0, paused: false }
      const round = openTasks(context, runner, limit, turn, thinkingTokens)
      host.alarm.update({ starts: 0 })
      await host.changed()
      return round ?? { tasks: [], left: 0, paused: false }
    },

    async commit(runner, results) {
      const before = host.working()
      if (before && isThreadQueried(before)) await questionsFirst.giveWay()
      const context = host.working()
      const done = context && commitRound(context, runner, results)
      if (!done) return { kind: 'lost' }
      await host.changed()
      return { kind: 'committed', left: done.left }
    },

    async release(runner) {
      if (host.context && endLease(host.context, runner)) await host.changed()
    },
  }
}

/** Null: there is no such job. */
async function actOn(host: CorpusHost, id: string, act: (context: CorpusContext, job: Job) => unknown): Promise<JobView | null> {
  const job = findJob(host.store.sql, id)
  const context = host.served()
  if (!job || !context) return null
  act(context, job)
  await host.changed()
  const after = findJob(host.store.sql, id)
  return after ? viewOf(after, readProgress(host.store.sql)) : null
}
