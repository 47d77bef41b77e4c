/** What an object does after sending to the sinks. It may be repeated at any time. */

import { isFillBehind } from '../outbox/differing'
import { cursorOf } from '../outbox/outbox'
import { replicatedUpTo } from '../replication/writer'
import type { CorpusContext } from '../store'
import { listJobsAwaitingSinksUpTo } from '../tables/job'
import { hasMeta, metaKeys } from '../tables/meta'
import { lastSeq } from '../tables/outbox'
import { reportedUpTo } from '../tables/report'
import type { Job } from './job'
import { openUnitOfWork } from './jobs'

/** The entry up to which every sink, including replicas and the object that a partition reports to, has everything. */
const sentUpTo = (context: CorpusContext): number =>
  Math.min(cursorOf(context, 'model'), cursorOf(context, 'index'), replicatedUpTo(context), reportedUpTo(context.sql))

/**
 * Deletions that found nothing: another job may have removed the document just before, and its removals may not have reached the sinks yet.
 */
export function awaitOthers(context: CorpusContext, jobs: readonly Job[]): void {
  const last = lastSeq(context)
  if (sentUpTo(context) < last) for (const job of jobs) if (job.deletes.length > 0) job.told = last
}

/** Jobs that waited for the sinks, including replicas, to receive their deletions. */
export function finishJobsAwaitingSinks(context: CorpusContext): void {
  if (isFillBehind(context)) return // deleted documents may be in the index that is being filled
  if (hasMeta(context.sql, metaKeys.areExamplesUnrecorded)) return // the catalogue still has them
  const upTo = sentUpTo(context)
  context.atomically(() => {
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    for (const n of listJobsAwaitingSinksUpTo(context.sql, upTo)) {
      const job = unitOfWork.find(n)
      if (job) job.told = 0
    }
    unitOfWork.save()
  })
}
