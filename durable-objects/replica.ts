/**
 * The Durable Object of one replica of a corpus (corpus/replication/replica.ts): it answers questions from a version that it has
 * completely, and follows the corpus by its alarm while it is asked. If nobody asks for some minutes it forgets everything, and sleeps. It
 * writes nothing that anybody else reads.
 */
import { DurableObject } from 'cloudflare:workers'
import { backoff } from '../src/core/backoff'
import type { Env } from '../src/env'
import type { ReplicaName, ReplicaObject, ReplicatedObject, ReplicationLog } from '../src/ports/replication'
import type { RetrieveRequest, RetrieveResult } from '../src/ports/retrieval'
import { isCapped } from './corpus/billing/usage'
import { openStore } from './corpus/open-store'
import { retrieve } from './corpus/query/retrieve'
import { catchUp, forgetIfLapsed, lagOf, placeOf, type ReplicaParts, servedVersion, versionsBehind } from './corpus/replication/replica'
import { migrate } from './corpus/schema'
import { type CorpusContext, contextOf, type Store } from './corpus/store'
import type { ReplicaOf } from './corpus/tables/following'
import { metaKeys, readMeta, writeMeta } from './corpus/tables/meta'
import { nameOfReplica } from './corpus/tables/replica'

export const MAX_LAG = 10_000 // ms: a replica that may have missed something for longer answers nothing
const RENEW = 4000 // between two checks: a lease is lent for 15 s
const IDLE = 300_000 // without a question: then it forgets
const NOTED = 30_000 // the time of a question is recorded when the recorded one is older
const TURN = 20_000 // for one alarm
const RETRY = { first: 500, max: 30_000 }
const AWAITING = { first: 200, max: RENEW } // until it checks again if the next segment is not in the log yet

export interface ReplicaWorld {
  /** Null: the deployment has no bucket for it. */
  readonly log: ReplicationLog | null
  writer(uid: string): ReplicatedObject
}

export function replicaObject(worldOf: (env: Env) => ReplicaWorld) {
  return class Replica extends DurableObject<Env> implements ReplicaObject {
    readonly #world = worldOf(this.env)
    readonly #store: Store = openStore(this.ctx.storage, this.env)
    #context: CorpusContext | undefined
    #turn: Promise<void> | undefined
    #isWiping = false
    #isNews = false // something new came during the check
    #failures = 0
    #restsUntil = 0

    async retrieve(name: ReplicaName, request: RetrieveRequest): Promise<RetrieveResult | { readonly kind: 'unready' }> {
      const version = this.#servedVersion()
      this.#noteAsked(name)
      if (version === undefined || version < (request.minVersion ?? 0)) this.#begin()
      if (version === undefined) return { kind: 'unready' }
      if (version < (request.minVersion ?? 0)) return { kind: 'behind', version }
      this.#context ??= contextOf(this.#store)
      if (!this.#context) return { kind: 'unready' }
      const found = retrieve(this.#context, request)
      if (found.kind !== 'evidence') return found
      const stale = found.evidence.flatMap((one) => (one.stale ? [one.id] : []))
      if (stale.length > 0) this.ctx.waitUntil(this.#writer(name).promote(stale).catch(nothing))
      const staleness = { versions: versionsBehind(this.#store), ms: Math.max(0, lagOf(this.#store)) }
      return {
        ...found,
        served: { by: `replica ${name.number}`, staleness },
        ...(isCapped(this.#context) ? { held: 'unasked' as const } : {}),
      }
    }

    async poke(): Promise<void> {
      if (this.#isWiping || !readMeta(this.#store.sql, metaKeys.following)) return
      this.#isNews = true
      this.#begin()
    }

    async forget(): Promise<void> {
      await this.#turn?.catch(nothing)
      await this.#wipe(false)
      await this.ctx.storage.deleteAlarm()
      await this.ctx.storage.deleteAll()
      migrate(this.#store.sql) // in case it is asked before it leaves memory
      this.#store.graph.migrate()
    }

    override async alarm(): Promise<void> {
      await this.#look()
    }

    #servedVersion(): number | undefined {
      return this.#isWiping || lagOf(this.#store) > MAX_LAG ? undefined : servedVersion(this.#store)
    }

    #noteAsked({ uid, number }: ReplicaName): void {
      if (this.#isWiping) return
      const { sql, now } = this.#store
      const known = readMeta(sql, metaKeys.replicaOf)
      if (!known || known.uid !== uid || now() - known.askedAt > NOTED) writeMeta(sql, metaKeys.replicaOf, { uid, number, askedAt: now() })
    }

    #begin(): void {
      if (this.#store.now() >= this.#restsUntil || this.#isNews) this.ctx.waitUntil(this.#look().catch(nothing))
    }

    /** Checks for news, one check at a time, and returns when the next is due. */
    #look(): Promise<void> {
      this.#turn ??= this.#follow().finally(() => {
        this.#turn = undefined
      })
      return this.#turn
    }

    async #follow(): Promise<void> {
      const of = readMeta(this.#store.sql, metaKeys.replicaOf)
      if (!of) return
      const pause = await this.#goOn(of).catch(() => this.#failed())
      this.#context = undefined // settings may have changed
      if (pause === undefined) return this.#leave(of)
      if (await forgetIfLapsed(this.#partsOf(of))) this.#context = undefined
      this.#restsUntil = this.#store.now() + pause
      await this.ctx.storage.setAlarm(this.#restsUntil)
    }

    /** ms until it must check again; undefined: it has nothing to follow, or nobody asks. */
    async #goOn(of: ReplicaOf): Promise<number | undefined> {
      const { now } = this.#store
      if (now() - of.askedAt > IDLE || !this.#world.log) return undefined
      const parts = this.#partsOf(of)
      for (const until = now() + TURN; now() < until; ) {
        this.#isNews = false
        const before = placeOf(this.#store)
        const said = await catchUp(parts)
        if (said === 'off') return undefined
        if (said === 'fenced') return this.#failed()
        const isStill = placeOf(this.#store) === before
        if (!isStill || said === 'current') this.#failures = 0
        if (said === 'current' && !this.#isNews) return RENEW
        if (isStill && !this.#isNews) return backoff(++this.#failures, AWAITING)
      }
      return 0
    }

    #failed(): number {
      this.#failures++
      return backoff(this.#failures, RETRY)
    }

    /** First it forgets, then it says so. */
    async #leave(of: ReplicaOf): Promise<void> {
      await this.#wipe(false)
      await this.ctx.storage.deleteAlarm()
      await this.#writer(of).leave(nameOfReplica(of.number)).catch(nothing) // its lease would end anyway
    }

    #writer = (name: ReplicaName): ReplicatedObject => this.#world.writer(name.uid)

    #partsOf(of: ReplicaOf): ReplicaParts {
      const log = this.#world.log ?? { get: async () => null }
      return { name: nameOfReplica(of.number), store: this.#store, writer: this.#writer(of), log, wipe: () => this.#wipe(true) }
    }

    /** Deletes all of its storage, then creates tables as for an object that wakes for the first time. */
    async #wipe(keepsName: boolean): Promise<void> {
      const { sql, graph, unindexed } = this.#store
      const of = readMeta(sql, metaKeys.replicaOf)
      this.#isWiping = true
      try {
        await this.ctx.storage.deleteAll()
      } finally {
        migrate(sql)
        graph.migrate()
        graph.forget()
        unindexed.forget(Number.MAX_SAFE_INTEGER)
        this.#context = undefined
        if (of && keepsName) writeMeta(sql, metaKeys.replicaOf, of)
        this.#isWiping = false
      }
    }
  }
}

const nothing = (): undefined => undefined
