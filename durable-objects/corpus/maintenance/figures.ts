/** The figures of a corpus for metrics. Reading them costs a bounded number of rows. */
import type { Figures } from '../../../src/ports/seeing'
import { availableBudget, neuronsOf } from '../billing/usage'
import { storageOf } from '../ingest/limits'
import { invisibleSince } from '../outbox/index-sink'
import { countUnsentRows } from '../outbox/outbox'
import type { CorpusContext } from '../store'
import { countJobStates, readOldestUnfinishedTime } from '../tables/job'
import { metaKeys, readMeta } from '../tables/meta'
import { countErrors } from '../tables/revision'
import { listTotals } from '../tables/spending'
import { countTasks } from '../tables/task'

const NEWEST_JOBS = 1000
const MAX_TASKS = 10_000
const MAX_DOCUMENTS = 1000

export function figures(context: CorpusContext): Figures {
  const { sql, graph, config } = context
  const since = (at: number | null | undefined): number => (at === null || at === undefined ? 0 : Math.max(0, context.now() - at))
  const stages = listTotals(sql).map(({ stage, calls, read, written, embedded, usd }) => {
    return [stage, { calls, in: read, out: written, embedded, neurons: neuronsOf(usd) }] as const
  })
  return {
    version: graph.version,
    documents: graph.count('document'),
    chunks: graph.count('chunk'),
    jobs: Object.fromEntries(countJobStates(sql, NEWEST_JOBS).map(({ status, n }) => [status, n])),
    oldestJobMs: since(readOldestUnfinishedTime(sql)),
    tasks: countTasks(sql, MAX_TASKS),
    outboxRows: countUnsentRows(context),
    versionsBehind: Math.max(0, graph.version - (readMeta(sql, metaKeys.modelVersion) ?? 0)),
    indexLagMs: since(invisibleSince(context)),
    quarantined: countErrors(sql, MAX_DOCUMENTS).reduce((sum, { n }) => sum + n, 0),
    storageBytes: storageOf(context).bytes,
    budget: config.budget,
    left: availableBudget(context),
    stages: Object.fromEntries(stages),
    keptAnswers: keptAnswers(sql),
    alerts: readMeta(sql, metaKeys.raisedAlerts)?.length ?? 0,
  }
}

function keptAnswers(sql: CorpusContext['sql']): Figures['keptAnswers'] {
  const { hits = 0, misses = 0, saved } = readMeta(sql, metaKeys.keptAnswers) ?? {}
  return { hits, misses, saved: { in: saved?.in ?? 0, out: saved?.out ?? 0, embedded: saved?.embedded ?? 0 } }
}
