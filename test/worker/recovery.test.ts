/** What happens when something dies or is out at a hand-off: it finishes, nothing is lost, nothing is in the graph twice. */
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { answers } from '../../src/adapters/catalogue/answers'
import { deploymentAudit } from '../../src/adapters/catalogue/audit'
import { deletions } from '../../src/adapters/catalogue/deletions'
import { watch } from '../../src/adapters/catalogue/watch'
import { corpusOf } from '../../src/adapters/corpus'
import { databasesOf } from '../../src/adapters/databases'
import { readModel } from '../../src/adapters/read-model/publish'
import { vectorize } from '../../src/adapters/vectorize'
import { modelsFrom } from '../../src/adapters/workers-ai-config'
import type { Env } from '../../src/env'
import { embedTexts } from '../../src/flows/embed'
import { sweep } from '../../src/flows/sweep'
import type { CorpusObject } from '../../src/ports/object'
import type { TaskResult } from '../../src/ports/tasks'
import { bindings, doc, embed, foundDocuments, indexed, newCorpus, put, settled } from './corpora'
import { eventually } from './waiting'

const HOUR = 3_600_000 // ms
const DAY = 24 * HOUR

const world = env as unknown as Omit<Env, 'CORPUS'> & {
  readonly CORPUS: DurableObjectNamespace
  readonly CONTROL: {
    breakAi(n: number | true): Promise<void>
    breakVectorize(n: number | true): Promise<void>
    settle(): Promise<void>
  }
}

afterEach(async () => {
  await world.CONTROL.breakAi(0)
  await world.CONTROL.breakVectorize(0)
})

const stubOf = (uid: string) => world.CORPUS.getByName(uid)

/** A runner's lease is five minutes; here they pass at once. */
async function expireLease(uid: string): Promise<void> {
  await runInDurableObject(stubOf(uid), (_object, state) => {
    state.storage.sql.exec(`UPDATE meta SET value = json_set(value, '$.until', 0) WHERE key = 'lease'`)
  })
}

/** This runner, and not the product's own, has the corpus before anything is accepted. */
async function holdLease(uid: string, runner: string): Promise<void> {
  await runInDurableObject(stubOf(uid), (_object, state) => {
    const lease = JSON.stringify({ runner, until: Date.now() + 300_000 })
    state.storage.sql.exec(`INSERT OR REPLACE INTO meta (key, value) VALUES ('lease', ?)`, lease)
  })
}

async function acceptOnly(corpus: CorpusObject, id: string, text: string): Promise<string> {
  const accepted = await corpus.accept({ kind: 'ingest', upserts: [doc(id, text)], deletes: [] })
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
  return accepted.job
}

/** Does what a runner does between lease and commit. */
async function work(corpus: CorpusObject, runner: string): Promise<TaskResult[]> {
  const { tasks } = await corpus.openTasks(runner, 1000)
  return Promise.all(
    tasks.map(async (task) => {
      const texts = task.brief.kind === 'embed' ? task.brief.texts : []
      const { vectors, spent } = await embedTexts(modelsFrom(world), [...texts])
      return { id: task.id, reply: { node: task.node, input: task.input, kind: 'embed' as const, vectors }, spent, calls: { embed: 1 } }
    }),
  )
}

describe('a runner that dies', () => {
  it('[J10] after it has leased: the next one does its tasks', async () => {
    const { uid, corpus } = await newCorpus()
    await holdLease(uid, 'dead')
    const job = await acceptOnly(corpus, 'a', 'A heron stands here.')
    expect((await corpus.openTasks('dead', 100)).tasks.length).toBe(1)
    await expireLease(uid)
    await runDurableObjectAlarm(stubOf(uid))
    expect((await settled(corpus, job)).status).toBe('succeeded')
    expect(await foundDocuments(corpus, 'heron', 'keyword')).toEqual(['a'])
  })

  it('[J10] and comes back late: its results are refused, and no task is paid for twice', async () => {
    const { uid, corpus } = await newCorpus()
    await holdLease(uid, 'late')
    const job = await acceptOnly(corpus, 'a', 'A heron stands here.')
    const results = await work(corpus, 'late')
    await expireLease(uid)
    expect(await corpus.commit('late', results)).toEqual({ kind: 'lost' })
    await runDurableObjectAlarm(stubOf(uid))
    expect((await settled(corpus, job)).status).toBe('succeeded')
    expect((await corpus.view())?.counts).toMatchObject({ documents: 1, chunks: 1 })
  })

  it('[J10] commits twice: the second time changes nothing', async () => {
    const { uid, corpus } = await newCorpus()
    await holdLease(uid, 'twice')
    const job = await acceptOnly(corpus, 'a', 'A heron stands here. It waits for fish.')
    const results = await work(corpus, 'twice')
    await corpus.commit('twice', results)
    await holdLease(uid, 'twice')
    const version = (await corpus.view())?.version
    await corpus.openTasks('twice', 10)
    await corpus.commit('twice', results)
    expect((await corpus.view())?.version).toBe(version)
    expect((await settled(corpus, job)).status).toBe('succeeded')
  })
})

describe('the world is down', () => {
  it('[J24] the vector index: the document is found all the same, and the index is sent it later', async () => {
    const { uid, corpus } = await newCorpus()
    await world.CONTROL.breakVectorize(true)
    const job = await put(corpus, doc('a', 'A heron stands here.'))
    expect([job.status, await foundDocuments(corpus, 'a heron stands', 'vector')]).toEqual(['succeeded', ['a']])
    expect((await corpus.drain().catch(() => ({ left: -1 }))).left).not.toBe(0)
    await world.CONTROL.breakVectorize(0)
    await runDurableObjectAlarm(stubOf(uid))
    expect((await corpus.drain()).left).toBe(0)
  })

  it('[V10] the vector index: a deletion succeeds only after the index was sent it', async () => {
    const { uid, corpus } = await newCorpus()
    await put(corpus, doc('a', 'A heron stands here.'))
    await corpus.drain()
    await world.CONTROL.breakVectorize(true)
    const accepted = await corpus.accept({ kind: 'delete', upserts: [], deletes: ['a'] })
    if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
    expect((await corpus.job(accepted.job, 300))?.status).not.toBe('succeeded')
    expect(await foundDocuments(corpus, 'heron', 'keyword')).toEqual([]) // gone from answers at once
    await world.CONTROL.breakVectorize(0)
    await runDurableObjectAlarm(stubOf(uid))
    expect((await settled(corpus, accepted.job)).status).toBe('succeeded')
  })

  it('[F16] the embedding model: the work waits and is done when it is back', async () => {
    const { uid, corpus } = await newCorpus()
    await world.CONTROL.breakAi(true)
    const job = await acceptOnly(corpus, 'a', 'A heron stands here.')
    expect((await corpus.job(job, 500))?.status).not.toBe('succeeded')
    await world.CONTROL.breakAi(0)
    await expireLease(uid)
    await runDurableObjectAlarm(stubOf(uid))
    expect((await settled(corpus, job)).status).toBe('succeeded')
  })
})

describe('an object that is evicted', () => {
  it('[J23] wakes again: what the index does not show yet is still found', async () => {
    const { uid, corpus } = await newCorpus()
    await world.CONTROL.breakVectorize(true)
    await put(corpus, doc('a', 'A heron stands here.'))
    await runInDurableObject(stubOf(uid), (_object, state) => state.abort('evicted by the test')).catch(() => undefined)
    const again = corpusOf(bindings.CORPUS, uid)
    expect(await foundDocuments(again, 'a heron stands', 'vector')).toEqual(['a'])
  })
})

describe('an alarm', () => {
  const alarmOf = (uid: string) => runInDurableObject(stubOf(uid), (_object, { storage }) => storage.getAlarm())
  const watched = (uid: string) => world.DB.prepare('SELECT due FROM watch WHERE uid = ?').bind(uid).first<number>('due')
  const run = (uid: string, query: string) =>
    runInDurableObject(stubOf(uid), (_object, { storage }) => void storage.sql.exec(query).toArray())

  /** Has the corpus been sent, so that its day counts from then? */
  const swept = (uid: string) =>
    runInDurableObject(
      stubOf(uid),
      (_object, { storage }) => storage.sql.exec(`SELECT 1 FROM meta WHERE key = 'swept'`).toArray().length > 0,
    )
  /** A day has passed. */
  const sweepNow = (uid: string) => run(uid, `UPDATE meta SET value = json_set(value, '$.at', 0) WHERE key = 'swept'`)

  it('[J27] compares what D1 and the index hold with the object, and mends both', async () => {
    const { uid, corpus } = await newCorpus(['erarag', 'cluerag'])
    const texts = Array.from({ length: 30 }, (_, i) => `Anna Berg of Port Ellis counts ${i} herons and ${i * 7} cranes on day ${i}.`)
    await put(corpus, ...texts.map((text, i) => doc(`d${i}`, text)))
    await corpus.drain()
    await indexed()
    await corpus.drain()
    const { DB } = world as unknown as { DB: D1Database }
    const index = vectorize(world.VECTORIZE as Parameters<typeof vectorize>[0])
    const rows = async (): Promise<string[]> => {
      const tables = ['document', 'chunk', 'node', 'edge']
      const all = await DB.batch<object>(tables.map((table) => DB.prepare(`SELECT * FROM ${table} WHERE uid = ?`).bind(uid)))
      return all.flatMap((one, i) => one.results.map((row) => `${tables[i]} ${JSON.stringify({ ...row, version: 0 })}`)).sort()
    }
    const hits = async () => (await index.query(uid, await embed(texts[0] ?? ''), { kind: 'passage', k: 100 })).map((hit) => hit.id).sort()
    const before = { rows: await rows(), hits: await hits() }
    const tables = new Set(before.rows.map((row) => row.split(' ')[0]))
    expect([before.hits.length, [...tables].sort()]).toEqual([30, ['chunk', 'document', 'edge', 'node']])
    await index.remove(uid, before.hits.slice(0, 12))
    await DB.batch(
      [
        `DELETE FROM chunk WHERE uid = ?1 AND id IN (SELECT id FROM chunk WHERE uid = ?1 LIMIT 3)`,
        `UPDATE node SET text = 'set back' WHERE uid = ?1 AND id IN (SELECT id FROM node WHERE uid = ?1 LIMIT 2)`,
        `INSERT INTO node SELECT ?1, 'e_stranger', kind, layer, text, tokens, stale, data, folded, version, bearer FROM node WHERE uid = ?1 LIMIT 1`,
        `DELETE FROM edge WHERE uid = ?1 AND kind = 'member'`,
      ].map((query) => DB.prepare(query).bind(uid)),
    )
    await indexed()
    expect([await hits(), await rows()]).not.toEqual([before.hits, before.rows])
    await sweepNow(uid)
    await eventually('the sweep to end', async () => {
      await runDurableObjectAlarm(stubOf(uid))
      await indexed()
      await corpus.drain()
      const now = { rows: await rows(), hits: await hits() }
      return JSON.stringify(now) === JSON.stringify(before) || undefined
    })
    expect((await corpus.health())?.sinks).toMatchObject({ index: { missing: 12, foreign: 0 }, model: { foreign: 1 } })
  })

  it('[V120] is set while something is due, without anyone watching: an idle corpus has none', async () => {
    const { uid, corpus } = await newCorpus(['ketrag'])
    expect([await alarmOf(uid), await watched(uid)]).toEqual([null, null])
    await put(corpus, doc('a', 'Anna Berg saw a heron at Port Ellis.'))
    expect(await alarmOf(uid)).not.toBeNull()
    await run(uid, `UPDATE meta SET value = '0' WHERE key = 'born'`) // the time for upkeep has come
    await eventually('the sinks to be told', async () => (await swept(uid)) || undefined)
    await sweepNow(uid)
    await eventually('upkeep', async () => {
      await world.CONTROL.settle() // the index shows what it was sent
      await runDurableObjectAlarm(stubOf(uid))
      return ((await alarmOf(uid)) ?? 0) > Date.now() + 29 * DAY || undefined
    })
    expect((await corpus.health())?.nodes).toMatchObject({ orphans: 0 })
    for (const kept of ['job', 'spending_day']) await run(uid, `DELETE FROM ${kept}`) // what was kept for a time is gone
    await corpus.tend()
    expect(await alarmOf(uid)).toBeNull()
    await eventually('the watch to hear of it', async () => (await watched(uid)) === null || undefined)
  })

  it('[V121] that was lost is set again by the cron trigger, and the job ends', async () => {
    const { uid, corpus } = await newCorpus()
    await holdLease(uid, 'a runner that died')
    const job = await acceptOnly(corpus, 'a', 'A heron stands here.')
    const by = await eventually('the watch to hear of it', async () => (await watched(uid)) ?? undefined)
    expect(by).toBeGreaterThan(Date.now() + HOUR / 2)
    await expireLease(uid)
    await runInDurableObject(stubOf(uid), (_object, { storage }) => storage.deleteAlarm())
    await world.DB.prepare('UPDATE watch SET due = 0 WHERE uid = ?').bind(uid).run()
    const databases = databasesOf(world)
    const kept = {
      answers: answers(world.DB),
      audit: deploymentAudit(world.DB),
      deletions: deletions(world.DB),
      watch: watch(world.DB),
      readModel: readModel(databases),
    }
    const deps = { ...kept, recoveries: { open: async () => [] }, now: () => Date.now() }
    const { woken, failed } = await sweep({ ...deps, corpus: (one) => corpusOf(bindings.CORPUS, one) })
    expect([woken >= 1, failed]).toEqual([true, 0])
    expect((await settled(corpus, job)).status).toBe('succeeded')
  })
})
