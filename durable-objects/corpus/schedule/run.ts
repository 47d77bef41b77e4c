/**
 * One run of the alarm: commits that are ready, slices of work on the whole corpus, what the sinks and the queue lack, a runner,
 * maintenance, until the time is up or nothing is due. Between two slices other requests are served: without a timer no request gets
 * through, however often this awaits.
 */

import { commitNext } from '../indexing/commit'
import { beginDueBuilders } from '../indexing/due-builders'
import { runMaintenanceSlice } from '../maintenance/maintain'
import { runScheduledMaintenance } from '../maintenance/scheduled-maintenance'
import { isThreadQueried } from '../query-load'
import type { CorpusContext } from '../store'
import { requeueOverdue } from '../webhooks/message-queue'

const BETWEEN = 20 // ms between two slices: a request takes several turns until it is answered

export interface AlarmRun {
  /** Read again each time: a promoted graph brings its settings. */
  readonly context: () => CorpusContext
  /** The corpus was deleted meanwhile. */
  readonly isClosed: () => boolean
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
  /** Calls back when the milliseconds are over, unless the returned function was called before. */
  readonly after: (ms: number, then: () => void) => () => void
  /** Waits until a slice may be done alongside questions. */
  readonly giveWay: () => Promise<void>
  /** Sends everything waiting. */
  readonly drain: () => Promise<void>
  /** The same, without being awaited. */
  readonly drainMeanwhile: () => void
  readonly startRunner: () => Promise<void>
  readonly isUpkeepDue: () => boolean
}

export async function runAlarm(parts: AlarmRun, until: number): Promise<void> {
  const { context, now, pause } = parts
  const giveWay = async (): Promise<void> => (isThreadQueried(context()) ? parts.giveWay() : undefined)
  for (;;) {
    await giveWay()
    if (now() >= until || parts.isClosed() || !worksOn(context())) break
    parts.drainMeanwhile()
    await parts.startRunner() // work accepted meanwhile need not wait for the end
    if (!isThreadQueried(context())) await pause(BETWEEN)
  }
  if (parts.isClosed()) return
  requeueOverdue(context())
  // A leftover timer would keep an idle object awake, and billed, until it ends.
  let cancel: () => void = () => undefined
  const timeIsUp = new Promise<void>((resolve) => {
    cancel = parts.after(until - now(), resolve)
  })
  try {
    await Promise.race([parts.drain(), timeIsUp])
  } finally {
    cancel()
    await parts.startRunner() // a sink that is down does not hold up model work
  }
  while (now() < until && !parts.isClosed() && parts.isUpkeepDue()) {
    await giveWay()
    runScheduledMaintenance(context())
    await pause(BETWEEN)
  }
}

function worksOn(context: CorpusContext): boolean {
  return commitNext(context) || runMaintenanceSlice(context) || beginDueBuilders(context)
}
