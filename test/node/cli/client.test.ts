/** Calls of the command line: what is repeated, and what is reported. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLoam } from '../../../cli/connect'
import { toFailure } from '../../../cli/failure'
import { sendAndWait } from '../../../cli/ingest/send-and-wait'
import { createQueue, type Waited, waitForJobs } from '../../../cli/ingest/wait-for-jobs'
import { type Service, service } from './service'

let it1: Service
beforeEach(async () => {
  it1 = await service()
})
afterEach(() => it1.stop())

const BATCH = '/v1/corpora/one/documents:batch'
const body = { upserts: [{ id: 'a', text: 'A heron.' }] }
const corpus = (sleep = async (_: number) => {}) => createLoam({ url: `${it1.url}/`, key: 'k', sleep }).corpus('one')
/** As the command line reports it. */
const failed = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => toFailure(error),
  )

it('[N10] a call whose connection was closed is repeated at once, and one that is to come back later comes back then', async () => {
  const pauses: number[] = []
  const answered = { status: 409, body: { code: 'idempotency_in_flight' }, headers: { 'retry-after': '3' } }
  it1.next(
    BATCH,
    'closed',
    answered,
    { status: 503, body: {}, headers: { 'retry-after': '7' } },
    { status: 429, body: {} },
    { status: 522, body: 1 },
  )
  await corpus(async (ms) => void pauses.push(ms / 1000)).batch(body)
  expect(pauses).toEqual([0, 3, 7, 1, 1])
  expect(it1.asked.map(({ method, path, key, body }) => ({ method, path, key, body }))).toEqual(
    Array(6).fill({ method: 'POST', path: BATCH, key: 'k', body }),
  )
  const repeats = new Set(it1.asked.map(({ repeat }) => repeat))
  expect([repeats.size, repeats.has(undefined)]).toEqual([1, false])
})

it('[N10] what a repeat cannot mend is reported, not repeated', async () => {
  const client = corpus()
  const errors = [{ path: 'upserts.0.id', message: 'too long' }]
  it1.next(BATCH, { status: 422, body: { code: 'invalid', detail: 'The request does not fit.', errors } })
  expect(await failed(client.batch(body))).toMatchObject({
    message: 'The request does not fit. (invalid)\n  upserts.0.id: too long',
    code: 'invalid',
    status: 422,
  })
  expect(it1.asked.length).toBe(1)
  it1.next(BATCH, { status: 409, body: { code: 'idempotency_conflict' } }, ...Array(8).fill('closed'))
  expect(await failed(client.batch(body))).toMatchObject({ code: 'idempotency_conflict' })
  expect(await failed(client.batch(body))).toMatchObject({ code: 'unreachable', exit: 1 })
  expect(it1.asked.length).toBe(10) // the last of the seven repeats included
})

it('[N10] where nothing has ever answered, it says so after one repeat', async () => {
  it1.next(BATCH, 'closed', 'closed')
  expect(await failed(corpus().batch(body))).toMatchObject({ code: 'unreachable' })
})

it('[N32] what is under way is counted, and what an interrupted run has sent is indexed when it is', async () => {
  const progress = {
    documents: { done: 0, total: 2 },
    chunks: { done: 1, total: 2 },
    texts: { done: 5, total: 9 },
    rate: { texts: 2.5 },
    seconds_left: 2,
  }
  // The first document was sent before; both are on their way until the second look.
  const jobs = ['running', 'succeeded'].map((status) => ({ status, usage: { in: 0, out: 0, embedded: 0 } }))
  const corpora = [{ status: 'indexing', progress }, { status: 'settled' }, { status: 'settled' }]
  const sending = { job: 'j_1', documents: [{ status: 'unchanged' }, { status: 'queued' }] }
  const fetch = async ({ method, url }: Request) =>
    Response.json(method === 'POST' ? sending : url.includes('/jobs/') ? jobs.shift() : corpora.shift())
  const shown: { readonly share: number; readonly text: string }[] = []
  const documents = ['a', 'b'].map((id) => ({ id, text: id }))
  const found = { tally: { count: 2 }, documents: () => documents }
  const out = { progress: (state: { share: number; text: string }) => void shown.push(state) }
  const one = createLoam({ url: 'http://loam.test', fetch }).corpus('one')
  await sendAndWait({ corpus: one, found, parallel: 1, isIndexed: true, out, began: 0, now: () => 100 })
  const said = shown.map(({ text }) => text)
  expect(said).toContain('sent 2 of 2, indexed 0; 0 of 2 documents, 1 of 2 chunks, 5 of 9 texts embedded, 3 texts/s, 2.0 s left; 0.1 s')
  expect(said.at(-1)).toBe('sent 2 of 2, indexed 2; 0.1 s')
  expect(shown.map(({ share }) => share)).toEqual([...shown.map(({ share }) => share)].sort((a, b) => a - b))
})

it('[N430] [N540] four jobs are looked at side by side, and each is reported once it has ended; the corpus is looked at once a second', async () => {
  const looks: string[] = []
  let corpora = 0
  const answers = new Map<string, (answer: Response) => void>()
  const fetch = async ({ url }: Request): Promise<Response> => {
    const job = /jobs\/(\w+)/.exec(url)?.[1]
    if (!job) corpora++
    if (!job) return Response.json({ status: 'settled' })
    looks.push(job)
    return new Promise((resolve) => answers.set(job, resolve))
  }
  const corpus = createLoam({ url: 'http://loam.test', fetch }).corpus('one')
  const queue = createQueue<Waited>()
  const ended: string[] = []
  const now = () => 5000
  const waiting = waitForJobs({ corpus, take: queue.take, now, onLook: ({ job }) => ended.push(job) })
  for (let n = 1; n <= 6; n++) queue.add({ job: `j_${n}`, documents: 1 })
  queue.close()
  const end = async (job: string): Promise<void> => {
    await expect.poll(() => answers.has(job)).toBe(true)
    answers.get(job)?.(Response.json({ status: 'succeeded', usage: { in: 0, out: 0, embedded: 0 } }))
  }
  await expect.poll(() => looks).toEqual(['j_1', 'j_2', 'j_3', 'j_4'])
  await end('j_2')
  await expect.poll(() => looks.at(-1)).toBe('j_5')
  expect(ended).toEqual(['j_2'])
  for (const job of ['j_1', 'j_3', 'j_4', 'j_5', 'j_6']) await end(job)
  await waiting
  expect(corpora).toBe(1)
  expect([...ended].sort()).toEqual(['j_1', 'j_2', 'j_3', 'j_4', 'j_5', 'j_6'])
})
