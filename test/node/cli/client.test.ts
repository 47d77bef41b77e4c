/** Calls of the command line: what is repeated, and what is told. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { clientOf } from '../../../cli/client.mjs'
import { type Service, service } from './service'

let it1: Service
beforeEach(async () => {
  it1 = await service()
})
afterEach(() => it1.stop())

const BATCH = '/v1/corpora/one/documents:batch'
const body = { upserts: [{ id: 'a', text: 'A heron.' }] }

it('[N10] a call whose connection was closed is repeated at once, and one told to come back later comes back then', async () => {
  const pauses: number[] = []
  const client = clientOf({ url: `${it1.url}/`, key: 'k', pause: async (seconds: number) => void pauses.push(seconds) })
  const answered = { status: 409, body: { code: 'idempotency_in_flight' }, headers: { 'retry-after': '3' } }
  it1.next(
    BATCH,
    'closed',
    answered,
    { status: 503, body: {}, headers: { 'retry-after': '7' } },
    { status: 429, body: {} },
    { status: 522, body: 1 },
  )
  await client.call('POST', BATCH, { body })
  expect(pauses).toEqual([0, 3, 7, 1, 1])
  expect(it1.asked.map(({ method, path, key, body }) => ({ method, path, key, body }))).toEqual(
    Array(6).fill({ method: 'POST', path: BATCH, key: 'k', body }),
  )
  const repeats = new Set(it1.asked.map(({ repeat }) => repeat))
  expect([repeats.size, repeats.has(undefined)]).toEqual([1, false])
})

it('[N11] what a repeat cannot mend is told, not repeated', async () => {
  const client = clientOf({ url: it1.url, key: 'k', pause: async () => undefined })
  const errors = [{ path: 'upserts.0.id', message: 'too long' }]
  it1.next(BATCH, { status: 422, body: { code: 'invalid', detail: 'The request does not fit.', errors } })
  await expect(client.call('POST', BATCH, { body })).rejects.toMatchObject({
    message: 'The request does not fit. (invalid)\n  upserts.0.id: too long',
    code: 'invalid',
    status: 422,
  })
  expect(it1.asked.length).toBe(1)
  it1.next(BATCH, { status: 409, body: { code: 'idempotency_conflict' } }, ...Array(8).fill('closed'))
  await expect(client.call('POST', BATCH, { body })).rejects.toMatchObject({ code: 'idempotency_conflict' })
  await expect(client.call('POST', BATCH, { body })).rejects.toMatchObject({ code: 'unreachable', exit: 1 })
  expect(it1.asked.length).toBe(10) // the last of the seven repeats included
})

it('[N11] where nothing has ever answered, it says so after one repeat', async () => {
  const client = clientOf({ url: it1.url, key: 'k', pause: async () => undefined })
  it1.next(BATCH, 'closed', 'closed')
  await expect(client.call('POST', BATCH, { body })).rejects.toMatchObject({ code: 'unreachable' })
})
