/**
 * Work on the whole corpus, in slices, one per turn of the alarm's loop: reindex (derive the graph again), rebuild (that, and send every
 * sink everything), consolidate. (`drop` is in drop.ts.) Each slice is one transaction that also records how far it got, so that a crash
 * repeats nothing. A graph is derived next to the served one (shadow-graph/), and replaces it only when it is complete and loses no more of
 * the probes than the corpus tolerates (quality-gate/). O(corpus) by nature: it is done on request, never as part of a document's job.
 */
import type { JobKind } from '../../../src/contract/jobs'
import { enabledBuilders, strategies } from '../../../src/core/strategies/registry'
import type { Builder } from '../../../src/core/strategy'
import type { Accepted } from '../../../src/ports/jobs'
import { newJobId } from '../ingest/accept'
import { checkRoomForShadowGraph } from '../ingest/limits'
import type { Job } from '../jobs/job'
import { type JobUnitOfWork, openUnitOfWork, unfinishedJobs } from '../jobs/jobs'
import { requestedConfig } from '../pending-config'
import { measureNext, recordVerdict } from '../quality-gate/gate'
import { judge } from '../quality-gate/measure'
import { pinnedProbes, probeCount } from '../quality-gate/probes'
import { processCandidateBacklog } from '../shadow-graph/candidate'
import { COMPARISON_START, compareNext } from '../shadow-graph/compare'
import { abandonCandidate, openCandidate, promoteCandidate } from '../shadow-graph/promote'
import { type CorpusContext, contextOf } from '../store'
import { hasMeta, incrementMeta, metaKeys, writeMeta } from '../tables/meta'
import { askForVectors } from './ask-for-vectors'
import { consolidateCandidate, consolidateSlice } from './consolidate'
import { forgetMeasures } from './drift'
import { feedSlice } from './feed-candidate'
import { isMoved, MAINTENANCE_KINDS, type Maintenance, type MaintenanceOptions, type MaintenanceProgress } from './job-progress'
import { askForMove, beginFill, clearAfterMove, isMoveComplete, isMoveRefused, settle } from './migrate'
import { nextPace } from './pace'
import { FIRST_PLACE, resendSlice } from './resend-all'
import { resetSurvey } from './survey'
import { tellLanguages } from './tell-languages'
import { isWaiting } from './under-way'

const DERIVING: ReadonlySet<JobKind> = new Set(['reindex', 'rebuild', 'migrate'])

export function startMaintenance(context: CorpusContext, kind: Maintenance, options: MaintenanceOptions = {}): Accepted {
  const { strategies: only, job: id = newJobId() } = options
  const full = kind === 'reindex' || kind === 'rebuild' ? checkRoomForShadowGraph(context) : undefined
  if (full) return full
  return context.atomically(() => {
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    const chosen = only ? enabledBuilders(only.filter((name) => strategies.has(name))) : context.builders
    const here = new Set(context.builders.map((one) => one.name))
    const builders = withFollowers(context.builders, new Set(chosen.map((one) => one.name).filter((name) => here.has(name))))
    const job = unitOfWork.create({ id, kind, created: context.now(), upto: 0, deletes: [] })
    job.waiting = 1
    job.progress = JSON.stringify({
      step: kind === 'consolidate' ? 'consolidate' : 'vectors',
      after: '',
      builders,
    } satisfies MaintenanceProgress)
    incrementMeta(context.sql, metaKeys.acceptedCount)
    unitOfWork.save()
    return { kind: 'accepted', job: job.id, documents: [] }
  })
}

/** The builders that follow a given one are included with it: they may have added to what it wrote. In registry order. */
function withFollowers(builders: readonly Builder[], chosen: ReadonlySet<string>): string[] {
  const names = new Set(chosen)
  for (const builder of builders) if (builder.follows?.some((name) => names.has(name))) names.add(builder.name)
  return builders.map((one) => one.name).filter((name) => names.has(name))
}

/** A graph in progress was derived for other settings: it starts again from the beginning. False if there is none. */
export function restartMaintenance(context: CorpusContext): boolean {
  return context.atomically(() => {
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    const open = unfinishedJobs(context.sql).find((one) => DERIVING.has(one.kind) && one.phase === 'staging' && !isMoved(one))
    const job = open && unitOfWork.find(open.n)
    if (!job) return false
    abandonCandidate(context, unitOfWork, job.kind === 'migrate')
    job.tally.counted.documents.done = 0
    job.progress = JSON.stringify({ step: 'vectors', after: '', builders: [] } satisfies MaintenanceProgress)
    unitOfWork.save()
    return true
  })
}

/** One slice of the oldest maintenance job. False when there is nothing to do now. */
export function runMaintenanceSlice(context: CorpusContext): boolean {
  const open = unfinishedJobs(context.sql).find((job) => MAINTENANCE_KINDS.has(job.kind) && job.phase === 'staging')
  if (!open?.progress) return false
  const { pace, ...rest } = JSON.parse(open.progress) as MaintenanceProgress
  const progress: MaintenanceProgress = pace ? { ...rest, pace: nextPace(pace, context.now()) } : rest // the duration of the last slice is known now
  const worked = context.atomically(() => {
    const unitOfWork = openUnitOfWork(context.sql, context.now())
    const job = unitOfWork.find(open.n)
    if (!job) return false
    if (isWaiting(context, job.kind, progress, job.open)) return false
    if (job.status === 'queued') job.status = 'running'
    const after = processCandidateBacklog(context, unitOfWork) ? progress : runSlice(context, unitOfWork, job, progress)
    if (after) job.progress = JSON.stringify(after)
    else {
      job.waiting = 0
      job.phase = 'settling'
      job.progress = null
    }
    unitOfWork.save()
    return true
  })
  followConfig(context)
  return worked
}

/** A promoted graph brings its settings, and perhaps vectors of another length. */
function followConfig(context: CorpusContext): void {
  Object.assign(context, contextOf(context))
  const { dimensions } = context.config.settings
  if (context.graph.dimensions === dimensions) return
  context.graph.dimensions = dimensions
  context.graph.forget()
}

/** Does a slice and returns where the next begins; undefined when everything is done. */
function runSlice(
  context: CorpusContext,
  unitOfWork: JobUnitOfWork,
  job: Job,
  progress: MaintenanceProgress,
): MaintenanceProgress | undefined {
  switch (progress.step) {
    case 'vectors':
      return job.kind === 'migrate' ? askForMove(context, job, progress) : askForVectors(context, job, progress)
    case 'await':
      if (job.kind !== 'migrate') openCandidate(context)
      return { ...progress, step: 'feed', after: '' }
    case 'feed':
      return feedDocuments(context, unitOfWork, job, progress)
    case 'whole':
      return buildWhole(context, job, progress)
    case 'write':
      return job.kind === 'migrate' ? { ...progress, step: 'settle', after: '', next: 'measure' } : { ...progress, step: 'measure' }
    case 'settle':
      return settle(context, unitOfWork, job, progress)
    case 'fill':
      return { ...progress, step: 'settle', after: '', next: 'promote' }
    case 'clear':
      return undefined
    case 'measure':
      return measure(context, unitOfWork, job, progress)
    case 'compare':
      return compare(context, job, progress)
    case 'promote':
      return promoteGraph(context, unitOfWork, job, progress)
    case 'tell':
      return resend(context, job, progress)
    case 'tell-languages':
      return tellLanguages(context, job, progress)
    case 'consolidate':
      return consolidate(context, job, progress)
  }
}

/** The candidate is given the next documents; then work on its whole is done if it has been done for the served graph. */
function feedDocuments(
  context: CorpusContext,
  unitOfWork: JobUnitOfWork,
  job: Job,
  { pace, ...progress }: MaintenanceProgress,
): MaintenanceProgress {
  const given = feedSlice(context, unitOfWork, job, progress.after, pace)
  const { documents } = job.tally.counted
  documents.total = context.graph.count('document')
  if (given) {
    documents.done = Math.min(documents.total, documents.done + given.documents)
    return { ...progress, after: given.after, pace: given.pace }
  }
  const consolidated = hasMeta(context.sql, metaKeys.isConsolidated)
  const builders = enabledBuilders(requestedConfig(context).strategies).map((one) => one.name)
  return { ...progress, step: 'whole', after: '', builders: consolidated ? builders : [] }
}

/**
 * Work on the whole graph is also done in the candidate, if it was done in the served graph: one builder at a time, in slices if it can be
 * made in steps. KET-RAG's skeleton of 10,000 passages takes a second and a half; for clustering ArchRAG again see docs/archrag.md.
 */
function buildWhole(context: CorpusContext, job: Job, progress: MaintenanceProgress): MaintenanceProgress {
  const [name, ...rest] = progress.builders
  if (name === undefined) return { ...progress, step: 'write' }
  return consolidateCandidate(context, job, name) ? { ...progress, builders: rest } : progress
}

function measure(
  context: CorpusContext,
  unitOfWork: JobUnitOfWork,
  job: Job,
  progress: MaintenanceProgress,
): MaintenanceProgress | undefined {
  if (job.kind === 'migrate' && isMoveRefused(context, job)) {
    abandonCandidate(context, unitOfWork)
    return undefined
  }
  const further = measureNext(context, progress.measuring)
  if (further) return { ...progress, measuring: further }
  const verdict = judge((probeCount(context) > 0 && progress.measuring?.asked) || {}, pinnedProbes(context))
  if (!verdict.refused) return { step: 'compare', after: '', builders: [], verdict }
  recordVerdict(context, job, verdict)
  abandonCandidate(context, unitOfWork)
  return undefined
}

function compare(
  context: CorpusContext,
  job: Job,
  { comparing = COMPARISON_START, ...progress }: MaintenanceProgress,
): MaintenanceProgress {
  const { further, isDone } = compareNext(context, job, comparing)
  const at = { ...progress, comparing: further }
  if (!isDone) return { ...at, step: 'compare' }
  return job.kind === 'migrate' ? beginFill(context, at) : { ...at, step: 'promote' }
}

function promoteGraph(
  context: CorpusContext,
  unitOfWork: JobUnitOfWork,
  job: Job,
  { comparing = COMPARISON_START, verdict, ...progress }: MaintenanceProgress,
): MaintenanceProgress | undefined {
  if (job.kind === 'migrate' && !isMoveComplete(context)) {
    return { ...progress, comparing, ...(verdict ? { verdict } : {}), step: 'settle', after: '', next: 'promote' }
  }
  if (verdict && probeCount(context) > 0) recordVerdict(context, job, verdict)
  promoteCandidate(context, unitOfWork, job, comparing.touched)
  resetSurvey(context)
  forgetMeasures(context)
  if (job.kind === 'migrate') return clearAfterMove(context, progress)
  return job.kind === 'rebuild' ? { ...progress, step: 'tell', after: FIRST_PLACE } : undefined
}

function resend(context: CorpusContext, job: Job, progress: MaintenanceProgress): MaintenanceProgress | undefined {
  const after = resendSlice(context, job, progress.after)
  return after === undefined ? undefined : { ...progress, after }
}

function consolidate(context: CorpusContext, job: Job, progress: MaintenanceProgress): MaintenanceProgress | undefined {
  const [name, ...rest] = progress.builders
  if (name === undefined) {
    resetSurvey(context)
    forgetMeasures(context)
    writeMeta(context.sql, metaKeys.isConsolidated, true)
    return undefined
  }
  const measuring = consolidateSlice(context, job, name, progress.measuring)
  if (measuring) return { ...progress, measuring }
  return { step: 'consolidate', after: '', builders: rest }
}
