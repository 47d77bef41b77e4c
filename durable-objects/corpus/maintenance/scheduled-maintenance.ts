/**
 * What the schedule does for a corpus: it consolidates if enough has changed, promotes tasks that were left to the schedule, requests again
 * what a model could not do or did with other prompts, and deletes jobs that ended long ago. Cheap when there is nothing to do.
 */

import { churnOf } from '../indexing/churn'
import { forgetExamplesOfDeleted } from '../indexing/forget-examples'
import { requestRewrites } from '../indexing/pending-rewrites'
import { requestRenewals } from '../indexing/prompt-renewals'
import { retryQuarantined } from '../indexing/quarantine'
import { expireFiles } from '../ingest/kept-file'
import { unfinishedJobs } from '../jobs/jobs'
import type { CorpusContext } from '../store'
import { metaKeys, writeMeta } from '../tables/meta'
import { promoteLazyTasks } from '../tables/task'
import { announce } from '../webhooks/announce'
import { requeueOverdue } from '../webhooks/message-queue'
import { announceDrift, isQualityWanted } from './drift'
import { startMaintenance } from './maintain'
import { deleteExpired, deleteOrphans } from './retention'
import { surveySlice } from './survey'

const CHURN_SHARE = 0.2 // of the passages must have been added or removed since the last consolidation
const MIN_PASSAGES = 64 // passages below which measuring the channels teaches nothing (specs of `auto`)

export function isConsolidationDue(context: CorpusContext): boolean {
  const passages = context.graph.count('passage')
  return passages >= MIN_PASSAGES && churnOf(context) >= CHURN_SHARE * passages
}

/** Does somebody want to know the quality of the graph's structures, and has enough changed to measure it? */
export function isQualityDue(context: CorpusContext): boolean {
  const passages = context.graph.count('passage')
  return passages >= MIN_PASSAGES && isQualityWanted(context, churnOf(context), passages)
}

/** True if it has created work. */
export function runScheduledMaintenance(context: CorpusContext): boolean {
  return context.atomically(() => {
    deleteExpired(context)
    expireFiles(context)
    deleteOrphans(context)
    forgetExamplesOfDeleted(context)
    surveySlice(context)
    const hasRequeued = requeueOverdue(context)
    const isBusy = unfinishedJobs(context.sql).length > 0
    if (isBusy) return hasRequeued
    const hasRequested = requestRewrites(context)
    const hasRetried = retryQuarantined(context)
    const hasRenewed = requestRenewals(context)
    const hasPromoted = promoteLazyTasks(context.sql)
    const passages = context.graph.count('passage')
    if (passages >= MIN_PASSAGES) announceDrift(context, churnOf(context), passages)
    const isDue = isConsolidationDue(context)
    if (isDue) {
      const share = Math.round((100 * churnOf(context)) / passages) / 100
      announce(context.sql, context.now(), [{ type: 'corpus.drift', data: { measure: 'churn', share, version: context.graph.version } }])
      writeMeta(context.sql, metaKeys.churn, 0)
      startMaintenance(context, 'consolidate')
    }
    return isDue || hasPromoted || hasRequested || hasRetried || hasRenewed || hasRequeued
  })
}
