/**
 * The health report of a corpus: the results of its survey (survey.ts), and everything that can be determined at once. Reading it costs a
 * bounded number of rows, whatever the size of the corpus.
 */
import type { CorpusHealth, Sink } from '../../../src/contract/health'
import { NAME_RULES } from '../../../src/core/text/entities'
import { ontologyHealth } from '../indexing/ontology-fit'
import { pendingRewrites } from '../indexing/pending-rewrites'
import { formsOf, leftOutOf, onceRoles, shortRoles } from '../indexing/prompt-forms'
import { countOutdated } from '../indexing/prompt-renewals'
import { retriesOf } from '../indexing/quarantine'
import { storageOf } from '../ingest/limits'
import { countUnsentRows } from '../outbox/outbox'
import { lastReceipt } from '../outbox/receipts'
import type { SinkName } from '../outbox/reconciler'
import { findingsOf, lastReconciliation, nextReconciliationAt } from '../outbox/reconciliation-state'
import { faultOf, refusedOf } from '../outbox/slice-sender'
import { isPending } from '../pending-config'
import { pinnedProbes, probeCount, resultsOf } from '../quality-gate/probes'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta } from '../tables/meta'
import { countErrors } from '../tables/revision'
import { qualityOf } from './drift'

const COUNTED = 1000 // rows counted at most, where there may be many

export function health(context: CorpusContext): CorpusHealth {
  const { sql, graph } = context
  const last = lastReceipt(context)
  const errors = countErrors(sql, COUNTED)
  const nodes = readMeta(sql, metaKeys.surveyedNodes) ?? null
  const { k, tolerance } = pinnedProbes(context)
  return {
    version: graph.version,
    head: last ? { hash: last.hash, state: last.state } : null,
    last_tend: readMeta(sql, metaKeys.maintainedAt) ?? null,
    nodes,
    drift: driftOf(context, nodes),
    quality: qualityOf(context),
    owed: pendingRewrites(context, COUNTED),
    quarantined: errors.reduce((sum, { n }) => sum + n, 0),
    quarantine_reasons: Object.fromEntries(errors.map(({ error, n }) => [error.replace(/^quarantined: /, ''), n])),
    retries: retriesOf(context, COUNTED),
    outdated: countOutdated(context, COUNTED),
    names: graph.count('document') > 0 && readMeta(sql, metaKeys.nameRules) !== NAME_RULES ? 'outdated' : 'current',
    ontology: ontologyHealth(context),
    replies: repliesOf(context),
    outbox: {
      entries: countUnsentRows(context),
      versions_behind: Math.max(0, graph.version - (readMeta(sql, metaKeys.modelVersion) ?? 0)),
    },
    sinks: sinksOf(context),
    storage: shareOf(storageOf(context)),
    probes: { count: probeCount(context), k, tolerance, ...probeRecall(context) },
    gate: readMeta(sql, metaKeys.gateVerdict) ?? null,
    pending: isPending(context),
  }
}

function repliesOf(context: CorpusContext): CorpusHealth['replies'] {
  const [short, once] = [new Set<string>(shortRoles(context)), new Set<string>(onceRoles(context))]
  const leftOut: { readonly [role: string]: { readonly [kind: string]: number } } = leftOutOf(context)
  return Object.fromEntries(
    Object.entries(formsOf(context)).map(([role, tallies]) => [
      role,
      {
        form: short.has(role) ? ('short' as const) : null,
        is_useless: once.has(role),
        ...tallies,
        ...(leftOut[role] ? { left_out: leftOut[role] } : {}),
      },
    ]),
  )
}

function sinksOf(context: CorpusContext): CorpusHealth['sinks'] {
  const sinkOf = (sink: SinkName): Sink => {
    const fault = faultOf(context, sink)
    return { fault: fault ? { code: fault.code, at: fault.at, tries: fault.tries } : null, ...findingsOf(context, sink) }
  }
  const swept = lastReconciliation(context)
  return {
    index: { ...sinkOf('index'), refused: refusedOf(context)?.count ?? 0, delay_ms: readMeta(context.sql, metaKeys.indexDelay) ?? null },
    model: sinkOf('model'),
    next_sweep_at: nextReconciliationAt(context),
    swept_at: swept && swept.seq > 0 ? swept.at : null,
  }
}

function shareOf({ bytes, limit }: ReturnType<typeof storageOf>): CorpusHealth['storage'] {
  return { bytes, limit, share: Math.round((1000 * bytes) / limit) / 1000 }
}

function driftOf(context: CorpusContext, nodes: CorpusHealth['nodes']): CorpusHealth['drift'] {
  const base = readMeta(context.sql, metaKeys.surveyBaseline)
  if (!nodes || !base) return null
  const moved = (now: number, before: number): number => (before > 0 ? Math.round((1000 * Math.abs(now - before)) / before) / 1000 : 0)
  const churn = (readMeta(context.sql, metaKeys.churn) ?? 0) / Math.max(1, context.graph.count('passage'))
  return { size: moved(nodes.size.mean, base.size), degree: moved(nodes.degree.mean, base.degree), churn: Math.round(1000 * churn) / 1000 }
}

function probeRecall(context: Pick<CorpusContext, 'sql'>): {
  readonly recall: { readonly [strategy: string]: number }
  readonly at: number | null
} {
  const all = resultsOf(context).flatMap(({ last }) => last ?? [])
  const sums = new Map<string, { readonly sum: number; readonly count: number }>()
  for (const { found: own } of all) {
    for (const [name, value] of Object.entries(own)) {
      const { sum, count } = sums.get(name) ?? { sum: 0, count: 0 }
      sums.set(name, { sum: sum + value.recall, count: count + 1 })
    }
  }
  const recall = Object.fromEntries([...sums].map(([name, { sum, count }]) => [name, Math.round((1000 * sum) / count) / 1000]))
  return { recall, at: all.length > 0 ? Math.max(...all.map((one) => one.at)) : null }
}
