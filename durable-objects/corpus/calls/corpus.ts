/** A corpus as a whole: its settings, its state, its maintenance, and reports on both. */
import { isTuning } from '../../../src/core/strategies/auto/calibration'
import { rerankingOf } from '../../../src/core/strategies/auto/rerank-weight'
import type { CorpusView } from '../../../src/ports/corpus'
import type { CorpusObject } from '../../../src/ports/object'
import { mayRead } from '../access/readable'
import { addAuditEntries, auditEntries, withAuditEntry } from '../audit/log'
import { isBudgetExhausted } from '../billing/admission'
import { usage } from '../billing/usage'
import { type CorpusHost, DELETED } from '../host'
import { progressOfCorpus, readProgress } from '../jobs/progress'
import { isClosed, reconcileDeletion } from '../maintenance/deletion'
import { noteHealthRead } from '../maintenance/drift'
import { health } from '../maintenance/health'
import { restartMaintenance, startMaintenance } from '../maintenance/maintain'
import { runScheduledMaintenance } from '../maintenance/scheduled-maintenance'
import { countUnsentRows } from '../outbox/outbox'
import { receipts } from '../outbox/receipts'
import { isPending, writeConfig } from '../pending-config'
import { pinnedProbes, pinProbes, probesWithResults } from '../quality-gate/probes'
import { republishLabels } from '../query/labels'
import { readableBy } from '../query/visibility'
import { contextOf } from '../store'
import { hasUnfinishedJobs } from '../tables/job'
import { metaKeys, writeMeta } from '../tables/meta'

export function corpusCalls(
  host: CorpusHost,
): Pick<
  CorpusObject,
  | 'configure'
  | 'view'
  | 'reconcile'
  | 'maintain'
  | 'health'
  | 'receipts'
  | 'putProbes'
  | 'probes'
  | 'tend'
  | 'audit'
  | 'noteAudit'
  | 'drain'
> {
  let looking: Promise<unknown> = Promise.resolve() // one reconciliation after another
  return {
    async configure(config, by) {
      if (host.isClosed) throw new Error(DELETED)
      await host.waitForIntegration()
      const before = host.context?.config
      host.store.atomically(() => {
        if (host.context) republishLabels(host.context, config.settings.gorag)
        writeConfig(host.store, before, config)
        writeMeta(host.store.sql, metaKeys.dimensions, config.settings.dimensions)
        if (!before) writeMeta(host.store.sql, metaKeys.createdAt, Date.now())
        addAuditEntries(host.store, by, [{ action: before ? 'corpus.settings' : 'corpus.create', outcome: 'done' }])
      })
      host.context = contextOf(host.store)
      if (isPending(host.store) && !restartMaintenance(host.ready())) startMaintenance(host.ready(), 'reindex')
      await host.changed()
    },

    async view(asker): Promise<CorpusView | null> {
      const context = host.served()
      if (!context) return null
      const { graph } = context
      const kinds = ['document', 'chunk', 'passage', 'unit', 'entity', 'keyword', 'label', 'summary'] as const
      const plural = (kind: string): string => (kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`)
      const counts = Object.fromEntries(kinds.map((kind) => [plural(kind), graph.count(kind)]))
      const busy = hasUnfinishedJobs(context.sql)
      const reranking = rerankingOf(graph, context.config.settings)
      const sight = readableBy(context, asker)
      return {
        status: !busy ? 'settled' : isBudgetExhausted(context) ? 'paused_budget' : 'indexing',
        tuning: isTuning(graph, context.config.settings.models),
        ...(reranking ? { reranking } : {}),
        ...(busy ? { progress: progressOfCorpus(readProgress(context.sql)) } : {}),
        version: graph.version,
        counts: sight
          ? { documents: graph.access.count(sight, graph.count('document')) } // the rest would show how much is hidden
          : { ...counts, communities: graph.count('community'), edges: graph.edgeCount() },
        usage: usage(context),
      }
    },

    async reconcile(corpus) {
      const parts = { context: () => host.context, sinks: host.sinks, now: () => Date.now() }
      const look = looking.catch(() => undefined).then(() => reconcileDeletion(parts, corpus))
      looking = look
      const found = await look
      host.isClosed = host.context !== undefined && isClosed(host.context)
      await host.changed()
      return found
    },

    async maintain(kind, options, by) {
      const context = host.served()
      if (!context) return { kind: 'gone' }
      const accepted = withAuditEntry(host.store, by, `corpus.${kind}`, { outcome: ({ kind: outcome }) => outcome }, () =>
        startMaintenance(context, kind, options.strategies),
      )
      await host.changed()
      return accepted
    },

    async health() {
      const context = host.served()
      if (!context) return null
      if (noteHealthRead(context)) await host.alarm.set()
      return health(context)
    },

    async receipts(cursor, limit) {
      return receipts(host.ready(), cursor, limit)
    },

    async putProbes(probes, bounds, ifMatch, by) {
      const pinning = () => pinProbes(host.ready(), probes, bounds, ifMatch)
      return host.afterChange(withAuditEntry(host.store, by, 'probes.put', {}, pinning) ? pinnedProbes(host.ready()) : 'changed')
    },

    async probes(asker) {
      const all = probesWithResults(host.ready())
      return { ...all, probes: all.probes.filter(({ expect }) => expect.every((id) => mayRead(host.ready(), id, asker))) }
    },

    async tend() {
      if (!host.context) return false
      const context = host.served()
      if (context) runScheduledMaintenance(context)
      await host.changed()
      return true
    },

    async audit(place) {
      return auditEntries(host.store, place)
    },

    async noteAudit(events, by) {
      if (host.context) addAuditEntries(host.store, by, events)
      await host.alarm.set() // an entry is thrown away when its time is over
    },

    async drain() {
      await host.drain()
      return { left: host.context ? countUnsentRows(host.context) : 0 }
    },
  }
}
