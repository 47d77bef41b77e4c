/** Is there work on the whole corpus, and can some of it be done now? */
import type { JobKind } from '../../../src/contract/jobs'
import { unfinishedJobs } from '../jobs/jobs'
import type { CorpusContext } from '../store'
import { readMaintenanceUnderway } from '../tables/job'
import { MAINTENANCE_KINDS, type MaintenanceProgress } from './job-progress'
import { isMoveWaiting } from './migrate'
import { isTellingWaiting } from './tell-languages'

export function isMaintenanceOpen(context: CorpusContext): boolean {
  return unfinishedJobs(context.sql).some((job) => MAINTENANCE_KINDS.has(job.kind) && job.phase === 'staging')
}

/** Could `runMaintenanceSlice` do something? Not while a job waits for its tasks. */
export function hasMaintenanceSlice({ sql }: Pick<CorpusContext, 'sql'>): boolean {
  const open = readMaintenanceUnderway(sql)
  if (!open?.progress) return false
  return !isWaiting({ sql }, open.kind, JSON.parse(open.progress) as MaintenanceProgress, open.open)
}

/** `open`: the job's tasks. */
export function isWaiting(context: Pick<CorpusContext, 'sql'>, kind: JobKind, progress: MaintenanceProgress, open: number): boolean {
  const { step } = progress
  if (step === 'tell-languages') return isTellingWaiting(context, progress)
  if (step === 'await' || step === 'write') return open > 0
  return kind === 'migrate' && isMoveWaiting(context, step)
}
