/** What `loam ingest` reads and sends, and in which order. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLoam } from '../../../cli/connect'
import type { Read } from '../../../cli/documents'
import { send } from '../../../cli/ingest/send'
import { takeIn } from '../../../cli/ingest/take-in'
import { createOutput } from '../../../cli/output'
import { type Service, service } from './service'

const BATCH = 50 // documents

let it1: Service
beforeEach(async () => {
  it1 = await service()
})
afterEach(() => it1.stop())

const numbered = (n: number): { readonly document: { readonly id: string; readonly text: string } } => ({
  document: { id: `d${n}`, text: `Heron ${n}.` },
})

/** Sixty documents, the last ten of which are there once `moment` has come. */
async function* slowly(moment: () => Promise<void>): AsyncGenerator<Read> {
  for (let n = 0; n < 60; n++) {
    if (n === BATCH + 1) await moment()
    yield numbered(n)
  }
}

const silent = () => createOutput({ json: true, stdout: { write: () => true } as never, stderr: { write: () => true } as never })
const taking = (values: object, read: () => AsyncIterable<Read>, more: object = {}) =>
  takeIn({
    corpus: createLoam({ url: it1.url, key: 'k' }).corpus('one'),
    read,
    values,
    out: silent(),
    stdin: process.stdin,
    ...more,
  } as never)

it('[N2260] with nothing to ask, what has been read is sent while the rest is read; the rest follows', async () => {
  const sent: number[] = []
  await taking({ yes: true }, () =>
    slowly(async () => {
      await expect.poll(() => it1.documents.size, { timeout: 20_000 }).toBe(BATCH)
      sent.push(it1.documents.size)
    }),
  )
  expect([sent, it1.documents.size]).toEqual([[BATCH], 60])
})

it.each([
  ['the cost is to be confirmed', {}, {}],
  ['it is refused as a whole', { yes: true }, { isWhole: true }],
])('[N2260] nothing is sent before all has been read where %s', async (_, values, more) => {
  let sent: number | undefined
  const moment = async (): Promise<void> => {
    sent ??= it1.documents.size
  }
  await taking(values, () => slowly(moment), more)
  expect([sent, it1.documents.size]).toEqual([0, 60])
})

it.each([
  [1200, [10, 2]],
  [4000, [10, 2]],
  [600, [5, 5, 2]],
  [64, Array.from({ length: 12 }, () => 1)],
])('[N2380] to a corpus with chunks of %d tokens batches of as many chunks go as to any other, not more', async (tokens, expected) => {
  it1.next('/v1/corpora/one', { body: { corpus: 'one', settings: { chunk_tokens: tokens }, counts: {} } })
  const pages = async function* (): AsyncGenerator<Read> {
    for (let n = 0; n < 12; n++) yield { document: { id: `p${n}`, text: 'heron '.repeat(5400) } } as Read // 32,400 bytes
  }
  await taking({ yes: true, parallel: '1' }, pages)
  const batches = it1.asked.filter(({ body }) => Array.isArray((body as { readonly upserts?: unknown } | null)?.upserts))
  expect(batches.map(({ body }) => (body as { readonly upserts: readonly unknown[] }).upserts.length)).toEqual(expected)
})

it('[N2260] a document whose id has come before waits for everything before it, and only for that', async () => {
  const batches = [['a'], ['b'], ['a'], ['c']].map((ids, n) => ids.map((id) => ({ id, text: `${n}` })))
  const [begun, open] = [[] as string[], new Map<string, () => void>()]
  const corpus = {
    batch: async ({ upserts }: { readonly upserts: readonly { readonly id: string; readonly text: string }[] }) => {
      const name = upserts.map(({ id, text }) => `${id}${text}`).join()
      begun.push(name)
      await new Promise<void>((resolve) => open.set(name, resolve))
      return { status: 'unchanged', documents: [] }
    },
  }
  const source = (async function* () {
    yield* batches
  })()
  const sending = send({ corpus: corpus as never, batches: source, parallel: 4, onSent: () => {} })
  const land = async (name: string): Promise<void> => {
    await expect.poll(() => open.has(name)).toBe(true)
    open.get(name)?.()
  }
  await expect.poll(() => begun).toEqual(['a0', 'b1'])
  await land('a0')
  await new Promise((resolve) => setTimeout(resolve, 20)) // ms
  expect(begun).toEqual(['a0', 'b1'])
  await land('b1')
  await expect.poll(() => begun).toEqual(['a0', 'b1', 'a2', 'c3'])
  for (const name of ['a2', 'c3']) await land(name)
  await sending
})
