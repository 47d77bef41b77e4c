/**
 * When a corpus must wake next, and for what: the earliest of its due times, each with a name. Pure: open work comes in as facts, the clock
 * as an argument. Without a due time there is no alarm, so an idle corpus sleeps. All times are milliseconds.
 */

import { backoff } from '../../../src/core/backoff'
import { SURVEY_PAUSE, type SurveyState } from '../maintenance/survey'

export const pauses = {
  retry: 5000, // after a run that failed; doubled for each further one, up to the corpus's patience
  runnerStart: 15_000, // until a started runner should hold the lease; doubled for each that did not take it
  invisible: 3_600_000, // longest pause between two checks of an index that does not show what it was sent
  upkeep: 300_000, // between two runs of maintenance
  survey: SURVEY_PAUSE,
  retention: 86_400_000, // rows that are no longer needed are deleted once a day, not one by one
} as const

/** What this instance of the object has tried; forgotten when it leaves memory. */
export interface Attempts {
  /** Runs of the alarm that failed in a row, and when the last one did. */
  readonly failures: number
  readonly failedAt: number
  /** Runners started in a row without one taking the lease, and when the last one was. */
  readonly starts: number
  readonly startedAt: number
  readonly isDraining: boolean
  /** When the sinks were last asked how far they are; null: not since the object woke. */
  readonly drainedAt: number | null
}

/** Work that somebody waits for. */
export interface OpenWork {
  /** A slice of work on the whole corpus can be done, or started, now. */
  readonly hasSlice: boolean
  /** Tasks that a runner may take now. */
  readonly hasTasks: boolean
  /** When a task that gives way to questions may be taken; null: there is none. */
  readonly backgroundAt: number | null
  /** Until when a runner holds the corpus's lease. */
  readonly leaseUntil: number | null
  /** Jobs must be paused or resumed, because the budget was used up or raised. */
  readonly hasBudgetMoved: boolean
  /** When a partition asks again whether the whole can pay; absent: it does not wait for that. */
  readonly budgetAt?: number | null
  /** A sink, or the queue, has not been sent everything. */
  readonly hasUnsent: boolean
  /** Since when the vector index has been sent something that it does not show yet. */
  readonly invisibleSince: number | null
  /** When to check whether the sinks hold what they should. */
  readonly sinkCheckAt: number | null
  /** When replicas must be told something, or their leases end; absent: there are none. */
  readonly replicationAt?: number | null
  /** It must ask its partitions whether they have settled. */
  readonly isSettling?: boolean
  /** When it must ask them its probes; absent or null: it need not. */
  readonly probesAt?: number | null
  /** When the next step of changing their number is due; absent or null: none is. */
  readonly repartitionAt?: number | null
  /** When the next step of moving all of them to another embedding model is due; absent or null: none is. */
  readonly modelMoveAt?: number | null
  /** When a delivery, or a source, must be put on the queue (again). */
  readonly nextDeliveryAt: number | null
  readonly nextSourceAt: number | null
}

/** Work that no caller waits for. */
export interface Upkeep extends SurveyState {
  readonly visitedAt: number
  /** A job is open, perhaps because of the budget: maintenance that creates work waits. */
  readonly isBusy: boolean
  /** Texts that were left to the schedule. */
  readonly hasLazyTasks: boolean
  /** When a model may be asked for texts that it could not write, or for chunks that it could not read. */
  readonly unwrittenAt: number | null
  readonly quarantineAt: number | null
  /** Chunks were read with other prompts, and may be read again. */
  readonly isRenewalDue: boolean
  /** Files that the corpus keeps no more are still stored. */
  readonly hasUnkeptFiles: boolean
  /** Enough passages were added or removed for a consolidation, or for a requested measurement of quality. */
  readonly isConsolidationDue: boolean
  readonly isQualityWanted: boolean
  /** When the oldest row that is no longer needed may be deleted. */
  readonly retentionAt: number | null
}

export interface ScheduleState {
  /** The longest pause between two checks of work that makes no progress (ALARM_SECONDS). */
  readonly patience: number
  readonly attempts: Attempts
  /** The corpus is being deleted. `since`: when the removals were sent that the index must show; null: there is something to do now. */
  readonly drop: { readonly since: number | null } | null
  /** Until when the deleted corpus can be undeleted; null: it is not deleted, or no longer recoverable. */
  readonly closedUntil: number | null
  readonly work: OpenWork
  readonly upkeep: Upkeep
}

export type DueName = 'drop' | 'deletion' | keyof ReturnType<typeof workDue> | keyof ReturnType<typeof upkeepDue>
export type DueTimes = { readonly [name in DueName]?: number | null }

export interface NextAlarm {
  readonly name: DueName
  readonly at: number
}

export function dueTimes(state: ScheduleState, now: number): DueTimes {
  if (state.drop)
    return {
      drop:
        state.drop.since === null
          ? Math.max(now, state.work.replicationAt ?? now)
          : visibilityDue(state.attempts, state.drop.since, pauses.retry, now),
    }
  if (state.closedUntil !== null) return { deletion: state.closedUntil }
  return { ...workDue(state, now), ...upkeepDue(state, now) }
}

/** Null: nothing is due, and the object needs no alarm. */
export function nextAlarm(state: ScheduleState, now: number): NextAlarm | null {
  const { failures, failedAt } = state.attempts
  const notBefore = failures > 0 ? failedAt + backoff(failures, { first: pauses.retry, max: state.patience }) : now
  let next: NextAlarm | null = null
  for (const [name, at] of Object.entries(dueTimes(state, now)) as [DueName, number | null | undefined][]) {
    if (typeof at === 'number' && (next === null || at < next.at)) next = { name, at }
  }
  return next && { name: next.name, at: Math.max(next.at, notBefore, now) }
}

/** Is any maintenance due? One run does all of it. */
export function isUpkeepDue(state: ScheduleState, now: number): boolean {
  if (state.drop || state.closedUntil !== null) return false
  return Object.values(upkeepDue(state, now)).some((at) => at !== null && at <= now)
}

function workDue({ patience, attempts, work }: ScheduleState, now: number) {
  return {
    slice: work.hasSlice ? now : null,
    budget: work.hasBudgetMoved ? now : (work.budgetAt ?? null),
    runner: work.hasTasks ? runnerDue(attempts, work, patience, now) : work.backgroundAt,
    // What is being sent is checked again in case the object crashes meanwhile.
    sinks: work.hasUnsent ? now + (attempts.isDraining ? patience : 0) : null,
    visibility: work.invisibleSince === null ? null : visibilityDue(attempts, work.invisibleSince, patience, now),
    look: work.sinkCheckAt === null || !attempts.isDraining ? work.sinkCheckAt : Math.max(work.sinkCheckAt, now + patience),
    replication: work.replicationAt ?? null,
    settled: work.isSettling ? now : null,
    probes: work.probesAt ?? null,
    repartition: work.repartitionAt ?? null,
    modelMove: work.modelMoveAt ?? null,
    delivery: work.nextDeliveryAt,
    source: work.nextSourceAt,
  }
}

function runnerDue({ starts, startedAt }: Attempts, { leaseUntil }: OpenWork, patience: number, now: number): number {
  if (leaseUntil !== null && leaseUntil > now) return leaseUntil
  return starts > 0 ? startedAt + backoff(starts, { first: pauses.runnerStart, max: patience }) : now
}

/** Checked again after as long as it has been waiting: often at first, then more and more rarely. */
function visibilityDue({ isDraining, drainedAt }: Attempts, since: number, patience: number, now: number): number {
  if (isDraining) return now + patience
  if (drainedAt === null) return now
  return drainedAt + Math.min(Math.max(drainedAt - since, patience), pauses.invisible)
}

function upkeepDue({ work, upkeep }: ScheduleState, now: number) {
  const { visitedAt, isBusy, survey, surveyedAt, retentionAt } = upkeep
  const isWorking = work.hasSlice || work.hasTasks || work.hasUnsent
  const visit = visitedAt + pauses.upkeep
  const quietly = (is: boolean): number | null => (is && !isBusy ? visit : null)
  const after = (at: number | null): number | null => (at === null || isBusy ? null : Math.max(at, visit))
  return {
    lazyTexts: quietly(upkeep.hasLazyTasks),
    unwrittenTexts: after(upkeep.unwrittenAt),
    quarantine: after(upkeep.quarantineAt),
    renewals: quietly(upkeep.isRenewalDue),
    files: upkeep.hasUnkeptFiles ? visit : null,
    consolidation: quietly(upkeep.isConsolidationDue),
    quality: quietly(upkeep.isQualityWanted),
    survey: isWorking ? null : surveyDue(survey, visit, surveyedAt, now),
    retention: retentionAt === null ? null : Math.max(retentionAt, visitedAt + pauses.retention),
  }
}

function surveyDue(survey: Upkeep['survey'], visit: number, surveyedAt: number, now: number): number | null {
  switch (survey) {
    case 'current':
      return null
    case 'under way':
      return now
    case 'unasked probes':
      return visit
    case 'stale':
      return Math.max(visit, surveyedAt + pauses.survey)
  }
}
