/** One corpus in its object: whether it exists, who waits for it to change, and what happens by itself. The calls of `calls/` work on it. */
import type { EmbeddingModel, EmbeddingSettings } from '../../src/core/settings'
import { refuseMismatch } from '../../src/embedding-mismatch'
import type { PointInTime } from '../../src/ports/recovery'
import { questionsFirst } from '../../src/question-precedence'
import { pointInTimeOf } from './backup/point-in-time'
import { isComingBack } from './backup/recovery'
import { advanceReplay, isReplaying } from './backup/replay'
import { refuseLeft } from './division/closed'
import type { HostParts, HostSinks } from './host-parts'
import { withSettingsLeft } from './indexing/forget-examples'
import { pauseOrResume } from './indexing/runner'
import { startInstance } from './indexing/start'
import { finishJobsAwaitingSinks } from './jobs/finish-jobs'
import { isIntegrating } from './jobs/integration-state'
import { checkAlerts } from './maintenance/alerts'
import { isClosed } from './maintenance/deletion'
import { drainWithMove, endMove, hasUnsentMove } from './maintenance/drain-with-move'
import { dropSlice, isDropping } from './maintenance/drop'
import { openStore } from './open-store'
import { hasUnsent } from './outbox/drain'
import { embeddingModelsFrom, withIndexOf } from './outbox/embedding-index'
import { refreshSizes } from './outbox/store-size'
import { removeAside } from './repartition/aside'
import { workOnWhole } from './repartition/whole'
import { Followed } from './replication/followed'
import { Alarm } from './schedule/alarm'
import { dueTimes, isUpkeepDue, type ScheduleState } from './schedule/due-times'
import { runAlarm } from './schedule/run'
import { scheduleStateOf } from './schedule/state'
import { after, pause } from './schedule/timers'
import { Waiters } from './schedule/waiters'
import { createWatcher } from './schedule/watch'
import { migrate } from './schema'
import { type CorpusContext, contextOf, type Store } from './store'
import { incrementMeta, metaKeys, readMeta } from './tables/meta'

export const RESTORING = 'corpus: being restored' // answered with 409 (http/failures.ts)
export const DELETED = 'corpus: deleted' // answered with 404 (http/failures.ts): the caller's cache had a corpus that no longer exists
const BUSY_INTEGRATING = 'corpus: busy with a large change' // answered with 503 (http/failures.ts)
const INTEGRATION_WAIT = 60_000 // ms
const AWAKE = 1000 // ms after which an object that woke checks whether its alarm is set: if the alarm woke it, that has run by then

export class CorpusHost {
  readonly store: Store
  readonly sinks: HostSinks
  readonly alarm: Alarm
  readonly pointInTime: PointInTime
  context: CorpusContext | undefined // undefined: there is no corpus here
  /** Deleted: it answers nothing. */
  isClosed: boolean
  /** It is being restored and not complete: it answers nothing either; while later deletions are applied, it works but answers nothing. */
  isRestoring: boolean
  isReplaying: boolean
  readonly #parts: HostParts
  readonly #patience: number
  readonly #embeddingModels: readonly EmbeddingModel[]
  #draining: Promise<void> | undefined
  readonly #waiters = new Waiters()
  readonly followed: Followed

  constructor(parts: HostParts) {
    const { ctx, env, sinks } = parts
    this.#parts = parts
    this.#patience = Number(env.ALARM_SECONDS ?? 60) * 1000
    this.sinks = sinks
    this.#embeddingModels = embeddingModelsFrom(env)
    this.store = openStore(ctx.storage, env)
    this.pointInTime = pointInTimeOf(ctx)
    this.context = contextOf(this.store)
    this.isClosed = this.context !== undefined && isClosed(this.context)
    this.isRestoring = this.context !== undefined && isComingBack(this.context)
    this.isReplaying = this.context !== undefined && isReplaying(this.context)
    this.alarm = new Alarm({
      storage: ctx.storage,
      now: () => Date.now(),
      state: () => (this.isRestoring && !this.isClosed ? undefined : this.context && this.#scheduleState()),
      watch: createWatcher(sinks.watch, () => this.context),
      failed: (error) => console.warn(JSON.stringify({ event: 'alarm_failed', corpus: this.context?.config.uid, error })),
    })
    this.followed = new Followed(sinks.replication ?? null, (context) => {
      finishJobsAwaitingSinks(context)
      this.#waiters.wake()
      ctx.waitUntil(this.alarm.set())
    })
    // A lost alarm is noticed by the first call that wakes the object.
    const awake = pause(AWAKE).then(() => this.alarm.set())
    ctx.waitUntil(awake.catch(() => undefined))
  }

  /** For an existing corpus that is not deleted. Throws while it is being restored from a backup. */
  served(): CorpusContext | undefined {
    if (this.isClosed) return undefined
    if (this.isReplaying) throw new Error(RESTORING)
    if (this.context) refuseLeft(this.context)
    return this.working()
  }

  /** The same, for its automatic work: also while later deletions are applied to a restored state (backup/replay.ts). */
  working(): CorpusContext | undefined {
    if (this.isClosed) return undefined
    if (this.isRestoring) throw new Error(RESTORING)
    return this.context
  }

  /** The same, for calls that mean nothing without it. */
  ready(): CorpusContext {
    const context = this.served()
    if (!context) throw new Error(DELETED)
    return context
  }

  /** The corpus, deleted or not: for the object's automatic work. */
  #own(): CorpusContext {
    if (!this.context) throw new Error(DELETED)
    return withSettingsLeft(this.context)
  }

  /** After any change of what is due: waiting calls check again, the sinks are sent what is new, the alarm is set. */
  async changed(): Promise<void> {
    if (this.isReplaying && this.context && !this.isRestoring) this.isReplaying = !advanceReplay(this.context)
    if (this.context) withSettingsLeft(this.context)
    this.#waiters.wake()
    this.checkAlerts()
    this.sendMeanwhile()
    await this.alarm.set()
  }

  /** True: an endpoint must be notified. */
  checkAlerts = (): boolean => this.context !== undefined && !this.isClosed && !this.isRestoring && checkAlerts(this.context)

  /** The same, returning the caller's result without waiting for the sinks. */
  async afterChange<T>(result: T): Promise<T> {
    await this.changed()
    return result
  }

  /** Resolves at the next change, or when time is up. */
  nextChange = (ms: number): Promise<void> => this.#waiters.next(ms)

  /** While a large change is being applied, nothing else may write to the graph. */
  async waitForIntegration(): Promise<void> {
    const until = Date.now() + INTEGRATION_WAIT
    while (isIntegrating(this.store)) {
      if (Date.now() >= until) throw new Error(BUSY_INTEGRATING)
      await this.nextChange(until - Date.now())
    }
  }

  /** Refuses what would bring vectors of another model than the corpus's. */
  refuseMismatch(): void {
    if (this.context) refuseMismatch(this.#embeddingModels, this.context.config.settings)
  }

  #sinksOf(context: CorpusContext, settings: EmbeddingSettings = context.config.settings): HostSinks {
    return withIndexOf(settings, this.#embeddingModels, this.sinks)
  }

  /** Before documents are accepted. */
  async refreshStoreSizes(): Promise<void> {
    if (this.context) await refreshSizes(this.context, this.#sinksOf(this.context))
  }

  drain(): Promise<void> {
    const { context } = this
    if (!context || this.isClosed || this.isRestoring) return Promise.resolve() // nothing is sent for a corpus that is deleted or incomplete
    this.alarm.update({ isDraining: true })
    this.#draining ??= drainWithMove(context, this.#sinksOf(context), (of) => this.#sinksOf(context, of).index).finally(() => {
      this.#draining = undefined
      this.alarm.update({ isDraining: false, drainedAt: Date.now() })
      finishJobsAwaitingSinks(context)
      this.#waiters.wake()
      this.#parts.ctx.waitUntil(this.alarm.set())
    })
    return this.#draining
  }

  /** To the sinks and replicas. No caller waits for it; the alarm repeats what it could not do. */
  sendMeanwhile(): void {
    if (this.context && (hasUnsent(this.context) || hasUnsentMove(this.context)))
      this.#parts.ctx.waitUntil(this.drain().catch(() => undefined))
    if (this.context && !this.isClosed && !this.isRestoring) this.#parts.ctx.waitUntil(this.followed.replicate(this.context))
  }

  /** One run of the alarm, until a given time. */
  async work(until: number): Promise<void> {
    if (!this.context) return
    if (isDropping(this.context)) return this.#dropAll(this.context, until)
    if (this.isClosed) return void (await this.#parts.reconcile(this.context.config))
    if (this.isRestoring) return
    const parts = {
      context: () => this.#own(),
      isClosed: () => this.isClosed,
      now: () => Date.now(),
      pause,
      after,
      giveWay: () => questionsFirst.giveWay(),
      drain: () => this.drain(),
      drainMeanwhile: () => this.sendMeanwhile(),
      startRunner: () => this.#startRunner(),
      isUpkeepDue: () => isUpkeepDue(this.#scheduleState(), Date.now()),
    }
    await runAlarm(parts, until)
    await this.followed.replicate(this.#own())
    await workOnWhole(this.#own(), this.#sinksOf(this.#own()), until, () => Object.assign(this.#own(), contextOf(this.store)))
    this.checkAlerts()
    if (this.isReplaying) await this.changed()
  }

  #scheduleState(): ScheduleState {
    const state = scheduleStateOf(this.#own(), this.alarm.attempts, this.#patience)
    return { ...state, work: { ...state.work, replicationAt: this.followed.dueAt(this.#own()) } }
  }

  /** Starts a runner if one is due. The attempt is counted before it is made: no instance id is ever used twice. */
  async #startRunner(): Promise<void> {
    const context = this.working()
    if (!context) return
    context.atomically(() => pauseOrResume(context))
    this.#waiters.wake()
    const now = Date.now()
    const { runner } = dueTimes(this.#scheduleState(), now)
    if (typeof runner !== 'number' || runner > now) return
    this.alarm.update({ starts: this.alarm.attempts.starts + 1, startedAt: now })
    const accepted = readMeta(context.sql, metaKeys.acceptedCount) ?? 0
    const id = `${context.config.uid}-${accepted}-${incrementMeta(context.sql, metaKeys.runnerCount)}`
    await startInstance(this.#parts.env.INGEST, id, context.config.uid)
  }

  /** Removes what is left of a corpus, a slice at a time. The result is an empty object that knows no job. */
  async #dropAll(context: CorpusContext, until: number): Promise<void> {
    await this.#draining?.catch(() => undefined) // sending must end before the removal
    if (!(await this.followed.end(context))) return
    if (!(await endMove(context, (of) => this.#sinksOf(context, of).index, until))) return
    if ((await removeAside(context, this.#sinksOf(context), until, pause)) !== 'gone') return
    const left = await dropSlice(context, this.#sinksOf(context), until)
    this.alarm.update({ drainedAt: Date.now() })
    if (left !== 'gone') return
    const { storage } = this.#parts.ctx
    await storage.deleteAlarm()
    await storage.deleteAll()
    this.context = undefined
    this.isClosed = false
    migrate(this.store.sql)
    this.store.graph.migrate()
    this.store.graph.forget()
    this.#waiters.wake()
    await this.sinks.deletions.finish(context.config.uid)
  }
}
