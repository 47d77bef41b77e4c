/** A corpus as a whole: its settings, its state, its maintenance, and reports on both. */
import { embeddingOf, isSameEmbedding } from '../../../src/core/settings'
import { isTuning } from '../../../src/core/strategies/auto/calibration'
import { rerankingOf } from '../../../src/core/strategies/auto/rerank-weight'
import { NAME_RULES } from '../../../src/core/text/entities'
import type { CorpusView } from '../../../src/ports/corpus'
import type { CorpusObject } from '../../../src/ports/object'
import { mayRead } from '../access/readable'
import { addAuditEntries, auditEntries, withAuditEntry } from '../audit/log'
import { backupStart, readBackupPage } from '../backup/read-rows'
import { isReplaying, withdrawalsSince } from '../backup/replay'
import { isRestoring, restorePart, restoreState } from '../backup/restore'
import { isBudgetExhausted } from '../billing/admission'
import { noteBudget } from '../billing/new-budget'
import { usage } from '../billing/usage'
import { openPart } from '../division/closed'
import { refuseClosing } from '../division/state'
import { type CorpusHost, DELETED, RESTORING } from '../host'
import { withoutDeleted } from '../indexing/forget-examples'
import { pauseOrResume } from '../indexing/runner'
import { progressOfCorpus, readProgress } from '../jobs/progress'
import { isClosed, reconcileDeletion } from '../maintenance/deletion'
import { noteHealthRead } from '../maintenance/drift'
import { health } from '../maintenance/health'
import { restartMaintenance, startMaintenance } from '../maintenance/maintain'
import { runScheduledMaintenance } from '../maintenance/scheduled-maintenance'
import { startTelling } from '../maintenance/tell-languages'
import { countUnsentRows } from '../outbox/outbox'
import { receipts } from '../outbox/receipts'
import { writeConfig } from '../pending-config'
import { missingOf, pinnedProbes, pinProbes, probesWithResults } from '../quality-gate/probes'
import { forgetAnswers } from '../query/kept-answers'
import { republishLabels } from '../query/labels'
import { refuseMoved } from '../query/retrieve'
import { readableBy } from '../query/visibility'
import { contextOf } from '../store'
import { hasUnfinishedJobs } from '../tables/job'
import { metaKeys, writeMeta } from '../tables/meta'
import { tellSpending } from './budget'

const COMING_BACK: CorpusView = {
  status: 'restoring',
  tuning: false,
  version: 0,
  counts: {},
  usage: { in: 0, out: 0, embedded: 0, usd: 0 },
}

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
  | 'backupPage'
  | 'backupStarts'
  | 'restore'
  | 'restoreState'
  | 'withdrawals'
> {
  let looking: Promise<unknown> = Promise.resolve() // reconciliations run one after another
  return {
    async configure(asked, by) {
      if (host.isClosed || host.isRestoring || host.isReplaying) throw new Error(host.isClosed ? DELETED : RESTORING)
      await host.waitForIntegration()
      refuseClosing(host.store)
      const before = host.context?.config
      const config = withoutDeleted(host.store, asked)
      let isShaping = false
      host.store.atomically(() => {
        if (host.context) republishLabels(host.context, config.settings.gorag)
        isShaping = writeConfig(host.store, before, config)
        forgetAnswers(host.store)
        if (!before) writeMeta(host.store.sql, metaKeys.dimensions, config.settings.dimensions)
        // The sender of this configuration knows an older model: the catalogue may too.
        else if (!isSameEmbedding(before.settings, config.settings)) writeMeta(host.store.sql, metaKeys.isMoveUnrecorded, true)
        if (!before) writeMeta(host.store.sql, metaKeys.createdAt, Date.now())
        if (!before) writeMeta(host.store.sql, metaKeys.nameRules, NAME_RULES)
        noteBudget(host.store, before, config)
        addAuditEntries(host.store, by, [{ action: before ? 'corpus.settings' : 'corpus.create', outcome: 'done' }])
      })
      host.context = contextOf(host.store)
      // Whoever looks next sees what the new budget means: a runner may start much later.
      host.store.atomically(() => pauseOrResume(host.ready()))
      if (!before && host.store.graph.dimensions !== config.settings.dimensions) host.store.graph.dimensions = config.settings.dimensions
      if (isShaping && !restartMaintenance(host.ready())) startMaintenance(host.ready(), 'reindex')
      if (before) host.followed.tell(host.ready()) // there may be fewer replicas now
      await host.changed()
      await tellSpending(host)
      const { examples } = config.settings.extraction
      return { ...embeddingOf(host.ready().config.settings), ...(config === asked ? {} : { examples: examples ?? null }) }
    },

    async view(asker): Promise<CorpusView | null> {
      if ((host.isRestoring || host.isReplaying) && !host.isClosed) return COMING_BACK
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
          ? { documents: graph.access.count(sight, graph.count('document')) } // other figures would show how much is hidden
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
      if (host.isClosed && host.context) host.followed.tell(host.context)
      await host.changed()
      return found
    },

    async maintain(kind, options, by) {
      if (!host.served()) return { kind: 'gone' }
      const context = openPart(host)
      const accepted = withAuditEntry(host.store, by, `corpus.${kind}`, { outcome: ({ kind: outcome }) => outcome }, () =>
        kind === 'languages' ? startTelling(context, options.job) : startMaintenance(context, kind, options),
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
      for (const { embedded } of probes) refuseMoved(host.ready(), embedded)
      const { asker, ...limits } = bounds
      const pinning = () => pinProbes(host.ready(), probes, limits, ifMatch)
      if (!withAuditEntry(host.store, by, 'probes.put', {}, pinning)) return host.afterChange('changed')
      const expected = new Set(probes.flatMap(({ expect }) => expect))
      return host.afterChange({ ...pinnedProbes(host.ready()), missing: missingOf(host.ready(), [...expected], asker) })
    },

    async probes(asker) {
      const all = probesWithResults(host.ready())
      const shown = all.probes.filter(({ expect }) => expect.every((id) => mayRead(host.ready(), id, asker)))
      return { ...all, probes: shown.map((one) => ({ ...one, missing: missingOf(host.ready(), one.expect, asker) })) }
    },

    async tend() {
      if (!host.context || host.isRestoring) return host.context !== undefined
      const context = host.working()
      if (context) runScheduledMaintenance(context)
      await host.changed()
      return true
    },

    async audit(place) {
      return auditEntries(host.store, place)
    },

    async noteAudit(events, by) {
      if (host.context) addAuditEntries(host.store, by, events)
      await host.alarm.set() // so that entries are deleted when they expire
    },

    async backupStarts() {
      const start = backupStart(host.ready())
      return start && [start]
    },

    async backupPage(from) {
      return readBackupPage(host.ready(), from)
    },

    async restore(part, by) {
      const { context } = host
      if (!context || host.isClosed) throw new Error(DELETED)
      const outcome = restorePart(context, part, by)
      host.isRestoring = isRestoring(context)
      host.isReplaying = isReplaying(context)
      host.context = contextOf(host.store)
      await host.changed()
      return outcome
    },

    async withdrawals(since) {
      return withdrawalsSince(host.ready(), since)
    },

    async restoreState() {
      return host.context && !host.isClosed ? restoreState(host.context) : null
    },

    async drain() {
      await host.drain()
      return { left: host.context ? countUnsentRows(host.context) : 0 }
    },
  }
}
