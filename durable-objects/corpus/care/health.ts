/**
 * The health report of a corpus: what its survey (survey.ts) found, and what can be said at once. Reading it costs a bounded number of
 * rows, whatever the size of the corpus.
 */
import type { GateView, HealthView, SinkView } from '../../../src/ports'
import { pinned, probeCount, resultsOf } from '../gate/probes'
import { storageOf } from '../intake/limits'
import { type Ledger, readMeta } from '../store'
import { faultOf, refusedOf } from '../told/delivery'
import { waiting } from '../told/outbox'
import { lastReceipt } from '../told/receipts'
import type { SinkName } from '../told/reconcile'
import { foundIn, lastSweep } from '../told/sweep-state'
import { owedTexts } from '../work/unwritten'
import { qualityOf } from './drift'
import { isPending } from './pending'

const COUNTED = 1000 // rows counted at most of what may be many

export function health(ledger: Ledger): HealthView {
  const { sql, graph } = ledger
  const last = lastReceipt(ledger)
  const nodes = read<NonNullable<HealthView['nodes']>>(ledger, 'nodes') ?? null
  const { k, tolerance } = pinned(ledger)
  const tended = readMeta(sql, 'tended')
  return {
    version: graph.version,
    head: last ? { hash: last.hash, state: last.state } : null,
    last_tend: tended ? Number(tended) : null,
    nodes,
    drift: driftOf(ledger, nodes),
    quality: qualityOf(ledger),
    owed: owedTexts(ledger, COUNTED),
    quarantined:
      sql.one<{ n: number }>('SELECT count(*) AS n FROM (SELECT 1 FROM revision WHERE error IS NOT NULL LIMIT ?)', COUNTED)?.n ?? 0,
    outbox: { entries: waiting(ledger), versions_behind: Math.max(0, graph.version - Number(readMeta(sql, 'told/version') ?? 0)) },
    sinks: sinksOf(ledger),
    storage: shareOf(storageOf(ledger)),
    probes: { count: probeCount(ledger), k, tolerance, ...found(ledger) },
    gate: read<GateView>(ledger, 'gate') ?? null,
    pending: isPending(ledger),
  }
}

function sinksOf(ledger: Ledger): HealthView['sinks'] {
  const sinkOf = (sink: SinkName): SinkView => {
    const fault = faultOf(ledger, sink)
    return { fault: fault ? { code: fault.code, at: fault.at, tries: fault.tries } : null, ...foundIn(ledger, sink) }
  }
  const delay = readMeta(ledger.sql, 'index/delay')
  const swept = lastSweep(ledger)
  return {
    index: { ...sinkOf('index'), refused: refusedOf(ledger)?.count ?? 0, delay_ms: delay === undefined ? null : Number(delay) },
    model: sinkOf('model'),
    swept_at: swept && swept.seq > 0 ? swept.at : null,
  }
}

function shareOf({ bytes, limit }: ReturnType<typeof storageOf>): HealthView['storage'] {
  return { bytes, limit, share: Math.round((1000 * bytes) / limit) / 1000 }
}

function read<T>(ledger: Pick<Ledger, 'sql'>, key: string): T | undefined {
  const text = readMeta(ledger.sql, key)
  return text ? (JSON.parse(text) as T) : undefined
}

function driftOf(ledger: Ledger, nodes: HealthView['nodes']): HealthView['drift'] {
  const base = read<{ readonly size: number; readonly degree: number }>(ledger, 'baseline')
  if (!nodes || !base) return null
  const moved = (now: number, before: number): number => (before > 0 ? Math.round((1000 * Math.abs(now - before)) / before) / 1000 : 0)
  const churn = Number(readMeta(ledger.sql, 'churn') ?? 0) / Math.max(1, ledger.graph.count('passage'))
  return { size: moved(nodes.size.mean, base.size), degree: moved(nodes.degree.mean, base.degree), churn: Math.round(1000 * churn) / 1000 }
}

function found(ledger: Pick<Ledger, 'sql'>): { readonly recall: { readonly [strategy: string]: number }; readonly at: number | null } {
  const all = resultsOf(ledger).flatMap(({ last }) => last ?? [])
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
