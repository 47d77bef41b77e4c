/** What a caller may do with a job: cancel it, or retry what failed. */
import { moveSpendingToNobody } from '../billing/rows'
import type { Job } from '../jobs/job'
import { openUnitOfWork } from '../jobs/jobs'
import { restage, unstage } from '../jobs/staging'
import { abandonCandidate } from '../shadow-graph/promote'
import type { CorpusContext } from '../store'
import { deleteRevision, listFailedRevisionsOfJob, listStagedRevisionsOfJob } from '../tables/revision'
import { forgetDraft } from './consolidate'
import { isMoved, MAINTENANCE_KINDS } from './job-progress'

/** Stops what has not been integrated; what is already visible stays. A graph being derived again is abandoned: the old one is served throughout. False: there was nothing to stop. */
export function cancelJob(context: CorpusContext, found: Job): boolean {
  return context.atomically(() => {
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    const job = unitOfWork.find(found.n)
    if (job?.phase !== 'staging' || isMoved(job)) return false
    if (MAINTENANCE_KINDS.has(job.kind) && job.kind !== 'languages') abandonCandidate(context, unitOfWork)
    forgetDraft(context)
    const staged = listStagedRevisionsOfJob(context.sql, job.n)
    unstage(context, unitOfWork, staged)
    for (const { n, document } of staged) {
      deleteRevision(context.sql, n)
      moveSpendingToNobody(context.sql, [document])
    }
    job.waiting = 0
    job.status = 'cancelled'
    job.phase = 'telling' // closes without an event
    job.open = 0
    unitOfWork.save()
    return true
  })
}

/** Requests again what failed: documents whose vectors could not be obtained are staged again. False: nothing has failed. */
export function retryJob(context: CorpusContext, found: Job): boolean {
  if (found.status !== 'failed') return false
  return context.atomically(() => {
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    const job = unitOfWork.find(found.n)
    if (!job) return false
    const failed = listFailedRevisionsOfJob(context.sql, job.n)
    if (failed.length === 0) return false
    Object.assign(job, {
      status: 'running',
      phase: 'staging',
      error: null,
      receipt: null,
      progress: JSON.stringify(failed.map((one) => one.n)),
    })
    for (const revision of failed) restage(context, job, revision)
    unitOfWork.save()
    return true
  })
}
