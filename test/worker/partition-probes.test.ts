/** Probes of a corpus in partitions: kept in its own object, asked over all of them. */
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { corpusOf } from '../../src/adapters/corpus'
import { partOf } from '../../src/core/joint/part-of'
import { partitionUids } from '../../src/corpus-uid'
import { partitionedCorpus } from '../../src/flows/partitions/corpus'
import { askProbe } from '../../src/flows/partitions/probes'
import type { CorpusObject } from '../../src/ports/object'
import { bindings, config } from './corpora'
import { call, corpus, succeeded } from './living'
import { eventually } from './waiting'

const PARTS = 3
const upserts = [
  { id: 'mill', text: 'Bread is baked in the old mill on Tuesdays.' },
  { id: 'heron', text: 'The heron waits at the pond behind the mill.' },
  { id: 'steel', text: 'Steel is an alloy of iron and carbon.' },
  { id: 'salt', text: 'Salt lies in mines under the old town.', access: ['group:few'] },
]
const probes = [
  { query: 'When is bread baked?', expect: ['mill'] },
  { query: 'What is steel made of?', expect: ['steel', 'glass'] },
  { query: 'Where does salt lie?', expect: ['salt'] },
]
const { DB } = env as unknown as { DB: D1Database }

const uidOf = async (base: string) => {
  const name = base.split('/').at(-1)
  return (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(name).first<string>('uid')) ?? ''
}

it('[P2314] pins probes, shows what is missing of each, and to each asker those whose documents they may read', async () => {
  const base = await corpus({ partitions: PARTS })
  expect(new Set(upserts.map(({ id }) => partOf(id, PARTS))).size).toBeGreaterThan(1)
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts })).body.job)
  const pinned = await call('PUT', `${base}/probes`, { probes, k: 3 })
  expect([pinned.status, pinned.body.count, pinned.body.missing]).toEqual([200, 3, ['glass']])
  const divided = corpusOf(bindings.CORPUS, await uidOf(base))
  const shownTo = async (asker: 'all' | string[]) => (await divided.probes(asker)).probes.map(({ query, missing }) => [query, missing])
  expect(await shownTo('all')).toEqual(probes.map(({ query, expect: own }) => [query, own.filter((id) => id === 'glass')]))
  expect(await shownTo([])).toEqual([['When is bread baked?', []]])
  expect((await shownTo(['group:few'])).map(([query]) => query)).toEqual(['When is bread baked?', 'Where does salt lie?'])
  const stale = await call('PUT', `${base}/probes`, { probes: [] }, { 'if-match': '"other"' })
  expect([stale.status, (await divided.probes('all')).probes.length]).toEqual([412, 3])
})

it('[P2315] asks each over all partitions, and records nothing that a partition did not answer', async () => {
  const base = await corpus({ partitions: PARTS })
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts })).body.job)
  await call('PUT', `${base}/probes`, { probes, k: 3 })
  const found = await eventually('the probes to be asked', async () => {
    const { body } = await call('GET', `${base}/probes`)
    return body.probes.every((one: { last: object | null }) => one.last) ? body.probes : undefined
  })
  const [first] = found
  expect(first.last.found.auto).toEqual({ recall: 1, rank: 1 })
  expect(Object.keys(first.last.found).sort()).toEqual(['auto', 'ppr'])
  expect(found.map((one: { gate: null }) => one.gate)).toEqual([null, null, null])
  const { body: health } = await call('GET', `${base}/health`)
  expect([health.probes.count, health.probes.k, health.probes.recall.auto, health.gate]).toEqual([3, 3, 1, null])
  // A partition is down.
  const uid = await uidOf(base)
  const parts = partitionUids(uid).map((part) => corpusOf(bindings.CORPUS, part))
  const silent = parts.map((part, i) =>
    i === partOf('steel', PARTS) ? { ...part, readPartition: () => Promise.reject(new Error('down')) } : part,
  )
  const whole = bindings.CORPUS.getByName(uid) as CorpusObject
  const asked = { config: config(uid), probe: { query: 'When is bread baked?', expect: ['mill'] }, k: 3 }
  const index = { query: async () => [] }
  expect(await askProbe({ corpus: partitionedCorpus({ uid, whole, parts: silent }), index }, asked)).toBe(null)
  expect((await askProbe({ corpus: partitionedCorpus({ uid, whole, parts }), index }, asked))?.auto).toEqual({ recall: 1, rank: 1 })
})
