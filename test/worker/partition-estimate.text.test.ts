/** What another number of partitions would write and cost, compared with what it then wrote. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect, it } from 'vitest'
import { metaKeys, readMeta, writeMeta } from '../../durable-objects/corpus/tables/meta'
import { counted } from '../../durable-objects/sql'
import type { Control } from '../../local/workerd/control'
import { corpusOf } from '../../src/adapters/corpus'
import { type VectorizeLike, vectorize } from '../../src/adapters/vectorize'
import { partitionsOf, partitionUids } from '../../src/corpus-uid'
import { bindings, indexed } from './corpora'
import { call, corpus, succeeded } from './living'
import { eventually } from './waiting'

const { CONTROL, DB, DATA_0, VECTORIZE } = env as unknown as {
  readonly CONTROL: Control
  readonly DB: D1Database
  readonly DATA_0: D1Database
  readonly VECTORIZE: VectorizeLike
}
const SUMMARIES = [
  { match: 'State only what the material states', reply: 'The keepers of Ellis count birds at the mill pond.', repeat: true },
]
const BIRDS = ['heron', 'kestrel', 'wren', 'plover']
const upserts = Array.from({ length: 60 }, (_, n) => ({
  id: `note-${n}`,
  text: `The keepers of Ellis count birds at the mill pond every morning. On day ${n} Anna Berg saw the ${BIRDS[n % 4]} of Weir ${n}.`,
}))

afterEach(() => CONTROL.script([]))

/** Bytes of all values of a partition's rows; an edge's key is in an index, too. */
async function bytesOf(uid: string): Promise<number> {
  const columns = {
    document: 'id, title, name, url, metadata, chunks, version',
    chunk: 'id, title, text, tokens, own, parts, version',
    node: 'id, kind, layer, text, tokens, stale, data, folded, bearer, version',
    edge: 'kind, source, target, weight, data, version, kind, source, target, uid',
  }
  const sums = Object.entries(columns).map(async ([table, names]) => {
    const length = names.split(', ').map((name) => `coalesce(length(CAST(${name} AS BLOB)), 0)`)
    return DATA_0.prepare(`SELECT coalesce(sum(length(uid) + ${length.join(' + ')}), 0) AS n FROM ${table} WHERE uid = ?`)
      .bind(uid)
      .first<number>('n')
  })
  return (await Promise.all(sums)).reduce<number>((sum, n) => sum + (n ?? 0), 0)
}

async function vectorsOf(uid: string): Promise<number> {
  const kinds = ['passage', 'unit', 'name', 'entity', 'summary'] as const
  const found = await Promise.all(
    kinds.map((kind) => vectorize(VECTORIZE).query(uid, new Array(64).fill(1), { kind: kind as 'passage', k: 100 })),
  )
  return found.flat().length
}

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0)

it('[P2485] is said before it is begun, and is what was written, within the bounds that are promised', async () => {
  await CONTROL.script(SUMMARIES)
  const base = await corpus({ partitions: 2, strategies: ['erarag'] })
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts })).body.job)
  const uid = (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(base.split('/').at(-1)).first<string>('uid')) ?? ''
  const partsOf = () => partitionUids(uid).map((part) => corpusOf(bindings.CORPUS, part))
  const areWritten = () =>
    eventually('summaries of every partition', async () => {
      const { data } = (await call('GET', `${base}/segments?layer=1&limit=100`)).body
      return data.length > 4 && data.every((one: { data: { generator: string } }) => one.data.generator === 'model') ? true : undefined
    })
  await areWritten()
  expect((await call('GET', `${base}/repartition`)).status).toBe(422)
  expect((await call('GET', `${base}/repartition?partitions=65`)).status).toBe(422)
  const { status, body: said } = await call('GET', `${base}/repartition?partitions=3`)
  expect([status, said]).toMatchObject([200, { from: 2, to: 3, job: null, estimate: { documents: 60, chunks: 60 } }])
  const { job } = (await call('POST', `${base}:repartition`, { partitions: 3 })).body
  expect((await call('GET', `${base}/repartition?partitions=3`)).body.job).toBe(job)
  await eventually('the switch', async () => {
    await indexed()
    return partitionsOf(uid) === 3 ? true : undefined
  })
  await areWritten()
  await eventually('everything to be sent', async () => {
    await indexed()
    return sum((await Promise.all(partsOf().map((part) => part.drain()))).map(({ left }) => left)) === 0 ? true : undefined
  })
  const usages = await Promise.all(partsOf().map((part) => part.usage(null, 1, 'all')))
  const real = {
    rows: sum(usages.map((one) => one.rows_published)),
    bytes: sum(await Promise.all(partitionUids(uid).map(bytesOf))),
    vectors: sum(await Promise.all(partitionUids(uid).map(vectorsOf))),
    calls: sum(usages.map((one) => one.stages.summarize?.calls ?? 0)),
  }
  const { rows, bytes, vectors, summaries } = said.estimate
  expect(real.rows).toBeGreaterThanOrEqual(rows.min)
  expect(real.rows).toBeLessThanOrEqual(rows.max)
  for (const [name, share] of Object.entries({
    bytes: bytes / real.bytes,
    vectors: vectors / real.vectors,
    calls: summaries.calls / real.calls,
  }))
    expect([name, share >= 0.5 && share <= 2, share]).toEqual([name, true, share])
  expect(summaries.tokens.out).toBeGreaterThan(0)
  await eventually('the old partitions to be removed', async () => {
    await indexed()
    await runInDurableObject(bindings.CORPUS.getByName(uid) as DurableObjectStub, async (_object, { storage }) => {
      const sql = counted(storage.sql)
      const state = readMeta(sql, metaKeys.repartition)
      if (state?.areJobsMoved) writeMeta(sql, metaKeys.repartition, { ...state, notBefore: 0 }) // half a minute passes at once
      await storage.setAlarm(Date.now())
    })
    return (await call('GET', `${base}/jobs/${job}`)).body.status === 'succeeded' ? true : undefined
  })
}, 120_000)
