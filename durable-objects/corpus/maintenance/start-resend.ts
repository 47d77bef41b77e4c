/** Runs after a restore from a backup. */
import { newJobId } from '../ingest/accept'
import { openUnitOfWork } from '../jobs/jobs'
import type { CorpusContext } from '../store'
import { incrementMeta, metaKeys } from '../tables/meta'
import type { MaintenanceProgress } from './job-progress'
import { FIRST_PLACE } from './resend-all'

/** Creates a job that sends both sinks everything, for a corpus restored from a backup. Inside a transaction. Returns its id. */
export function startResend(context: CorpusContext, id = newJobId()): string {
  const unitOfWork = openUnitOfWork(context.sql, context.now())
  const job = unitOfWork.create({ id, kind: 'restore', created: context.now(), upto: 0, deletes: [] })
  job.waiting = 1
  job.progress = JSON.stringify({ step: 'tell', after: FIRST_PLACE, builders: [] } satisfies MaintenanceProgress)
  incrementMeta(context.sql, metaKeys.acceptedCount)
  unitOfWork.save()
  return job.id
}
