/** A corpus in partitions is moved to another embedding model while it serves. */
import { listDurableObjectIds, runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { corpusOf } from '../../src/adapters/corpus'
import { type VectorizeLike, vectorize } from '../../src/adapters/vectorize'
import { partitionUids } from '../../src/corpus-uid'
import { bindings, indexed, texts } from './corpora'
import { call, corpus, succeeded } from './living'
import { forgotten } from './moved-corpus'
import { ended, eventually } from './waiting'

const world = env as unknown as {
  readonly DB: D1Database
  readonly VECTORIZE: VectorizeLike
  readonly VECTORIZE_PREVIOUS: VectorizeLike
  readonly CORPUS: DurableObjectNamespace
  readonly CONTROL: { settle(): Promise<void> }
}
const OTHER = 'hash-before'
const PARTS = 2

async function filled(): Promise<{ base: string; uid: string }> {
  const base = await corpus({ partitions: PARTS })
  const batch = await call('POST', `${base}/documents:batch`, { upserts: texts.map(([id, text]) => ({ id, text, title: `On ${id}` })) })
  await succeeded(base, batch.body.job)
  const name = base.split('/').at(-1)
  return { base, uid: (await world.DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(name).first<string>('uid')) ?? '' }
}

/** How many passages of all partitions an index shows. */
async function heldIn(binding: VectorizeLike, dimensions: number, uid: string): Promise<number> {
  await world.CONTROL.settle()
  const ask = (part: string) => vectorize(binding).query(part, new Array(dimensions).fill(1), { kind: 'passage', k: 20 })
  return (await Promise.all(partitionUids(uid).map(ask))).flat().length
}

/** What waits for an index looks again at once. */
async function lookAgain(): Promise<void> {
  for (const id of await listDurableObjectIds(world.CORPUS)) await runDurableObjectAlarm(world.CORPUS.get(id))
}

const ask = async (base: string, query: string, strategy = 'hybrid') => {
  const { status, body } = await call('POST', `${base}/search`, { query, strategy, top_k: 3 })
  return { status, degraded: body.degraded, found: (body.evidence ?? []).map((one: { document: string }) => one.document) }
}

it('[P2480] [P2483] by one job, at the cost that was said before, and is found by the new model alone afterwards', async () => {
  const { base, uid } = await filled()
  const question = texts[2][1]
  const { body: before } = await call('GET', `${base}/migration?embedding_model=${OTHER}`)
  const parts = await Promise.all(partitionUids(uid).map((part) => corpusOf(bindings.CORPUS, part).migration()))
  expect(before).toMatchObject({ from: { model: 'hash' }, to: { model: OTHER, dimensions: 32 }, job: null, step: null })
  expect(before.estimate.texts).toBe(parts.reduce((sum, one) => sum + (one?.texts ?? 0), 0))
  expect(parts.every((one) => (one?.texts ?? 0) > 0)).toBe(true)
  const { status, body: begun } = await call('POST', `${base}:migrate`, { embedding_model: OTHER })
  expect(status).toBe(202)
  expect((await call('POST', `${base}:migrate`, { embedding_model: OTHER })).status).toBe(409)
  expect((await call('POST', `${base}:repartition`, { partitions: 3 })).status).toBe(409)
  const job = await ended<{ status: string; kind: string; usage: { embedded: number } }>(begun.job, async () => {
    await indexed()
    await lookAgain()
    expect(await ask(base, question)).toMatchObject({ status: 200, found: expect.arrayContaining(['steel']) })
    return (await call('GET', `${base}/jobs/${begun.job}`)).body
  })
  expect([job.kind, job.status]).toEqual(['migrate', 'succeeded'])
  await eventually('the catalogue to learn of it', async () =>
    (await call('GET', base)).body.embedding_model === OTHER ? true : undefined,
  )
  expect(await ask(base, question)).toEqual({ status: 200, degraded: [], found: expect.arrayContaining(['steel']) })
  expect([await heldIn(world.VECTORIZE, 64, uid), await heldIn(world.VECTORIZE_PREVIOUS, 32, uid)]).toEqual([0, texts.length])
  expect(await ask(base, question, 'vector')).toEqual({ status: 200, degraded: [], found: expect.arrayContaining(['steel']) })
  const later = await call('PUT', `${base}/documents/pond`, { text: 'A pond is a small lake.' })
  await succeeded(base, later.body.job)
  expect((await ask(base, 'A pond is a small lake.')).found[0]).toBe('pond')
}, 120_000)

it('[P2481] [P2483] a question that meets partitions of two models is asked again, and by words if that lasts; no vector meets those of the other', async () => {
  const { base, uid } = await filled()
  const [first, second] = partitionUids(uid).map((part) => corpusOf(bindings.CORPUS, part)) as [
    ReturnType<typeof corpusOf>,
    ReturnType<typeof corpusOf>,
  ]
  const job = 'j_both'
  const to = { id: OTHER, dimensions: 32 }
  for (const part of [first, second]) expect(await part.moveModel({ what: 'begin', job, to })).toEqual({ kind: 'done' })
  await eventually('both to be ready', async () => {
    await indexed()
    await lookAgain()
    const states = await Promise.all([first, second].map((part) => part.moveModel({ what: 'state', job })))
    return states.every((one) => one.kind === 'state' && one.state.at === 'ready') ? true : undefined
  })
  expect((await call('GET', `${base}/migration`)).body.step).not.toBeNull() // both wait for the change
  const question = 'Steel is an alloy of iron and carbon.'
  expect(await ask(base, question)).toMatchObject({ status: 200, degraded: [] })
  await first.moveModel({ what: 'switch', job })
  expect(await ask(base, question)).toMatchObject({ status: 200, degraded: ['embedding'], found: expect.arrayContaining(['steel']) })
  // As soon as the other changes, too, the same question is answered with vectors.
  const asked = ask(base, question)
  await new Promise((resolve) => setTimeout(resolve, 100))
  await second.moveModel({ what: 'switch', job })
  expect(await asked).toMatchObject({ status: 200, degraded: [], found: expect.arrayContaining(['steel']) })
}, 120_000)

it('[P2480] a corpus that was divided later is moved, too', async () => {
  const base = await corpus({ strategies: ['erarag'] })
  const batch = await call('POST', `${base}/documents:batch`, { upserts: texts.map(([id, text]) => ({ id, text, title: `On ${id}` })) })
  await succeeded(base, batch.body.job)
  const name = base.split('/').at(-1)
  const uid = (await world.DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(name).first<string>('uid')) ?? ''
  const done = (job: string) =>
    ended<{ status: string }>(job, async () => {
      await indexed()
      await lookAgain()
      return (await call('GET', `${base}/jobs/${job}`)).body
    })
  const { body: divided } = await call('POST', `${base}:repartition`, { partitions: PARTS })
  await eventually('the partitions', async () => {
    await indexed()
    return partitionUids(uid).length === PARTS ? true : undefined
  })
  await forgotten(uid)
  expect((await done(divided.job)).status).toBe('succeeded')
  const { body: begun } = await call('POST', `${base}:migrate`, { embedding_model: OTHER })
  expect((await done(begun.job)).status).toBe('succeeded')
  await eventually('the catalogue to learn of it', async () =>
    (await call('GET', base)).body.embedding_model === OTHER ? true : undefined,
  )
  expect([await heldIn(world.VECTORIZE, 64, uid), await heldIn(world.VECTORIZE_PREVIOUS, 32, uid)]).toEqual([0, texts.length])
  expect(await ask(base, texts[2][1], 'vector')).toEqual({ status: 200, degraded: [], found: expect.arrayContaining(['steel']) })
}, 120_000)
