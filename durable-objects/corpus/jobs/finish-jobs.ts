/** What an object does after the sinks have been sent something. May be repeated at any time. */

import { isFillBehind } from '../outbox/differing'
import { cursorOf } from '../outbox/outbox'
import { replicatedUpTo } from '../replication/writer'
import type { CorpusContext } from '../store'
import { listJobsAwaitingSinksUpTo } from '../tables/job'
import { openUnitOfWork } from './jobs'

/** Jobs that waited for the sinks, replicas among them, to receive their deletions. */
export function finishJobsAwaitingSinks(context: CorpusContext): void {
  if (isFillBehind(context)) return // what was deleted may be in the index that is being filled
  const sentUpTo = Math.min(cursorOf(context, 'model'), cursorOf(context, 'index'), replicatedUpTo(context))
  context.atomically(() => {
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    for (const n of listJobsAwaitingSinksUpTo(context.sql, sentUpTo)) {
      const job = unitOfWork.find(n)
      if (job) job.told = 0
    }
    unitOfWork.save()
  })
}
