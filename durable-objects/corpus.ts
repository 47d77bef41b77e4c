/**
 * The Durable Object of one corpus: the only writer of its graph. This file is wiring: RPC methods, the alarm, who is woken
 * when a job moves. Decisions are in `corpus/`. It calls no model, and nothing awaits inside a transaction.
 */
import { DurableObject } from 'cloudflare:workers'
import { type Decided, mergeEntities, type NameOperation, partEntities } from '../src/core/strategies/archrag/same'
import type { Env } from '../src/env'
import type { OutboundObject } from '../src/outbound-ports'
import type {
  Accepted,
  Classification,
  CommitReceipt,
  CorpusConfig,
  CorpusObject,
  CorpusView,
  DocumentView,
  HealthView,
  JobView,
  LabelContent,
  LabelView,
  MeasuredProbes,
  Page,
  ProbesView,
  Purse,
  Quote,
  RetrieveRequest,
  RetrieveResult,
  Round,
  StagesSpent,
  TaskResult,
  UsageView,
} from '../src/ports'
import { labelsOf, relabel } from './corpus/asked/labels'
import { decideNames, nameOperations } from './corpus/asked/names'
import { retrieve } from './corpus/asked/retrieve'
import { noteRead } from './corpus/care/drift'
import { dropping, dropSome } from './corpus/care/drop'
import { health } from './corpus/care/health'
import { beginAgain, cancel, type Maintenance, maintain, maintenanceOpen, retry, workOnce } from './corpus/care/maintain'
import { isPending, writeConfig } from './corpus/care/pending'
import { tend } from './corpus/care/tend'
import { measured, pin, pinned } from './corpus/gate/probes'
import { accept } from './corpus/intake/accept'
import * as documents from './corpus/intake/documents'
import { limitsOf } from './corpus/intake/limits'
import { chargeStages, usageView } from './corpus/money/bill'
import { exhausted, purse, usage } from './corpus/money/usage'
import { migrate } from './corpus/schema'
import { type Ledger, ledgerOf, next, readMeta, type Store, writeMeta } from './corpus/store'
import { unsent } from './corpus/told/courier'
import { databaseSize } from './corpus/told/database-size'
import * as deliveries from './corpus/told/deliveries'
import { drain, type Sinks } from './corpus/told/drain'
import { cursorOf, lastSeq, waiting } from './corpus/told/outbox'
import { receipts } from './corpus/told/receipts'
import * as sources from './corpus/told/sources'
import { createTail } from './corpus/told/tail'
import { catchUpOnce, isBehind } from './corpus/work/behind'
import { findJob, type Job, listJobs, unfinished, viewOf } from './corpus/work/jobs'
import { commit, lease, openTasks, pauseOrResume } from './corpus/work/runner'
import { openCount } from './corpus/work/tasks'
import { finishTold } from './corpus/work/wake'
import { SqliteGraph } from './graph/sqlite-graph'
import { counted } from './sql'

const NOT_CONFIGURED = 'corpus: not configured' // our broken promise: the catalogue configures an object before it names it

type Request = Parameters<CorpusObject['accept']>[0]

/** `sinks` says who stands behind the ports: the composition root decides. */
export function corpusObject(sinks: (env: Env) => Sinks) {
  return class Corpus extends DurableObject<Env> implements CorpusObject, OutboundObject {
    readonly #store: Store
    readonly #sinks = sinks(this.env)
    #ledger: Ledger | undefined
    #draining: Promise<void> | undefined
    #waiters: (() => void)[] = []
    readonly #labels = labelsOf(() => this.#ready())

    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env)
      const sql = counted(ctx.storage.sql)
      migrate(sql)
      const dimensions = Number(readMeta(sql, 'dimensions') ?? env.EMBEDDING_DIMENSIONS)
      const graph = new SqliteGraph({ sql, dimensions })
      graph.migrate()
      this.#store = {
        sql,
        graph,
        tail: createTail(lastSeq({ sql })),
        atomically: (work) => {
          try {
            return ctx.storage.transactionSync(work)
          } catch (error) {
            graph.forget() // what memory knows may be untrue now
            throw error
          }
        },
        now: () => Date.now(),
        lease: Number(env.LEASE_SECONDS ?? 300) * 1000,
        limits: limitsOf(env),
        databaseSize: databaseSize(() => Date.now()),
      }
      this.#ledger = ledgerOf(this.#store)
    }

    async configure(config: CorpusConfig): Promise<void> {
      const before = this.#ledger?.config
      this.#store.atomically(() => {
        if (this.#ledger) relabel(this.#ledger, config.settings.gorag)
        writeConfig(this.#store, before, config)
        writeMeta(this.#store.sql, 'dimensions', String(config.settings.dimensions))
      })
      this.#ledger = ledgerOf(this.#store)
      if (isPending(this.#store) && !beginAgain(this.#ready())) maintain(this.#ready(), 'reindex')
      await this.#wake()
    }

    async view(): Promise<CorpusView | null> {
      const ledger = this.#ledger
      if (!ledger) return null
      const { graph } = ledger
      const kinds = ['document', 'chunk', 'passage', 'unit', 'entity', 'keyword', 'label', 'summary'] as const
      const plural = (kind: string): string => (kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`)
      const counts = Object.fromEntries(kinds.map((kind) => [plural(kind), graph.count(kind)]))
      const busy = unfinished(ledger.sql).length > 0
      return {
        status: !busy ? 'settled' : exhausted(ledger) ? 'paused_budget' : 'indexing',
        version: graph.version,
        counts: { ...counts, communities: graph.count('community'), edges: graph.edgeCount() },
        usage: usage(ledger),
      }
    }

    async accept(request: Request): Promise<Accepted> {
      if (request.upserts.length > 0) await this.#measureDatabase()
      if (!this.#ledger) return { kind: 'gone' }
      const accepted = accept(this.#ledger, request)
      if (accepted.kind === 'accepted') await this.#wake()
      return accepted
    }

    async maintain(kind: Maintenance, options: { readonly strategies?: readonly string[] }): Promise<Accepted> {
      if (!this.#ledger) return { kind: 'gone' }
      const accepted = maintain(this.#ledger, kind, options.strategies)
      await this.#wake()
      return accepted
    }

    async job(id: string, waitMs: number): Promise<JobView | null> {
      const until = Date.now() + waitMs
      for (;;) {
        const job = findJob(this.#store.sql, id)
        if (!job) return null
        if (job.phase === 'done' || job.status === 'paused_budget' || Date.now() >= until) return viewOf(job)
        await this.#changed(until - Date.now())
      }
    }

    async jobs(cursor: string | null, limit: number): Promise<Page<JobView>> {
      return listJobs(this.#store.sql, cursor, limit)
    }

    async receipts(cursor: string | null, limit: number): Promise<Page<CommitReceipt>> {
      return receipts(this.#ready(), cursor, limit)
    }

    async putProbes(...[probes, bounds, ifMatch]: Parameters<CorpusObject['putProbes']>): Promise<ProbesView | 'changed'> {
      return pin(this.#ready(), probes, bounds, ifMatch) ? pinned(this.#ready()) : 'changed'
    }

    async probes(): Promise<MeasuredProbes> {
      return measured(this.#ready())
    }

    async health(): Promise<HealthView | null> {
      if (!this.#ledger) return null
      noteRead(this.#ledger)
      return health(this.#ledger)
    }

    async cancel(id: string): Promise<JobView | null> {
      return this.#act(id, cancel)
    }

    async retry(id: string): Promise<JobView | null> {
      return this.#act(id, retry)
    }

    async documents(cursor: string | null, limit: number): Promise<Page<DocumentView>> {
      return documents.documents(this.#ready(), cursor, limit)
    }

    async document(id: string): Promise<DocumentView | null> {
      return this.#ledger ? documents.document(this.#ledger, id) : null
    }

    async retrieve(request: RetrieveRequest): Promise<RetrieveResult> {
      if (!this.#ledger) return { kind: 'gone' }
      const until = Date.now() + MIN_VERSION_WAIT
      while (this.#ready().graph.version < (request.minVersion ?? 0)) {
        if (Date.now() >= until) return { kind: 'behind', version: this.#ready().graph.version }
        await this.#changed(until - Date.now())
      }
      const result = retrieve(this.#ready(), request)
      if (result.kind === 'evidence') await this.#promote(result.evidence.filter((one) => one.stale).map((one) => one.id))
      return result
    }

    async verify(quotes: readonly Quote[]): Promise<readonly boolean[]> {
      return documents.verify(this.#ready(), quotes)
    }

    async purse(): Promise<Purse> {
      return purse(this.#ready())
    }

    async charge(stages: StagesSpent): Promise<boolean> {
      chargeStages(this.#ready(), stages)
      if (unsent(this.#store)) await this.#settled([]) // a mark of the budget was passed
      return !exhausted(this.#ready())
    }

    async usage(cursor: string | null, limit: number): Promise<UsageView> {
      return usageView(this.#ready(), cursor, limit)
    }

    async tend(): Promise<void> {
      if (this.#ledger && tend(this.#ledger)) await this.#wake()
    }

    async putLabel(label: LabelContent): Promise<LabelView> {
      return this.#told(this.#labels.put(label))
    }

    async labels(cursor: string | null, limit: number): Promise<Page<LabelView>> {
      return this.#labels.list(cursor, limit)
    }

    async dropLabel(id: string): Promise<boolean> {
      return this.#told(this.#labels.drop(id))
    }

    async classify(input: { readonly text: string; readonly vector?: Int8Array }): Promise<Classification> {
      return this.#labels.classify(input)
    }

    async learn(input: Parameters<CorpusObject['learn']>[0]): Promise<string | null> {
      return this.#told(this.#labels.learn(input))
    }

    async unlearn(which: Parameters<CorpusObject['unlearn']>[0]): Promise<boolean> {
      return this.#told(this.#labels.unlearn(which))
    }

    // What leaves the corpus, and what it fetches: rows here, carried by the queue.

    async endpoints() {
      return deliveries.endpoints(this.#store)
    }

    async addEndpoint(...[record]: Parameters<OutboundObject['addEndpoint']>) {
      return deliveries.addEndpoint(this.#store, record)
    }

    async renewEndpoint(...[id, secrets]: Parameters<OutboundObject['renewEndpoint']>) {
      return deliveries.renewEndpoint(this.#store, id, secrets)
    }

    async removeEndpoint(id: string) {
      return deliveries.removeEndpoint(this.#store, id)
    }

    async deliveries(...[endpoint, status, cursor, limit]: Parameters<OutboundObject['deliveries']>) {
      return deliveries.deliveries(this.#store, endpoint, status, cursor, limit)
    }

    async redeliver(id: string) {
      return this.#told(deliveries.redeliver(this.#store, id))
    }

    async claimDelivery(id: string) {
      return deliveries.claimDelivery(this.#store, id)
    }

    async closeDelivery(...[id, attempt, outcome]: Parameters<OutboundObject['closeDelivery']>) {
      return deliveries.closeDelivery(this.#store, id, attempt, outcome)
    }

    async sources(cursor: string | null, limit: number) {
      return sources.sources(this.#store, cursor, limit)
    }

    async source(id: string) {
      return sources.source(this.#store, id)
    }

    async addSource(...[input]: Parameters<OutboundObject['addSource']>) {
      return this.#told(sources.addSource(this.#ready(), input))
    }

    async removeSource(id: string) {
      return sources.removeSource(this.#store, id)
    }

    async askSource(id: string) {
      return this.#told(sources.askSource(this.#store, id))
    }

    async claimSource(id: string) {
      return sources.claimSource(this.#store, id)
    }

    async closeSource(...[id, attempt, outcome]: Parameters<OutboundObject['closeSource']>): Promise<void> {
      if (outcome.kind === 'fetched') await this.#measureDatabase()
      if (this.#ledger && sources.closeSource(this.#ledger, id, attempt, outcome)) await this.#wake()
    }

    async nameOperations(cursor: string | null, limit: number): Promise<Page<NameOperation>> {
      return nameOperations(this.#ready(), cursor, limit)
    }

    async mergeEntities(a: string, b: string): Promise<Decided['kind']> {
      return this.#decided(decideNames(this.#ready(), () => mergeEntities(this.#ready().graph, a, b, Date.now())))
    }

    async partEntities(a: string, b: string | null): Promise<Decided['kind']> {
      return this.#decided(decideNames(this.#ready(), () => partEntities(this.#ready().graph, a, b, Date.now())))
    }

    /** The whole graph in canonical lines, to be hashed and compared. O(corpus). */
    lines(): Iterable<string> {
      return this.#store.graph.lines()
    }

    async openTasks(runner: string, limit: number): Promise<Round> {
      const ledger = this.#ledger
      if (!ledger) return { tasks: [], left: 0, paused: false }
      const { round, changed } = openTasks(ledger, runner, limit)
      await this.#settled(changed)
      await this.#goOn()
      return round ?? { tasks: [], left: 0, paused: false }
    }

    async commit(runner: string, results: readonly TaskResult[]): Promise<{ kind: 'committed'; left: number } | { kind: 'lost' }> {
      const done = this.#ledger && commit(this.#ledger, runner, results)
      if (!done) return { kind: 'lost' }
      await this.#settled(done.changed)
      await this.#goOn()
      return { kind: 'committed', left: done.left }
    }

    async drain(): Promise<{ readonly left: number }> {
      await this.#drain()
      return { left: this.#ledger ? waiting(this.#ledger) : 0 }
    }

    /** The wake-up. It is acknowledged when everything accepted has settled and every sink has been told; until then it re-arms. */
    override async alarm(): Promise<void> {
      const ledger = this.#ledger
      if (!ledger) return
      let more = false
      try {
        more = await this.#work(ledger)
      } catch (error) {
        // The world is down: said by code alone (an upstream message may quote a document), and tried again at the next alarm.
        console.warn(
          JSON.stringify({ event: 'alarm_failed', corpus: ledger.config.uid, error: error instanceof Error ? error.name : 'unknown' }),
        )
      }
      if (this.#ledger) await this.#rearm(this.#ledger, more)
    }

    /** True if there is more to do now: what one alarm may take of time and of the processor is limited. */
    async #work(ledger: Ledger): Promise<boolean> {
      if (dropping(ledger)) return this.#dropAll(ledger)
      const until = Date.now() + TURN
      let more = false
      // Between two slices everybody else is served: without a timer no request comes in, however often this awaits.
      while (!more && !dropping(this.#ready()) && (catchUpOnce(this.#ready()) || workOnce(this.#ready()))) {
        more = Date.now() > until
        await this.#settled([])
        await this.#startRunner(this.#ready()) // what is taken in meanwhile need not wait for the end
        await new Promise((resolve) => setTimeout(resolve, BETWEEN))
      }
      try {
        await this.#drain()
      } finally {
        await this.#startRunner(ledger) // a sink that is down holds up no model work
      }
      return more
    }

    async #rearm(ledger: Ledger, more: boolean): Promise<void> {
      const pause = Number(this.env.ALARM_SECONDS ?? 60) * 1000
      // Work that waits for money is looked at rarely: a budget that is raised wakes the object.
      const owed = openCount(ledger.sql) > 0 && !exhausted(ledger)
      const busy = dropping(ledger) || owed || isBehind(ledger) || waiting(ledger) > 0 || unsent(ledger) || maintenanceOpen(ledger)
      const unseen = cursorOf(ledger, 'seen') < lastSeq(ledger)
      if (more) await this.ctx.storage.setAlarm(Date.now())
      else if (busy || unseen) await this.ctx.storage.setAlarm(Date.now() + (busy ? Math.min(pause, BUSY) : pause))
    }

    /** The last of a corpus, a slice at a time; true if there is more to do now. What is left is an empty object, which knows no job. */
    async #dropAll(ledger: Ledger): Promise<boolean> {
      await this.#draining?.catch(() => undefined) // what is on its way goes before what is removed
      const left = await dropSome(ledger, this.#sinks, Date.now() + TURN)
      if (left !== 'gone') return left === 'more'
      this.#ledger = undefined
      await this.ctx.storage.deleteAlarm()
      await this.ctx.storage.deleteAll()
      migrate(this.#store.sql)
      this.#store.graph.migrate()
      this.#store.graph.forget()
      this.#notify()
      return false
    }

    async #measureDatabase(): Promise<void> {
      if (this.#ledger) await this.#ledger.databaseSize?.refresh(this.#ledger.config, this.#sinks.readModel)
    }

    #ready(): Ledger {
      if (!this.#ledger) throw new Error(NOT_CONFIGURED)
      return this.#ledger
    }

    async #act(id: string, act: (ledger: Ledger, job: Job) => Job[]): Promise<JobView | null> {
      const job = findJob(this.#store.sql, id)
      if (!job || !this.#ledger) return null
      await this.#settled(act(this.#ledger, job))
      await this.#wake()
      const after = findJob(this.#store.sql, id)
      return after ? viewOf(after) : null
    }

    /** Starts a runner unless one holds the corpus. The attempt is counted before it is made: no instance id is ever used twice. */
    async #startRunner(ledger: Ledger): Promise<void> {
      await this.#settled(ledger.atomically(() => pauseOrResume(ledger)))
      if (openCount(ledger.sql) === 0 || lease(ledger) || exhausted(ledger) || isBehind(ledger)) return
      const accepted = readMeta(ledger.sql, 'accepted') ?? '0'
      const id = `${ledger.config.uid}-${accepted}-${next(ledger.sql, 'attempt')}`
      await this.env.INGEST.create({ id, params: { uid: ledger.config.uid } })
    }

    /** Reports may follow from what was decided about names: a runner is started for them. */
    async #decided(kind: Decided['kind']): Promise<Decided['kind']> {
      if (kind === 'done') await this.#wake()
      return this.#told(kind)
    }

    /** Work that waited for these replies, or that they have left, need not wait for the next look. */
    async #goOn(): Promise<void> {
      const ledger = this.#ledger
      if (!ledger) return
      if (isBehind(ledger) || (openCount(ledger.sql) === 0 && maintenanceOpen(ledger))) await this.ctx.storage.setAlarm(Date.now())
    }

    /** After labels changed: the sinks are told, the caller is not kept waiting for it. */
    async #told<T>(result: T): Promise<T> {
      await this.#settled([])
      return result
    }

    async #wake(): Promise<void> {
      await this.ctx.storage.setAlarm(Date.now())
      this.#notify()
    }

    /** After a commit: tell whoever waits, and the sinks. The drain is not awaited; the alarm repeats what it could not do. */
    async #settled(_changed: readonly Job[]): Promise<void> {
      this.#notify()
      const ledger = this.#ledger
      if (!ledger || (waiting(ledger) === 0 && !unsent(ledger))) return
      if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + 1000)
      this.ctx.waitUntil(this.#drain().catch(() => undefined))
    }

    #drain(): Promise<void> {
      const ledger = this.#ledger
      if (!ledger || dropping(ledger)) return Promise.resolve() // nothing is told of a corpus that is being forgotten
      this.#draining ??= drain(ledger, this.#sinks).finally(() => {
        this.#draining = undefined
        const before = unsent(ledger)
        finishTold(ledger)
        if (!before && unsent(ledger)) this.ctx.waitUntil(this.#wake()) // the ends of jobs are told too
        this.#notify()
      })
      return this.#draining
    }

    async #promote(ids: readonly string[]): Promise<void> {
      if (ids.length === 0) return
      this.#store.sql.run('UPDATE task SET urgent = 1 WHERE urgent = 0 AND node IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
      await this.#wake()
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

const MIN_VERSION_WAIT = 10_000 // ms
const TURN = 30_000 // ms of slices in one alarm: far below the quarter of an hour, and the five minutes of the processor, that it may take
const BUSY = 5000 // ms until a corpus that owes something looks again
const BETWEEN = 20 // ms between two slices of work on the whole corpus: a request takes several turns until it is answered
