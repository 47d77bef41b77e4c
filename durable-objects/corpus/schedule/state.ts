/** What is open in a corpus, read from its rows for `due-times.ts`. A few rows each, whatever the size of the corpus. */
import { isTuning } from '../../../src/core/strategies/auto/calibration'
import { closedUntil } from '../care/deletion'
import { dropState } from '../care/drop'
import { retentionAt } from '../care/expire'
import { hasSlice } from '../care/maintain'
import { surveyState } from '../care/survey'
import { isConsolidationDue, isMeasuringDue } from '../care/tend'
import { exhausted } from '../money/admission'
import { type Ledger, readMeta } from '../store'
import { deliveryAt, sourceAt } from '../told/courier'
import { isUnsent } from '../told/drain'
import { invisibleSince } from '../told/index-sink'
import { lookAt } from '../told/sweep-state'
import { hasCommit } from '../work/commit'
import { quarantineAt } from '../work/quarantine'
import { hasBudgetMoved, lease } from '../work/runner'
import { hasTasks } from '../work/tasks'
import { unwrittenAt } from '../work/unwritten'
import type { Attempts, OpenWork, ScheduleState, Upkeep } from './due-times'

export function scheduleStateOf(ledger: Ledger, attempts: Attempts, patience: number): ScheduleState {
  return { patience, attempts, drop: dropState(ledger), closedUntil: closedUntil(ledger), work: workOf(ledger), upkeep: upkeepOf(ledger) }
}

function workOf(ledger: Ledger): OpenWork {
  const hasOwn = hasCommit(ledger)
  return {
    hasSlice: hasOwn || hasSlice(ledger),
    hasTasks: !hasOwn && hasTasks(ledger.sql, 'urgent') && !exhausted(ledger),
    leaseUntil: lease(ledger)?.until ?? null,
    hasBudgetMoved: hasBudgetMoved(ledger),
    isUnsent: isUnsent(ledger),
    invisibleSince: invisibleSince(ledger),
    lookAt: lookAt(ledger),
    deliveryAt: deliveryAt(ledger),
    sourceAt: sourceAt(ledger),
  }
}

function upkeepOf(ledger: Ledger): Upkeep {
  return {
    visitedAt: Number(readMeta(ledger.sql, 'tended') ?? readMeta(ledger.sql, 'born') ?? 0),
    isBusy: ledger.sql.one(`SELECT 1 FROM job WHERE phase <> 'done' LIMIT 1`) !== undefined,
    isTuning: isTuning(ledger.graph, ledger.config.settings.models),
    hasLazyTasks: hasTasks(ledger.sql, 'lazy'),
    unwrittenAt: unwrittenAt(ledger),
    quarantineAt: quarantineAt(ledger),
    isConsolidationDue: isConsolidationDue(ledger),
    isQualityWanted: isMeasuringDue(ledger),
    ...surveyState(ledger),
    retentionAt: retentionAt(ledger),
  }
}
