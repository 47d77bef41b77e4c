/**
 * The Durable Object of one corpus: the only writer of its graph. This file is wiring: RPC methods, the alarm, who is woken
 * when a job moves. Decisions are in `corpus/`. It calls no model, and nothing awaits inside a transaction.
 */

import { DurableObject } from 'cloudflare:workers'
import type { Document } from '../src/contract/documents'
import type { CorpusHealth } from '../src/contract/health'
import type { Job as JobView } from '../src/contract/jobs'
import type { Page } from '../src/contract/pages'
import type { Probes } from '../src/contract/probes'
import type { CommitReceipt } from '../src/contract/receipts'
import type { Asker } from '../src/core/access/labels'
import { neighbourhood } from '../src/core/access/neighbourhood'
import type { Json } from '../src/core/graph/types'
import { type Decided, mergeEntities, type NameOperation, partEntities } from '../src/core/strategies/archrag/same'
import { isTuning } from '../src/core/strategies/auto/calibration'
import type { Classification } from '../src/core/strategies/gorag/classify'
import type { LabelView } from '../src/core/strategies/gorag/gorag'
import type { Env } from '../src/env'
import type { Actor, AuditEntry, AuditEvent, AuditPlace } from '../src/ports/audit'
import type { Watch } from '../src/ports/catalogue'
import type { CorpusConfig, CorpusRef, CorpusView } from '../src/ports/corpus'
import type { Deletions } from '../src/ports/deletion'
import type { Accepted } from '../src/ports/jobs'
import type { LabelContent } from '../src/ports/labels'
import type { CorpusObject, Reconciled } from '../src/ports/object'
import type { OutboundObject } from '../src/ports/outbound'
import type { PinnedProbes } from '../src/ports/probes'
import type { Quote, RetrieveRequest, RetrieveResult } from '../src/ports/retrieval'
import type { Held, Hold, StagesSpent, UsageView } from '../src/ports/spending'
import type { Round, TaskResult, Turn } from '../src/ports/tasks'
import type { Link, Seeable, Seen } from '../src/ports/visibility'
import { mayRead } from './corpus/access/readable'
import { addAuditEntries, auditEntries, withAuditEntry } from './corpus/audit/log'
import { exhausted } from './corpus/billing/admission'
import { isCapped, usage } from './corpus/billing/usage'
import { chargeStages, countLapsed, reserveHolds, usageView } from './corpus/billing/usage-recorder'
import { finishTold } from './corpus/indexing/finish-jobs'
import { findJob, type Job, listJobs, viewOf } from './corpus/indexing/jobs'
import { BUSY_INTEGRATING, isIntegrating } from './corpus/indexing/large'
import { progressOfCorpus, readLine } from './corpus/indexing/progress'
import { commit, endLease, openTasks, pauseOrResume } from './corpus/indexing/runner'
import { startInstance } from './corpus/indexing/start'
import { acceptWithAudit } from './corpus/ingest/accept-with-audit'
import * as documents from './corpus/ingest/documents'
import { limitsOf } from './corpus/ingest/limits'
import { changedAccess, setAccess } from './corpus/ingest/set-access'
import { isClosed, reconcile } from './corpus/maintenance/deletion'
import { noteHealthRead } from './corpus/maintenance/drift'
import { dropSlice, isDropping } from './corpus/maintenance/drop'
import { health } from './corpus/maintenance/health'
import { cancelJob, type Maintenance, restartMaintenance, retryJob, startMaintenance } from './corpus/maintenance/maintain'
import { isPending, writeConfig } from './corpus/maintenance/pending-config'
import { runScheduledMaintenance } from './corpus/maintenance/scheduled-maintenance'
import { drain, hasUnsent, type Sinks } from './corpus/outbox/drain'
import { countUnsentRows } from './corpus/outbox/outbox'
import { receipts } from './corpus/outbox/receipts'
import { storeSize } from './corpus/outbox/store-size'
import { createUnindexedVectors } from './corpus/outbox/unindexed-vectors'
import { measured, pin, pinned } from './corpus/quality-gate/probes'
import { labelsOf, relabel } from './corpus/query/labels'
import { links } from './corpus/query/links'
import { decideNames, nameOperations } from './corpus/query/names'
import { retrieve } from './corpus/query/retrieve'
import { sightOf, visibleGraph, visibleRows } from './corpus/query/visibility'
import { Alarm } from './corpus/schedule/alarm'
import { dueTimes, isUpkeepDue, type ScheduleState } from './corpus/schedule/due-times'
import { runAlarm } from './corpus/schedule/run'
import { scheduleStateOf } from './corpus/schedule/state'
import { watcher } from './corpus/schedule/watch'
import { migrate } from './corpus/schema'
import * as sources from './corpus/sources/sources'
import { type CorpusContext, contextOf, type Store } from './corpus/store'
import { hasUnfinishedJobs } from './corpus/tables/job'
import { incrementMeta, metaKeys, readMeta, writeMeta } from './corpus/tables/meta'
import { lastSeq } from './corpus/tables/outbox'
import { promoteTasksOfNodes } from './corpus/tables/task'
import * as deliveries from './corpus/webhooks/deliveries'
import { hasNewMessages } from './corpus/webhooks/message-queue'
import { SqliteGraph } from './graph/sqlite-graph'
import { counted } from './sql'
import { strict } from './strict'

const DELETED = 'corpus: deleted' // 404 at the door (http/failures.ts): the caller remembered a corpus that is there no more

type Request = Parameters<CorpusObject['accept']>[0]

/** `sinks` says who stands behind the ports: the composition root decides. */
export function corpusObject(
  sinks: (
    env: Env,
  ) => Sinks & { readonly watch: Pick<Watch, 'expect'>; readonly deletions: Pick<Deletions, 'state' | 'confirm' | 'finish'> },
) {
  return class Corpus extends DurableObject<Env> implements CorpusObject, OutboundObject {
    readonly #store: Store
    readonly #sinks = sinks(this.env)
    #context: CorpusContext | undefined
    #isClosed = false // deleted: it answers nothing
    #looking: Promise<unknown> = Promise.resolve()
    #draining: Promise<void> | undefined
    #waiters: (() => void)[] = []
    readonly #labels = labelsOf(() => this.#ready())
    readonly #patience = Number(this.env.ALARM_SECONDS ?? 60) * 1000
    readonly #alarm = new Alarm({
      storage: this.ctx.storage,
      now: () => Date.now(),
      state: () => this.#context && this.#scheduleState(),
      watch: watcher(this.#sinks.watch, () => this.#context),
      failed: (error) => console.warn(JSON.stringify({ event: 'alarm_failed', corpus: this.#context?.config.uid, error })),
    })

    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env)
      const guard = env.STRICT_STORAGE === 'on' ? strict(ctx.storage.sql) : undefined
      const sql = counted(guard?.source ?? ctx.storage.sql)
      migrate(sql)
      const dimensions = readMeta(sql, metaKeys.dimensions) ?? Number(env.EMBEDDING_DIMENSIONS)
      const graph = new SqliteGraph({ sql, dimensions })
      graph.migrate()
      this.#store = {
        sql,
        graph,
        unindexed: createUnindexedVectors(lastSeq({ sql })),
        atomically: (work) => {
          try {
            return ctx.storage.transactionSync(guard ? () => guard.transaction(work) : work)
          } catch (error) {
            graph.forget() // what memory knows may be untrue now
            throw error
          }
        },
        now: () => Date.now(),
        lastQuestion: { at: 0 },
        leaseMs: Number(env.LEASE_SECONDS ?? 300) * 1000,
        limits: limitsOf(env),
        databaseSize: storeSize('database_bytes', () => Date.now()),
        indexSize: storeSize('index_vectors', () => Date.now()),
      }
      this.#context = contextOf(this.#store)
      this.#isClosed = this.#context !== undefined && isClosed(this.#context)
      // An alarm that was lost is found by whoever wakes the object first.
      ctx.waitUntil(
        pause(AWAKE)
          .then(() => this.#alarm.set())
          .catch(() => undefined),
      )
    }

    async configure(config: CorpusConfig, by?: Actor): Promise<void> {
      if (this.#isClosed) throw new Error(DELETED)
      await this.#whole()
      const before = this.#context?.config
      this.#store.atomically(() => {
        if (this.#context) relabel(this.#context, config.settings.gorag)
        writeConfig(this.#store, before, config)
        writeMeta(this.#store.sql, metaKeys.dimensions, config.settings.dimensions)
        if (!before) writeMeta(this.#store.sql, metaKeys.createdAt, Date.now())
        addAuditEntries(this.#store, by, [{ action: before ? 'corpus.settings' : 'corpus.create', outcome: 'done' }])
      })
      this.#context = contextOf(this.#store)
      if (isPending(this.#store) && !restartMaintenance(this.#ready())) startMaintenance(this.#ready(), 'reindex')
      await this.#moved()
    }

    async view(asker?: Asker): Promise<CorpusView | null> {
      const context = this.#served()
      if (!context) return null
      const { graph } = context
      const kinds = ['document', 'chunk', 'passage', 'unit', 'entity', 'keyword', 'label', 'summary'] as const
      const plural = (kind: string): string => (kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`)
      const counts = Object.fromEntries(kinds.map((kind) => [plural(kind), graph.count(kind)]))
      const busy = hasUnfinishedJobs(context.sql)
      const sight = sightOf(context, asker)
      return {
        status: !busy ? 'settled' : exhausted(context) ? 'paused_budget' : 'indexing',
        tuning: isTuning(graph, context.config.settings.models),
        ...(busy ? { progress: progressOfCorpus(readLine(context.sql)) } : {}),
        version: graph.version,
        counts: sight
          ? { documents: graph.access.count(sight, graph.count('document')) } // the rest would tell how much is hidden
          : { ...counts, communities: graph.count('community'), edges: graph.edgeCount() },
        usage: usage(context),
      }
    }

    async accept(request: Request, by?: Actor): Promise<Accepted> {
      if (request.upserts.length > 0) await this.#measureStores()
      const context = this.#served()
      if (!context) return { kind: 'gone' }
      // Asked again after the wait: another who waited may have begun the next.
      while (isIntegrating(this.#store) && changedAccess(context, request.upserts).length > 0) await this.#whole()
      const accepted = acceptWithAudit(context, by, request)
      if (accepted.kind === 'accepted' || accepted.kind === 'unchanged') await this.#moved()
      return accepted
    }

    async maintain(kind: Maintenance, options: { readonly strategies?: readonly string[] }, by?: Actor): Promise<Accepted> {
      const context = this.#served()
      if (!context) return { kind: 'gone' }
      const accepted = withAuditEntry(this.#store, by, `corpus.${kind}`, { outcome: ({ kind: outcome }) => outcome }, () =>
        startMaintenance(context, kind, options.strategies),
      )
      await this.#moved()
      return accepted
    }

    async reconcile(corpus: CorpusRef): Promise<Reconciled> {
      const parts = { context: () => this.#context, sinks: this.#sinks, now: () => Date.now() }
      const look = this.#looking.catch(() => undefined).then(() => reconcile(parts, corpus))
      this.#looking = look
      const found = await look
      this.#isClosed = this.#context !== undefined && isClosed(this.#context)
      await this.#moved()
      return found
    }

    async job(id: string, waitMs: number): Promise<JobView | null> {
      const until = Date.now() + waitMs
      for (;;) {
        const job = findJob(this.#store.sql, id)
        if (!job) return null
        if (job.phase === 'done' || job.status === 'paused_budget' || Date.now() >= until) return viewOf(job, readLine(this.#store.sql))
        await this.#changed(until - Date.now())
      }
    }

    async jobs(cursor: string | null, limit: number): Promise<Page<JobView>> {
      return listJobs(this.#store.sql, cursor, limit)
    }

    async receipts(cursor: string | null, limit: number): Promise<Page<CommitReceipt>> {
      return receipts(this.#ready(), cursor, limit)
    }

    async putProbes(...[probes, bounds, ifMatch, by]: Parameters<CorpusObject['putProbes']>): Promise<PinnedProbes | 'changed'> {
      const pinning = () => pin(this.#ready(), probes, bounds, ifMatch)
      return this.#told(withAuditEntry(this.#store, by, 'probes.put', {}, pinning) ? pinned(this.#ready()) : 'changed')
    }

    async probes(asker?: Asker): Promise<Probes> {
      const all = measured(this.#ready())
      return { ...all, probes: all.probes.filter(({ expect }) => expect.every((id) => mayRead(this.#ready(), id, asker))) }
    }

    async health(): Promise<CorpusHealth | null> {
      const context = this.#served()
      if (!context) return null
      if (noteHealthRead(context)) await this.#alarm.set()
      return health(context)
    }

    async cancel(id: string, by?: Actor): Promise<JobView | null> {
      return this.#act(id, (context, job) => withAuditEntry(this.#store, by, 'job.cancel', { subject: id }, () => cancelJob(context, job)))
    }

    async retry(id: string, by?: Actor): Promise<JobView | null> {
      return this.#act(id, (context, job) => withAuditEntry(this.#store, by, 'job.retry', { subject: id }, () => retryJob(context, job)))
    }

    async documents(cursor: string | null, limit: number, asker?: Asker): Promise<Page<Document>> {
      return documents.documents(this.#ready(), cursor, limit, asker)
    }

    async document(id: string, asker?: Asker): Promise<Document | null> {
      const context = this.#served()
      return context ? documents.document(context, id, asker) : null
    }

    async setAccess(id: string, access: readonly string[], asker?: Asker, by?: Actor): Promise<{ readonly version: number } | null> {
      while (isIntegrating(this.#store)) await this.#whole()
      const context = this.#ready()
      if (!documents.document(context, id, asker)) return null
      const version = context.atomically(() => {
        addAuditEntries(context, by, [{ action: 'document.access', document: id, outcome: 'done' }])
        return setAccess(context, changedAccess(context, [{ id, access }]))
      })
      return this.#told({ version: version ?? context.graph.version })
    }

    async seen(things: Seeable, asker?: Asker): Promise<Seen> {
      return visibleRows(this.#ready(), things, asker)
    }

    async retrieve(request: RetrieveRequest): Promise<RetrieveResult> {
      if (!this.#served()) return { kind: 'gone' }
      if (this.#store.lastQuestion) this.#store.lastQuestion.at = Date.now()
      const until = Date.now() + MIN_VERSION_WAIT
      while (this.#ready().graph.version < (request.minVersion ?? 0)) {
        if (Date.now() >= until) return { kind: 'behind', version: this.#ready().graph.version }
        await this.#changed(until - Date.now())
      }
      const found = retrieve(this.#ready(), request)
      const result = found.kind === 'evidence' || found.kind === 'wanted' ? { ...found, ...this.#held(request.hold) } : found
      if (result.kind === 'evidence') await this.#promote(result.evidence.filter((one) => one.stale).map((one) => one.id))
      return result
    }

    async verify(quotes: readonly Quote[]): Promise<readonly boolean[]> {
      return documents.verify(this.#ready(), quotes)
    }

    async reserve(holds: readonly Hold[]): Promise<readonly boolean[]> {
      return reserveHolds(this.#ready(), holds)
    }

    async charge(stages: StagesSpent, holds: readonly string[] = []): Promise<void> {
      chargeStages(this.#ready(), stages, holds)
      if (hasNewMessages(this.#store)) await this.#moved() // a mark of the budget was passed
    }

    /** What a question will call afterwards is set aside where it looks up its evidence: it needs no call of its own for that. */
    #held(hold: Hold | undefined): { readonly held?: Held } {
      const context = this.#ready()
      if (!isCapped(context)) return {}
      if (!hold) return { held: 'unasked' }
      return { held: reserveHolds(context, [hold])[0] ? 'granted' : 'refused' }
    }

    async usage(cursor: string | null, limit: number, asker?: Asker): Promise<UsageView> {
      const context = this.#ready()
      context.atomically(() => countLapsed(context))
      return usageView(context, cursor, limit, asker)
    }

    async tend(): Promise<boolean> {
      if (!this.#context) return false
      const context = this.#served()
      if (context) runScheduledMaintenance(context)
      await this.#moved()
      return true
    }

    async putLabel(label: LabelContent, by?: Actor): Promise<LabelView> {
      await this.#whole()
      return this.#told(withAuditEntry(this.#store, by, 'label.put', { subject: label.id }, () => this.#labels.put(label)))
    }

    async labels(cursor: string | null, limit: number): Promise<Page<LabelView>> {
      return this.#labels.list(cursor, limit)
    }

    async dropLabel(id: string, by?: Actor): Promise<boolean> {
      await this.#whole()
      return this.#told(withAuditEntry(this.#store, by, 'label.delete', { subject: id }, () => this.#labels.drop(id)))
    }

    async classify(input: { readonly text: string; readonly vector?: Int8Array }): Promise<Classification> {
      return this.#labels.classify(input)
    }

    async learn(input: Parameters<CorpusObject['learn']>[0], by?: Actor): Promise<string | null> {
      await this.#whole()
      return this.#told(
        withAuditEntry(this.#store, by, 'label.learn', { subject: input.label, outcome: (id) => (id === null ? 'none' : 'done') }, () =>
          this.#labels.learn(input),
        ),
      )
    }

    async unlearn(which: Parameters<CorpusObject['unlearn']>[0], by?: Actor): Promise<boolean> {
      await this.#whole()
      const subject = 'id' in which ? { subject: which.id } : {}
      return this.#told(withAuditEntry(this.#store, by, 'label.unlearn', subject, () => this.#labels.unlearn(which)))
    }

    // What leaves the corpus, and what it fetches: rows here, carried by the queue.

    async endpoints() {
      return deliveries.endpoints(this.#ready())
    }

    async addEndpoint(...[record, by]: Parameters<OutboundObject['addEndpoint']>) {
      return this.#told(
        withAuditEntry(this.#store, by, 'endpoint.create', { subject: record.id }, () => deliveries.addEndpoint(this.#ready(), record)),
      )
    }

    async renewEndpoint(...[id, secrets, by]: Parameters<OutboundObject['renewEndpoint']>) {
      return withAuditEntry(this.#store, by, 'endpoint.rotate', { subject: id }, () => deliveries.renewEndpoint(this.#ready(), id, secrets))
    }

    async endpointSecrets() {
      return deliveries.endpointSecrets(this.#store)
    }

    async replaceSecrets(...[id, before, after]: Parameters<OutboundObject['replaceSecrets']>) {
      return deliveries.replaceSecrets(this.#store, id, before, after)
    }

    async removeEndpoint(id: string, by?: Actor) {
      return this.#told(
        withAuditEntry(this.#store, by, 'endpoint.delete', { subject: id }, () => deliveries.removeEndpoint(this.#ready(), id)),
      )
    }

    async deliveries(...[endpoint, status, cursor, limit]: Parameters<OutboundObject['deliveries']>) {
      return deliveries.deliveries(this.#ready(), endpoint, status, cursor, limit)
    }

    async redeliver(id: string, by?: Actor) {
      return this.#told(withAuditEntry(this.#store, by, 'delivery.repeat', { subject: id }, () => deliveries.redeliver(this.#ready(), id)))
    }

    async claimDelivery(id: string) {
      return this.#isClosed ? NOTHING : deliveries.claimDelivery(this.#store, id)
    }

    async closeDelivery(...[id, attempt, outcome]: Parameters<OutboundObject['closeDelivery']>) {
      return this.#told(deliveries.closeDelivery(this.#store, id, attempt, outcome))
    }

    async sources(cursor: string | null, limit: number, asker?: Asker) {
      return sources.sources(this.#ready(), cursor, limit, asker)
    }

    async source(id: string, asker?: Asker) {
      return sources.sourceFor(this.#ready(), id, asker)
    }

    async addSource(...[input, by]: Parameters<OutboundObject['addSource']>) {
      return this.#told(
        withAuditEntry(this.#store, by, 'source.create', { subject: input.id }, () => sources.addSource(this.#ready(), input)),
      )
    }

    async removeSource(id: string, by?: Actor) {
      return this.#told(withAuditEntry(this.#store, by, 'source.delete', { subject: id }, () => sources.removeSource(this.#ready(), id)))
    }

    async askSource(id: string, by?: Actor) {
      return this.#told(withAuditEntry(this.#store, by, 'source.fetch', { subject: id }, () => sources.refreshSource(this.#ready(), id)))
    }

    async claimSource(id: string) {
      return this.#isClosed ? NOTHING : sources.claimSource(this.#store, id)
    }

    async closeSource(...[id, attempt, outcome]: Parameters<OutboundObject['closeSource']>): Promise<void> {
      if (outcome.kind === 'fetched') await this.#measureStores()
      const context = this.#served()
      if (!context) return
      sources.closeSource(context, id, attempt, outcome)
      await this.#moved()
    }

    async nameOperations(cursor: string | null, limit: number, asker?: Asker): Promise<Page<NameOperation>> {
      return nameOperations(this.#ready(), cursor, limit, asker)
    }

    async mergeEntities(a: string, b: string, by?: Actor): Promise<Decided['kind']> {
      await this.#whole()
      const decide = () => decideNames(this.#ready(), () => mergeEntities(this.#ready().graph, a, b, Date.now()))
      return this.#told(withAuditEntry(this.#store, by, 'entity.merge', { subject: a, outcome: (kind) => kind }, decide))
    }

    async partEntities(a: string, b: string | null, by?: Actor): Promise<Decided['kind']> {
      await this.#whole()
      const decide = () => decideNames(this.#ready(), () => partEntities(this.#ready().graph, a, b, Date.now()))
      return this.#told(withAuditEntry(this.#store, by, 'entity.part', { subject: a, outcome: (kind) => kind }, decide))
    }

    /** The whole graph in canonical lines, to be hashed and compared. O(corpus). */
    lines(): Iterable<string> {
      return this.#store.graph.lines()
    }

    async openTasks(runner: string, limit: number, turn?: Turn): Promise<Round> {
      const context = this.#served()
      if (!context) return { tasks: [], left: 0, paused: false }
      const { round } = openTasks(context, runner, limit, turn)
      this.#alarm.update({ starts: 0 })
      await this.#moved()
      return round ?? { tasks: [], left: 0, paused: false }
    }

    async commit(runner: string, results: readonly TaskResult[]): Promise<{ kind: 'committed'; left: number } | { kind: 'lost' }> {
      const context = this.#served()
      const done = context && commit(context, runner, results)
      if (!done) return { kind: 'lost' }
      await this.#moved()
      return { kind: 'committed', left: done.left }
    }

    async release(runner: string): Promise<void> {
      if (this.#context && endLease(this.#context, runner)) await this.#moved()
    }

    async links(ids: readonly string[], limit: number, asker?: Asker): Promise<readonly Link[]> {
      const context = this.#ready()
      return links(visibleGraph(context, sightOf(context, asker)), ids, limit)
    }

    async around(...[from, asker]: Parameters<CorpusObject['around']>): ReturnType<CorpusObject['around']> {
      const context = this.#ready()
      const sight = sightOf(context, asker)
      return sight ? neighbourhood(visibleGraph(context, sight), from) : 'all'
    }

    async dataOf(row: Parameters<CorpusObject['dataOf']>[0]): Promise<Json | undefined> {
      const { graph } = this.#ready()
      return (typeof row === 'string' ? graph.node(row) : graph.edge(row.kind, row.source, row.target))?.data
    }

    async audit(place: AuditPlace): Promise<readonly AuditEntry[]> {
      return auditEntries(this.#store, place)
    }

    async noteAudit(events: readonly AuditEvent[], by: Actor): Promise<void> {
      if (this.#context) addAuditEntries(this.#store, by, events)
      await this.#alarm.set() // an entry is thrown away when its time is over
    }

    async drain(): Promise<{ readonly left: number }> {
      await this.#drain()
      return { left: this.#context ? countUnsentRows(this.#context) : 0 }
    }

    /** The wake-up. Whoever throws here has the platform call again, six times: `Alarm.run` catches what may be caught. */
    override async alarm(invocation?: AlarmInvocationInfo): Promise<void> {
      await this.#alarm.run(invocation?.retryCount ?? 0, (until) => this.#work(until))
    }

    async #work(until: number): Promise<void> {
      if (!this.#context) return
      if (isDropping(this.#context)) return this.#dropAll(this.#context, until)
      if (this.#isClosed) return void (await this.reconcile(this.#context.config))
      const parts = {
        context: () => this.#own(),
        isClosed: () => this.#isClosed,
        now: () => Date.now(),
        pause,
        drain: () => this.#drain(),
        drainMeanwhile: () => this.#drainMeanwhile(),
        startRunner: () => this.#startRunner(),
        isUpkeepDue: () => isUpkeepDue(this.#scheduleState(), Date.now()),
      }
      await runAlarm(parts, until)
    }

    #scheduleState(): ScheduleState {
      return scheduleStateOf(this.#own(), this.#alarm.attempts, this.#patience)
    }

    /** The last of a corpus, a slice at a time. What is left is an empty object, which knows no job. */
    async #dropAll(context: CorpusContext, until: number): Promise<void> {
      await this.#draining?.catch(() => undefined) // what is on its way goes before what is removed
      const left = await dropSlice(context, this.#sinks, until)
      this.#alarm.update({ drainedAt: Date.now() })
      if (left !== 'gone') return
      await this.ctx.storage.deleteAlarm()
      await this.ctx.storage.deleteAll()
      this.#context = undefined
      this.#isClosed = false
      migrate(this.#store.sql)
      this.#store.graph.migrate()
      this.#store.graph.forget()
      this.#notify()
      await this.#sinks.deletions.finish(context.config.uid)
    }

    /** Before documents are taken in. */
    async #measureStores(): Promise<void> {
      if (!this.#context) return
      const { config, databaseSize, indexSize } = this.#context
      const { readModel, index } = this.#sinks
      await Promise.all([
        databaseSize?.refresh(() => readModel.size(config).then(({ bytes, max }) => ({ held: bytes, max }))),
        indexSize?.refresh(() => index.size().then(({ vectors, max }) => ({ held: vectors, max }))),
      ])
    }

    /** Of a corpus that is there and not deleted. */
    #served(): CorpusContext | undefined {
      return this.#isClosed ? undefined : this.#context
    }

    #ready(): CorpusContext {
      const context = this.#served()
      if (!context) throw new Error(DELETED)
      return context
    }

    /** The corpus, deleted or not: for what the object does by itself. */
    #own(): CorpusContext {
      if (!this.#context) throw new Error(DELETED)
      return this.#context
    }

    async #act(id: string, act: (context: CorpusContext, job: Job) => Job[]): Promise<JobView | null> {
      const job = findJob(this.#store.sql, id)
      const context = this.#served()
      if (!job || !context) return null
      act(context, job)
      await this.#moved()
      const after = findJob(this.#store.sql, id)
      return after ? viewOf(after, readLine(this.#store.sql)) : null
    }

    /** Starts a runner where one is due. The attempt is counted before it is made: no instance id is ever used twice. */
    async #startRunner(): Promise<void> {
      const context = this.#served()
      if (!context) return
      context.atomically(() => pauseOrResume(context))
      this.#notify()
      const now = Date.now()
      const { runner } = dueTimes(this.#scheduleState(), now)
      if (typeof runner !== 'number' || runner > now) return
      this.#alarm.update({ starts: this.#alarm.attempts.starts + 1, startedAt: now })
      const accepted = readMeta(context.sql, metaKeys.acceptedCount) ?? 0
      const id = `${context.config.uid}-${accepted}-${incrementMeta(context.sql, metaKeys.runnerCount)}`
      await startInstance(this.env.INGEST, id, context.config.uid)
    }

    /** While a large change goes in nothing else may write to the graph. */
    async #whole(): Promise<void> {
      const until = Date.now() + WHOLE_WAIT
      while (isIntegrating(this.#store)) {
        if (Date.now() >= until) throw new Error(BUSY_INTEGRATING)
        await this.#changed(until - Date.now())
      }
    }

    /** After labels or names changed, or something is to be told: the caller is not kept waiting for the sinks. */
    async #told<T>(result: T): Promise<T> {
      await this.#moved()
      return result
    }

    /** After whatever may have changed what is due: who waits looks again, the sinks are sent what is new, the alarm is set. */
    async #moved(): Promise<void> {
      this.#notify()
      this.#drainMeanwhile()
      await this.#alarm.set()
    }

    /** Nobody waits for it; the alarm repeats what it could not do. */
    #drainMeanwhile(): void {
      if (this.#context && hasUnsent(this.#context)) this.ctx.waitUntil(this.#drain().catch(() => undefined))
    }

    #drain(): Promise<void> {
      const context = this.#context
      if (!context || this.#isClosed) return Promise.resolve() // nothing is told of a corpus that is deleted
      this.#alarm.update({ isDraining: true })
      this.#draining ??= drain(context, this.#sinks).finally(() => {
        this.#draining = undefined
        this.#alarm.update({ isDraining: false, drainedAt: Date.now() })
        finishTold(context)
        this.#notify()
        this.ctx.waitUntil(this.#alarm.set())
      })
      return this.#draining
    }

    async #promote(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return
      promoteTasksOfNodes(this.#store.sql, ids)
      await this.#moved()
    }

    #changed(ms: number): Promise<void> {
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, ms))
        this.#waiters.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }

    #notify(): void {
      const waiters = this.#waiters
      this.#waiters = []
      for (const wake of waiters) wake()
    }
  }
}

const NOTHING = { kind: 'nothing' } as const // is to be done for a corpus that is deleted
const WHOLE_WAIT = 60_000 // ms
const MIN_VERSION_WAIT = 10_000 // ms
const AWAKE = 1000 // ms after which an object that woke looks whether its alarm is set: one that was woken by it has run it by then

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
