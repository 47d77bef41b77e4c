/** The open work in a corpus, read from its rows for `due-times.ts`. A few rows each, whatever the size of the corpus. */
import { isBudgetExhausted } from '../billing/admission'
import { refusedUntil } from '../billing/partition'
import { modelMoveAt } from '../division/model-move'
import { repartitionAt } from '../division/state'
import { backgroundDueAt, hasTasksForNow } from '../indexing/background'
import { hasCommit } from '../indexing/commit'
import { hasDueBuilder } from '../indexing/due-builders'
import { nextRewriteAt } from '../indexing/pending-rewrites'
import { isRenewalDue } from '../indexing/prompt-renewals'
import { quarantineAt } from '../indexing/quarantine'
import { hasBudgetMoved, readLease } from '../indexing/runner'
import { hasUnkeptFiles } from '../ingest/kept-file'
import { probesDueAt } from '../maintenance/ask-probes'
import { closedUntil } from '../maintenance/deletion'
import { hasUnsentMove, moveInvisibleSince } from '../maintenance/drain-with-move'
import { dropState } from '../maintenance/drop'
import { retentionAt } from '../maintenance/retention'
import { isConsolidationDue, isQualityDue } from '../maintenance/scheduled-maintenance'
import { surveyState } from '../maintenance/survey'
import { settlingMark } from '../maintenance/take-reports'
import { hasMaintenanceSlice } from '../maintenance/under-way'
import { hasUnsent } from '../outbox/drain'
import { invisibleSince } from '../outbox/index-sink'
import { nextSinkCheckAt } from '../outbox/reconciliation-state'
import type { CorpusContext } from '../store'
import { hasUnfinishedJobs } from '../tables/job'
import { metaKeys, readMeta } from '../tables/meta'
import { hasTasks } from '../tables/task'
import { nextDeliveryAt, nextSourceAt } from '../webhooks/message-queue'
import type { Attempts, OpenWork, ScheduleState, Upkeep } from './due-times'

export function scheduleStateOf(context: CorpusContext, attempts: Attempts, patience: number): ScheduleState {
  return {
    patience,
    attempts,
    drop: dropState(context),
    closedUntil: closedUntil(context),
    work: workOf(context),
    upkeep: upkeepOf(context),
  }
}

function workOf(context: CorpusContext): OpenWork {
  const hasOwn = hasCommit(context)
  return {
    hasSlice: hasOwn || hasMaintenanceSlice(context) || hasDueBuilder(context),
    hasTasks: !hasOwn && hasTasksForNow(context) && !isBudgetExhausted(context),
    backgroundAt: hasOwn || isBudgetExhausted(context) ? null : backgroundDueAt(context),
    leaseUntil: readLease(context)?.until ?? null,
    hasBudgetMoved: hasBudgetMoved(context),
    budgetAt: readMeta(context.sql, metaKeys.isPaused) ? (refusedUntil(context)?.at ?? null) : null,
    hasUnsent: hasUnsent(context) || hasUnsentMove(context),
    invisibleSince: invisibleSince(context) ?? moveInvisibleSince(context),
    sinkCheckAt: nextSinkCheckAt(context),
    isSettling: settlingMark(context) !== undefined,
    probesAt: probesDueAt(context),
    repartitionAt: repartitionAt(context),
    modelMoveAt: modelMoveAt(context),
    nextDeliveryAt: nextDeliveryAt(context),
    nextSourceAt: nextSourceAt(context),
  }
}

function upkeepOf(context: CorpusContext): Upkeep {
  return {
    visitedAt: readMeta(context.sql, metaKeys.maintainedAt) ?? readMeta(context.sql, metaKeys.createdAt) ?? 0,
    isBusy: hasUnfinishedJobs(context.sql),
    hasLazyTasks: hasTasks(context.sql, 'lazy'),
    unwrittenAt: nextRewriteAt(context),
    quarantineAt: quarantineAt(context),
    isRenewalDue: isRenewalDue(context),
    hasUnkeptFiles: hasUnkeptFiles(context),
    isConsolidationDue: isConsolidationDue(context),
    isQualityWanted: isQualityDue(context),
    ...surveyState(context),
    retentionAt: retentionAt(context),
  }
}
