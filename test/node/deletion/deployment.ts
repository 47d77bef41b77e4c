/**
 * A whole deployment in one process that dies: the real front door, the real class of the object and the real D1 adapters, over node:sqlite and a
 * vector index in memory. Every call to a store is counted; at the n-th the process dies, before or after its effect, or the store refuses it.
 * Dead, it can do nothing more; `restart` begins anew on what the stores hold.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { D1Database } from '@cloudflare/workers-types'
import { vi } from 'vitest'
import type { Sinks } from '../../../durable-objects/corpus/outbox/drain'
import type { SqlSource } from '../../../durable-objects/sql'
import { answers } from '../../../src/adapters/catalogue/answers'
import { deploymentAudit } from '../../../src/adapters/catalogue/audit'
import { bucketRoutes } from '../../../src/adapters/catalogue/bucket-routes'
import { catalogue } from '../../../src/adapters/catalogue/catalogue'
import { deletions } from '../../../src/adapters/catalogue/deletions'
import { hooks } from '../../../src/adapters/catalogue/hooks'
import { keys } from '../../../src/adapters/catalogue/keys'
import { recoveries } from '../../../src/adapters/catalogue/recoveries'
import { resealStore } from '../../../src/adapters/catalogue/reseal'
import { watch } from '../../../src/adapters/catalogue/watch'
import { conversationsOf, corpusOf, seeingOf } from '../../../src/adapters/corpus'
import { dataPool } from '../../../src/adapters/data-pool'
import { databasesOf } from '../../../src/adapters/databases'
import { indexesOf } from '../../../src/adapters/indexes'
import { listings } from '../../../src/adapters/read-model/listings'
import { readModel } from '../../../src/adapters/read-model/publish'
import type { VectorizeLike } from '../../../src/adapters/vectorize'
import { resealUntil } from '../../../src/flows/reseal'
import { sweep } from '../../../src/flows/sweep'
import { masterKeys, vault } from '../../../src/hooks/seal'
import { createApp } from '../../../src/http/app'
import type { Wired } from '../../../src/http/wired'
import { d1Errors } from '../../../src/platform-limits'
import type { Catalogue, Watch } from '../../../src/ports/catalogue'
import type { ConversationObject } from '../../../src/ports/conversations'
import type { Deletions } from '../../../src/ports/deletion'
import type { Hooks } from '../../../src/ports/hooks'
import type { CorpusObject } from '../../../src/ports/object'
import type { OutboundObject } from '../../../src/ports/outbound'
import type { Recoveries } from '../../../src/ports/recovery'
import type { SeeingObject } from '../../../src/ports/seeing'
import type { Round, TaskResult } from '../../../src/ports/tasks'
import { openDatabase, type Prepare, preparing, type SqliteDatabase, sqliteSource } from '../../node-sqlite'
import { DIMENSIONS } from '../corpus/mortal-object'
import { type StandingIndex, standingIndex } from '../corpus/standing-index'
import { answered, embed, noBill } from '../corpus/working'
import { ADMIN, fakeWorld } from '../http/world'
import { type Past, past } from './past'

vi.mock('cloudflare:workers', () => ({
  DurableObject: class {
    constructor(
      readonly ctx: unknown,
      readonly env: unknown,
    ) {}
  },
}))
// By a name the compiler does not follow: the class has the platform's types, this project Node's.
const CLASS: string = '../../../durable-objects/corpus'
const { corpusObject } = (await import(CLASS)) as {
  corpusObject: (sinks: () => ObjectSinks) => new (ctx: object, env: object) => DeployedObject
}

export type DeployedObject = CorpusObject & OutboundObject & SeeingObject & ConversationObject & { alarm(): Promise<void> }
type ObjectSinks = Sinks & {
  readonly watch: Pick<Watch, 'expect'>
  readonly deletions: Deletions
  readonly recoveries: Recoveries
  readonly catalogue: Pick<Catalogue, 'recordEmbedding' | 'recordExamples'>
}

export class Death extends Error {}

export interface Doom {
  /** The n-th call to a store from now. 0: none. */
  readonly at: number
  /** before, after: the process dies before or after the effect · refused: the store says no, and all live on */
  readonly how: 'before' | 'after' | 'refused'
}

/** One for all deployments: the objects go by `Date.now`. It is replaced for good, since what `vi` replaces ends with the file, and this module does not. */
const clock = { ahead: 0 }
const realNow = Date.now
Date.now = () => realNow() + clock.ahead

const TURN = 20 // ms; what waits no longer only lets others have their turn, and need not wait for it
const realTimeout = setTimeout
Object.assign(globalThis, { setTimeout: (work: () => void, ms = 0) => (ms > TURN ? realTimeout(work, ms) : setImmediate(work)) })

const migrations = path.join(import.meta.dirname, '../../../migrations')

export interface Deployment {
  readonly index: StandingIndex
  /** The index that corpora share; `index` itself unless `hasDedicated`. */
  readonly common: StandingIndex
  readonly clock: { ahead: number }
  readonly databases: { readonly [name: string]: SqliteDatabase }
  /** What the queue was sent and the Workflow was started with. */
  readonly sent: string[]
  /** Calls to stores since the last doom, by store. */
  readonly calls: string[]
  doom(doom: Doom): void
  /** Runs before the n-th call to a store from now. */
  between(at: number, act: () => Promise<unknown>): void
  hooks(): Hooks
  readonly dead: () => boolean
  restart(): void
  send(method: string, path: string, body?: unknown, key?: string): Promise<{ status: number; body: never }>
  /** The same, as it is on the wire: for what is no JSON. */
  request(method: string, path: string, body?: string): Promise<Response>
  /** The status of what is sent as it is. */
  raw(method: string, path: string, body: BodyInit, type: string, more?: { readonly [header: string]: string }): Promise<number>
  object(uid: string): DeployedObject
  objectRows(uid: string): SqliteDatabase
  uids(): string[]
  /** Texts with this word get no vector from the model. */
  refused: string | null
  /** Alarms that are set ring, whatever they are set to, as often as this; model work is done. */
  ring(times?: number): Promise<void>
  cron(): Promise<unknown>
  /** The deployment's secrets; set anew, they are another deployment's. */
  secrets: Parameters<typeof masterKeys>[0]
  /** Does the platform remember earlier states of objects made from now on? */
  remembers: boolean
  /** What the platform says when it is to set a storage back: yes; no; no, and does it all the same. */
  setsBack: 'yes' | 'no' | 'unsaid'
  /** It remembers the object as it is now, under now. */
  remember(uid: string): void
  /** Now is where `again` returns to. */
  base(): void
  again(): void
}

type Call = (...of: readonly never[]) => unknown

interface Options extends Partial<Pick<Wired, 'seer' | 'describer' | 'transcriber' | 'judge'>> {
  /** It has one pair of stores for a corpus that wants its own; they are `index` and `DEDICATED_0`. */
  readonly hasDedicated?: boolean
}

interface Storage {
  /** Another where it is set back. */
  db: SqliteDatabase
  prepared: Prepare
  alarm: number | null
  /** The platform's memory of it; null: it has none, as a local machine. */
  past: Past | null
}

export function deployment({ hasDedicated = false, ...more }: Options = {}): Deployment {
  const time = { now: 0 }
  const index = standingIndex(time, DIMENSIONS)
  const common = hasDedicated ? standingIndex(time, DIMENSIONS) : index
  const sent: string[] = []
  const calls: string[] = []
  const storages = new Map<string, Storage>()
  let kept = new Map<string, number | null>()
  const living = new Map<string, DeployedObject>()
  let [count, dead, life] = [0, false, 0]
  let doom: Doom = { at: 0, how: 'before' }
  let meanwhile: { readonly at: number; readonly act: () => Promise<unknown> } | null = null

  /** One call to a store. */
  const outside = async <T>(store: string, born: number, effect: () => T | Promise<T>): Promise<T> => {
    const die = (): never => {
      dead = true
      throw new Death()
    }
    await null
    if (dead || born !== life) throw new Death()
    calls.push(store)
    const struck = ++count === doom.at
    if (meanwhile && count === meanwhile.at) {
      const { act } = meanwhile
      meanwhile = null
      await act()
    }
    if (struck && doom.how === 'refused') throw new Error(store === 'D1' ? `D1_ERROR: ${d1Errors.heavy[2]}` : 'refused by the test')
    if (struck && doom.how === 'before') die()
    const result = await effect()
    if (struck) die()
    return result
  }

  const names = ['DB', 'DATA_0', ...(hasDedicated ? ['DEDICATED_0'] : [])]
  const databases = Object.fromEntries(names.map((name) => [name, migrated()]))
  const prepared = Object.fromEntries(Object.entries(databases).map(([name, db]) => [name, preparing(db)]))
  const wire = () => {
    const born = life
    const through = <T>(store: string, effect: () => T | Promise<T>) => outside(store, born, effect)
    const bindings = Object.fromEntries(
      names.map((name) => [name, d1(databases[name] as SqliteDatabase, prepared[name] as Prepare, (effect) => through('D1', effect))]),
    )
    const pool = databasesOf(bindings)
    const bound = ({ binding }: StandingIndex): VectorizeLike => ({
      upsert: (rows) => through('vectors', () => binding.upsert(rows)),
      deleteByIds: (ids) => through('vectors', () => binding.deleteByIds(ids)),
      getByIds: (ids) => through('vectors', () => binding.getByIds(ids)),
      query: (vector, options) => through('vectors', () => binding.query(vector, options)),
      describe: () => binding.describe(),
    })
    const vectors = indexesOf({ INDEX_0: bound(index) }, bound(common))
    return { through, pool, vectors, rows: readModel(pool) }
  }
  let wired = wire()

  const Corpus = corpusObject(() => ({
    index: wired.vectors,
    readModel: wired.rows,
    outbound: { send: (messages) => wired.through('queue', () => void sent.push(...messages.map((one) => JSON.stringify(one)))) },
    watch: watch(wired.pool.control),
    deletions: deletions(wired.pool.control),
    recoveries: recoveries(wired.pool.control),
    catalogue: catalogue(wired.pool.control),
  }))
  const env = {
    EMBEDDING_MODEL: 'letters',
    EMBEDDING_DIMENSIONS: String(DIMENSIONS),
    INGEST: { create: (instance: unknown) => wired.through('workflow', () => void sent.push(JSON.stringify(instance))) },
  }

  const storageOf = (uid: string): Storage => {
    const known = storages.get(uid)
    if (known) return known
    const db = openDatabase()
    const storage: Storage = { db, prepared: preparing(db), alarm: null, past: world.remembers ? past() : null }
    storages.set(uid, storage)
    return storage
  }
  const objectOf = (uid: string): DeployedObject => {
    const there = living.get(uid)
    if (there) return there
    const storage = storageOf(uid)
    const before = storage.past?.wake()
    if (before) Object.assign(storage, { db: before, prepared: preparing(before) })
    const born = { isOver: false }
    const ctx = {
      storage: {
        ...storageApi(storage, wired.through, () => dead || born.isOver),
        ...pastApi(storage, wired.through, () => world.setsBack),
      },
      abort(reason: string): never {
        born.isOver = true
        living.delete(uid)
        throw new Error(reason)
      },
      waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined),
    }
    const object = new Corpus(ctx, env)
    living.set(uid, object)
    return object
  }

  const now = () => Date.now()
  const stub = (uid: string) => corpusOf({ getByName: () => objectOf(uid) }, uid)
  const endpointsOf = (uid: string): OutboundObject => {
    const object = objectOf(uid)
    const counted = {
      endpointSecrets: () => wired.through('object', () => object.endpointSecrets()),
      replaceSecrets: (...of: Parameters<OutboundObject['replaceSecrets']>) => wired.through('object', () => object.replaceSecrets(...of)),
    }
    return new Proxy(object, {
      get: (_, name) =>
        name in counted ? counted[name as keyof typeof counted] : (object[name as keyof OutboundObject] as Call).bind(object),
    })
  }
  const makeApp = () => {
    const fake = fakeWorld()
    const { control } = wired.pool
    return createApp(() => ({
      ...fake.wired,
      ...more,
      now,
      models: {
        ...fake.wired.models,
        embedding: { id: 'letters', dimensions: DIMENSIONS, window: 128 },
        embed: async (texts) => ({ vectors: texts.map((text) => [...embed(text)]), spent: { in: 0, out: 0, embedded: 1 } }),
      },
      corpus: stub,
      outbound: endpointsOf,
      seeing: (uid: string) => seeingOf({ getByName: () => objectOf(uid) }, uid),
      conversations: (uid: string) => conversationsOf({ getByName: () => objectOf(uid) }, uid),
      vault: vault(...masterKeys(world.secrets)),
      reseal: resealStore(control),
      catalogue: catalogue(control),
      listings: listings(wired.pool),
      deletions: deletions(control),
      recoveries: recoveries(control),
      answers: answers(control),
      hooks: hooks(control),
      buckets: { names: ['papers'], open: () => null },
      bucketRoutes: bucketRoutes(control),
      keys: keys(control),
      ...(hasDedicated ? { pool: dataPool(wired.pool, { INDEX_0: index }) } : {}),
    }))
  }

  const every = (work: (db: SqliteDatabase) => void): void => {
    for (const db of [...Object.values(databases), ...[...storages.values()].map((one) => one.db)]) work(db)
  }
  const world: Deployment = {
    index,
    common,
    clock,
    databases,
    sent,
    calls,
    secrets: { MASTER_KEY: 'a-master-key' },
    refused: null,
    remembers: false,
    setsBack: 'yes',
    remember: (uid) => storageOf(uid).past?.remember(storageOf(uid).db, now()),
    dead: () => dead,
    doom(next) {
      doom = next
      count = 0
      calls.length = 0
    },
    between(at, act) {
      count = 0
      meanwhile = { at, act }
    },
    hooks: () => hooks(wired.pool.control),
    restart() {
      life++
      dead = false
      world.doom({ at: 0, how: 'before' })
      living.clear()
      wired = wire()
      app = makeApp()
    },
    async send(method, at, body, key = ADMIN) {
      const headers = { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
      const request = new Request(`https://loam.test${at}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const response = await app.fetch(request, {}, { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} })
      const text = await response.text()
      return { status: response.status, body: (/^[{[]/.test(text) ? JSON.parse(text) : text || null) as never }
    },
    async request(method, at, body) {
      const headers = { authorization: `Bearer ${ADMIN}`, ...(body === undefined ? {} : { 'content-type': 'application/x-ndjson' }) }
      const request = new Request(`https://loam.test${at}`, { method, headers, ...(body === undefined ? {} : { body }) })
      return app.fetch(request, {}, { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} })
    },
    async raw(method, at, body, type, more = { authorization: `Bearer ${ADMIN}` }) {
      const request = new Request(`https://loam.test${at}`, { method, headers: { 'content-type': type, ...more }, body })
      return (await app.fetch(request, {}, { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} })).status
    },
    object: objectOf,
    objectRows: (uid) => storageOf(uid).db,
    uids: () => [...storages.keys()],
    async ring(times = 30) {
      for (let i = 0; i < times; i++) {
        time.now += 60_000
        const set = [...storages].filter(([, one]) => one.alarm !== null && one.alarm <= now() + 3_000_000)
        if (set.length === 0) return
        for (const [uid, storage] of set) {
          storage.alarm = null
          await objectOf(uid).alarm()
          const round: Round = await objectOf(uid).openTasks('runner', 64)
          if (round.tasks.length > 0) await objectOf(uid).commit('runner', answered(round, noBill()).map(refusing(round, world.refused)))
        }
      }
    },
    cron: async () => {
      const { control } = wired.pool
      const deps = {
        answers: answers(control),
        audit: deploymentAudit(control),
        deletions: deletions(control),
        recoveries: recoveries(control),
        watch: watch(control),
        readModel: wired.rows,
      }
      const swept = await sweep({ ...deps, corpus: stub, now })
      const sealed = vault(...masterKeys(world.secrets))
      if (sealed) await resealUntil({ vault: sealed, store: resealStore(control), outbound: endpointsOf, now }, now() + 60_000)
      return swept
    },
    base() {
      kept = new Map([...storages].map(([uid, one]) => [uid, one.alarm]))
      every((db) => db.exec('BEGIN'))
      for (const one of new Set([index, common])) one.base()
    },
    again() {
      for (const [uid] of storages) {
        if (!kept.has(uid)) storages.delete(uid)
        else storageOf(uid).alarm = kept.get(uid) ?? null
      }
      every((db) => db.exec('ROLLBACK; BEGIN'))
      for (const one of new Set([index, common])) one.again()
      clock.ahead = 0
      world.restart()
    },
  }
  let app = makeApp()
  return world
}

/** What a model says that gives zeros for texts with this word. */
function refusing({ tasks }: Round, word: string | null) {
  return (result: TaskResult, i: number): TaskResult => {
    const brief = tasks[i]?.brief
    if (word === null || brief?.kind !== 'embed' || result.reply.kind !== 'embed') return result
    const vectors = result.reply.vectors.map((vector, at) => (brief.texts[at]?.includes(word) ? new Int8Array(vector.length) : vector))
    const refused = brief.texts.filter((text) => text.includes(word)).length
    return refused === 0 ? result : { ...result, reply: { ...result.reply, vectors }, dropped: { refused } }
  }
}

function migrated(): SqliteDatabase {
  const db = openDatabase()
  for (const file of readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .sort()) {
    db.exec(readFileSync(path.join(migrations, file), 'utf8').replaceAll('--> statement-breakpoint', ''))
  }
  return db
}

/** As much of D1 as drizzle and the read model use. */
function d1(db: SqliteDatabase, prepared: Prepare, outside: <T>(effect: () => T) => Promise<T>): D1Database {
  interface Statement {
    readonly query: string
    readonly values: readonly unknown[]
  }
  const carriedOut = ({ query, values }: Statement) => {
    const { statement, isRead } = prepared(query)
    const rows = isRead ? statement.all(...values) : []
    const changes = isRead ? 0 : Number(statement.run(...values).changes)
    return { success: true, results: rows.map((row) => ({ ...row })), meta: { changes, rows_written: changes, size_after: 0 } }
  }
  const statement = (query: string, values: readonly unknown[] = []) => {
    const mine = { query, values }
    return {
      ...mine,
      bind: (...bound: unknown[]) =>
        statement(
          query,
          bound.map((one) => (typeof one === 'boolean' ? Number(one) : one)),
        ),
      all: () => outside(() => carriedOut(mine)),
      run: () => outside(() => carriedOut(mine)),
      first: () => outside(() => carriedOut(mine).results[0] ?? null),
      raw: () => outside(() => carriedOut(mine).results.map((row) => Object.values(row))),
    }
  }
  return {
    prepare: (query: string) => statement(query),
    batch: (statements: readonly Statement[]) =>
      outside(() => {
        db.exec('SAVEPOINT batch')
        try {
          const results = statements.map(carriedOut)
          db.exec('RELEASE batch')
          return results
        } catch (error) {
          db.exec('ROLLBACK TO batch; RELEASE batch')
          throw error
        }
      }),
  } as unknown as D1Database
}

/** The platform's point-in-time recovery; workerd has none, and says so. */
function pastApi({ past }: Storage, outside: <T>(store: string, effect: () => T) => Promise<T>, setsBack: () => Deployment['setsBack']) {
  const none = (): never => {
    throw new Error("This Durable Object's storage back-end does not implement point-in-time recovery.")
  }
  return {
    getBookmarkForTime: (time: number) => outside('storage', () => past?.bookmarkAt(time) ?? none()),
    onNextSessionRestoreBookmark: (bookmark: string) =>
      outside('storage', () => {
        if (setsBack() === 'no') throw new Error('the bookmark is refused')
        const before = past ? past.restoreNext(bookmark) : none()
        if (setsBack() === 'unsaid') throw new Error('the answer was lost')
        return before
      }),
  }
}

/** As much of an object's storage as the class uses. `deleteAll` leaves the alarm, as the platform's older dates do. */
function storageApi(storage: Storage, outside: <T>(store: string, effect: () => T) => Promise<T>, isDead: () => boolean) {
  const { db, prepared } = storage
  const source = sqliteSource(db, prepared)
  const exec: SqlSource['exec'] = (query, ...bindings) => {
    if (isDead()) throw new Death()
    return source.exec(query, ...bindings)
  }
  const set = (at: number | null): void => {
    storage.alarm = at
  }
  return {
    sql: { exec, databaseSize: 0 },
    transactionSync<T>(work: () => T): T {
      db.exec('SAVEPOINT work')
      try {
        const result = work()
        db.exec('RELEASE work')
        return result
      } catch (error) {
        db.exec('ROLLBACK TO work; RELEASE work')
        throw error
      }
    },
    getAlarm: async () => storage.alarm,
    setAlarm: (at: number) => outside('storage', () => set(at)),
    deleteAlarm: () => outside('storage', () => set(null)),
    deleteAll: () =>
      outside('storage', () => {
        const tables = db
          .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql LIKE 'CREATE VIRTUAL%'`)
          .all()
        for (const { name } of tables) db.exec(`DROP TABLE "${name}"`)
        const rest = db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`).all()
        for (const { name } of rest) db.exec(`DROP TABLE IF EXISTS "${name}"`)
        db.exec('DELETE FROM sqlite_sequence')
      }),
  }
}
