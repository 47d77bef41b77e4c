/** Webhooks out, over days of simulated time: signed, again and again, once. */
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it } from 'vitest'
import { noteThreshold } from '../../../durable-objects/corpus/billing/threshold'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { announce } from '../../../durable-objects/corpus/webhooks/announce'
import { MAX_ATTEMPTS } from '../../../durable-objects/corpus/webhooks/deliveries'
import { hasNewMessages, sendMessages } from '../../../durable-objects/corpus/webhooks/message-queue'
import { limitedQueue, type QueueFaults } from '../../../local/workerd/queue'
import { outbound } from '../../../src/adapters/outbound'
import { vault } from '../../../src/hooks/seal'
import { deliver } from '../../../src/outbound/deliver'
import { queueLimits } from '../../../src/platform-limits'
import type { DocumentInput } from '../../../src/ports/documents'
import type { OutboundMessage } from '../../../src/ports/outbound'
import { answered, noBill } from '../corpus/working'
import { type Asked, DAY, type Internet, type Place, place } from './world'

const open: Place[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

function corpus(answer: Internet = () => new Response(null, { status: 204 })) {
  const internet = { current: answer }
  const here = place(internet)
  open.push(here)
  return { here, internet }
}

const page = (id: string, text = `A heron waits at pier ${id}.`): DocumentInput => ({
  id,
  text,
  title: 'Secret words',
  url: null,
  metadata: {},
})
const put = (here: Place, ...upserts: DocumentInput[]) => accept(here.mortal.context, { kind: 'batch', upserts, deletes: [] })
const URL_ = 'https://receiver.example/in'

interface Told {
  readonly type: string
  readonly timestamp: string
  readonly data: { readonly [key: string]: unknown }
}
/** Deliveries are made side by side, so they have no order of their own: documents first, by id. */
const told = (asked: readonly Asked[]): Told[] =>
  asked.map(({ body }) => JSON.parse(body) as Told).sort((a, b) => (key(a) < key(b) ? -1 : 1))
const key = ({ type, data }: Told): string => (data.document === undefined ? `2 ${type}` : `1 ${data.document}`)
const verified = (secret: string, { body, headers }: Asked) => {
  const named = Object.fromEntries(['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headers.get(name) ?? '']))
  const [id = '', signature = ''] = [named['webhook-id'], named['webhook-signature']]
  // The library reads the wall clock; the signature is made over the world's.
  return signature.split(' ').includes(new Webhook(secret).sign(id, new Date(Number(named['webhook-timestamp']) * 1000), body))
}

describe('webhooks out', () => {
  it('[V43] what became of documents is sent once, signed as the reference library signs, without a word of them', async () => {
    const { here } = corpus()
    const { secret } = await here.endpoint(URL_)
    put(here, page('a'), page('b'))
    await here.settle()
    await here.pass(1000, 3)
    const all = told(here.asked)
    expect(all.map(({ type, data }) => [type, data.document ?? null, data.status ?? null, data.content_version ?? null])).toEqual([
      ['document.ready', 'a', 'ready', 1],
      ['document.ready', 'b', 'ready', 1],
      ['corpus.settled', null, null, null],
    ])
    expect(all.map(({ data }) => [data.corpus, data.indexed_version ?? data.version])).toEqual(Array(3).fill(['mortal', 1]))
    expect(here.asked.map((one) => [one.method, one.url, verified(secret, one)])).toEqual(Array(3).fill(['POST', URL_, true]))
    expect(JSON.stringify(here.asked.map(({ body }) => body))).not.toMatch(/heron|secret words/i)
    put(here, page('a')) // nothing new
    await here.settle()
    await here.pass(DAY)
    expect(here.asked).toHaveLength(3)
    put(here, page('a', 'A crane waits.'))
    await here.settle()
    await here.pass(1000)
    expect(told(here.asked.slice(3)).map(({ type, data }) => [type, data.content_version ?? null])).toEqual([
      ['document.ready', 2],
      ['corpus.settled', null],
    ])
  })

  it('[V43] a document that cannot be indexed is reported as failed', async () => {
    const { here } = corpus()
    await here.endpoint(URL_)
    put(here, page('a'), page('b'))
    const { context } = here.mortal
    const round = openTasks(context, 'runner', 64)
    const results = answered(round ?? { tasks: [], left: 0, paused: false }, noBill()).map((result, i) => {
      const { node, input } = result.reply
      return i > 0 ? result : { ...result, reply: { node, input, kind: 'unusable' as const, reason: 'too_large' } }
    })
    commitRound(context, 'runner', results)
    await here.pass(1000)
    const statuses = told(here.asked).map(({ type, data }) => [type, data.document ?? null, data.indexed_version ?? null])
    expect(statuses).toEqual([
      ['document.failed', 'a', 0],
      ['document.ready', 'b', 1],
      ['corpus.settled', null, null],
    ])
  })

  it('[V43] an endpoint receives the events it named; without endpoints none is written', async () => {
    const { here } = corpus()
    put(here, page('z'))
    await here.settle()
    expect(here.mortal.context.sql.one<{ n: number }>('SELECT count(*) AS n FROM delivery')?.n).toBe(0)
    await here.endpoint(URL_, ['budget.threshold', 'corpus.drift'])
    put(here, page('a'))
    await here.settle()
    const { context } = here.mortal
    noteThreshold(context, 0.1, 0.55)
    noteThreshold(context, 0.55, 0.6)
    announce(context.sql, context.now(), [{ type: 'corpus.drift', data: { measure: 'churn', share: 0.3 } }])
    announce(context.sql, context.now(), [{ type: 'corpus.drift', data: { measure: 'churn', share: 0.3 } }]) // in the same moment
    await here.pass(1000)
    expect(told(here.asked).map(({ type, data }) => [type, data.share])).toEqual([
      ['budget.threshold', 0.5],
      ['corpus.drift', 0.3],
    ])
  })

  it('[V45] a delivery to a receiver that is down is repeated, later each time, for about a day; then it is dead, and can be sent again', async () => {
    const { here, internet } = corpus(() => new Response('no', { status: 503 }))
    const { id, secret } = await here.endpoint(URL_, ['document.ready'])
    put(here, page('a'))
    await here.settle()
    const began = here.world.clock.now
    const at: number[] = []
    internet.current = () => {
      at.push(here.world.clock.now - began)
      return new Response('no', { status: 503 })
    }
    await here.pass(2 * DAY)
    expect(at).toHaveLength(MAX_ATTEMPTS)
    const pauses = at.slice(1).map((time, i) => time - (at[i] ?? 0))
    expect(pauses.every((pause, i) => pause >= 0.95 * Math.min(6 * 3_600_000, 10_000 * 3 ** i))).toBe(true)
    expect([(at.at(-1) ?? 0) > 0.85 * DAY, (at.at(-1) ?? 0) < 1.3 * DAY]).toEqual([true, true])
    expect(new Set(here.asked.map(({ headers }) => headers.get('webhook-id'))).size).toBe(1)
    expect(new Set(here.asked.map(({ headers }) => headers.get('webhook-timestamp'))).size).toBe(MAX_ATTEMPTS)
    const dead = await here.object.deliveries(id, 'dead', null, 10)
    expect(dead.data).toMatchObject([{ type: 'document.ready', status: 'dead', attempts: MAX_ATTEMPTS, last: 'http_503' }])
    internet.current = () => new Response(null, { status: 200 })
    await here.object.redeliver(dead.data[0]?.delivery ?? '')
    await here.pass(1000)
    const last = here.asked.at(-1)
    expect([last?.headers.get('webhook-id'), last && verified(secret, last)]).toEqual([here.asked[0]?.headers.get('webhook-id'), true])
    expect((await here.object.deliveries(id, 'delivered', null, 10)).data).toHaveLength(1)
    expect((await here.object.deliveries(id, 'dead', null, 10)).data).toEqual([])
  })

  it('[V46] a message that arrives fifty times, late or never sends nothing twice and loses nothing', async () => {
    const { here } = corpus()
    await here.endpoint(URL_)
    put(here, page('a'), page('b'))
    await here.settle()
    await here.pass(1000, 50)
    expect(here.asked).toHaveLength(3)
    put(here, page('c'))
    await here.settle()
    here.world.owed.length = 0 // the queue forgets
    await here.pass(1_200_000)
    expect(told(here.asked.slice(3)).map(({ type }) => type)).toEqual(['document.ready', 'corpus.settled'])
  })

  it('[V46] an attempt whose Worker died is repeated under the same id', async () => {
    const { here, internet } = corpus(() => new Promise(() => undefined)) // never comes back
    await here.endpoint(URL_, ['document.ready'])
    put(here, page('a'))
    await here.settle()
    await here.mortal.sinks.outbound.send([])
    const { id } = here.mortal.context.sql.one<{ id: string }>('SELECT id FROM delivery') ?? { id: '' }
    const first = await here.object.claimDelivery(id)
    expect([first.kind, (await here.object.claimDelivery(id)).kind]).toEqual(['go', 'wait'])
    internet.current = () => new Response(null, { status: 204 })
    await here.pass(1_200_000)
    expect(here.asked).toHaveLength(1)
    // The dead one comes back with bad news: too late.
    expect(await here.object.closeDelivery(id, 1, { kind: 'failed', last: 'timeout' })).toBeNull()
    expect((await here.object.deliveries('ep_1', 'delivered', null, 10)).data).toMatchObject([{ attempts: 2, last: 'http_204' }])
  })

  it('[V46] a queue that takes only so much, and is overloaded for a while, is sent everything in the end', async () => {
    const { here } = corpus()
    await here.endpoint(URL_)
    const { context } = here.mortal
    announce(
      context.sql,
      context.now(),
      Array.from({ length: 250 }, (_, n) => ({ type: 'corpus.drift', data: { measure: 'churn', share: n } })),
    )
    const taken: (readonly { readonly body: OutboundMessage }[])[] = []
    const faults: QueueFaults = { overloaded: 1 }
    const queue = limitedQueue<OutboundMessage>({ sendBatch: async (messages) => taken.push(messages) }, faults)
    await sendMessages(context, outbound(queue))
    expect([taken.length, taken.flat().length, hasNewMessages(context)]).toEqual([3, 250, false])
    announce(context.sql, context.now(), [{ type: 'corpus.drift', data: { measure: 'size', share: 1 } }])
    faults.overloaded = true
    await expect(sendMessages(context, outbound(queue))).rejects.toThrow('Queue is overloaded. Please back off. (10250)')
    expect(hasNewMessages(context)).toBe(true) // still owed
    faults.overloaded = 0
    await sendMessages(context, outbound(queue))
    expect([taken.flat().length, hasNewMessages(context)]).toEqual([251, false])
  })

  it('[V46] the queue stand-in refuses what the queue refuses; the adapter stays within it', async () => {
    const taken: number[] = []
    const queue = limitedQueue<OutboundMessage>({ sendBatch: async (messages) => taken.push(messages.length) }, { overloaded: 0 })
    const named = (size: number): OutboundMessage => ({ kind: 'delivery', uid: 'u', id: 'x'.repeat(size) })
    const bodies = (n: number, size: number) => Array.from({ length: n }, () => ({ body: named(size) }))
    await expect(queue.sendBatch(bodies(1, queueLimits.maxMessageBytes))).rejects.toThrow('(10204)')
    await expect(queue.sendBatch(bodies(queueLimits.maxBatchMessages + 1, 1))).rejects.toThrow('(10205)')
    await expect(queue.sendBatch(bodies(30, 10_000))).rejects.toThrow('(10206)')
    await outbound(queue).send(Array.from({ length: 250 }, () => named(1)))
    await outbound(queue).send(Array.from({ length: 60 }, () => named(10_000)))
    expect(taken).toEqual([100, 100, 50, 25, 25, 10])
    await expect(outbound(queue).send([named(queueLimits.maxMessageBytes)])).rejects.toThrow('Payload Too Large (10204)')
  })

  it('[V45] redirects are not followed, 410 ends the deliveries, Retry-After is obeyed, and no inside address is called', async () => {
    const { here, internet } = corpus(() => new Response(null, { status: 302, headers: { location: 'https://10.0.0.1/' } }))
    const { id } = await here.endpoint(URL_, ['document.ready'])
    put(here, page('a'))
    await here.settle()
    await here.pass(1000)
    expect([here.asked.map(({ url }) => url), (await here.object.deliveries(id, 'pending', null, 10)).data[0]?.last]).toEqual([
      [URL_],
      'http_302',
    ])
    internet.current = () => new Response(null, { status: 429, headers: { 'retry-after': '7200' } })
    await here.pass(60_000)
    const due = (await here.object.deliveries(id, null, null, 10)).data[0]?.due ?? 0
    expect(due - here.world.clock.now).toBeGreaterThan(7_000_000)
    here.names.set('receiver.example', ['93.184.216.34', '192.168.0.1']) // the name has moved
    const before = here.asked.length
    await here.pass(3 * 3_600_000)
    expect([here.asked.length, (await here.object.deliveries(id, null, null, 10)).data[0]?.last]).toEqual([before, 'refused_private'])
    here.names.delete('receiver.example')
    internet.current = () => new Response(null, { status: 410 })
    await here.pass(DAY)
    expect((await here.object.endpoints())[0]?.status).toBe('gone')
    put(here, page('b'))
    await here.settle()
    const told_ = here.asked.length
    await here.pass(DAY)
    expect(here.asked).toHaveLength(told_)
  })

  it('[V213] without a master key, or under one that opens nothing, a delivery says so and nothing is sent', async () => {
    const { here } = corpus()
    const { id } = await here.endpoint(URL_, ['document.ready'])
    put(here, page('a'))
    await here.settle()
    const parts = { network: here.network, agent: 'Loam/test', now: () => here.world.clock.now, corpus: here.object }
    const last: unknown[] = []
    for (const sealed of [null, vault('another-master-key')]) {
      const [delivery] = (await here.object.deliveries(id, 'pending', null, 10)).data
      await deliver({ ...parts, vault: sealed }, delivery?.delivery ?? '')
      last.push((await here.object.deliveries(id, 'pending', null, 10)).data[0]?.last)
      here.world.clock.now += DAY
    }
    expect([last, here.asked]).toEqual([['no_master_key', 'master_key_changed'], []])
  })

  it('[V48] a rotated secret signs beside the new one until its overlap has passed; no secret is stored unsealed', async () => {
    const { here } = corpus()
    const { id, secret } = await here.endpoint(URL_, ['document.ready'])
    const [record] = await here.object.endpoints()
    const fresh = 'whsec_bmV3IG5ldyBuZXcgbmV3IG5ldyBuZXcgbmV3IG5ldyE='
    const sealed = (await vault('a-master-key')?.seal(fresh, id)) ?? ''
    const until = here.world.clock.now + 1_000_000
    await here.object.renewEndpoint(id, [{ sealed, until: null }, ...(record?.secrets.map((one) => ({ ...one, until })) ?? [])])
    put(here, page('a'))
    await here.settle()
    await here.pass(1000)
    here.world.clock.now = until
    put(here, page('b'))
    await here.settle()
    await here.pass(1000)
    const signers = here.asked.map((one) => [verified(secret, one), verified(fresh, one)])
    expect(signers).toEqual([
      [true, true],
      [false, true],
    ])
    const rows = JSON.stringify(here.mortal.context.sql.all('SELECT * FROM endpoint'))
    for (const one of [secret, fresh]) expect(rows).not.toContain(one.slice(6, 20))
  })

  it('[V46] wherever the corpus dies, every event is delivered exactly once in the end', async () => {
    const wanted = await events(0)
    expect(wanted.filter((one) => one.startsWith('document.ready'))).toHaveLength(4)
    let died = 0
    for (let write = 1; write <= 60; write += 1) {
      const got = await events(write)
      if (lastDied) died++
      expect([write, got]).toEqual([write, wanted])
    }
    expect(died).toBeGreaterThan(40)
  })
})

let lastDied = false

/** Takes documents in and settles, dying at the n-th write. Sent document events, sorted; how often the corpus has settled depends on where it died. */
async function events(write: number): Promise<string[]> {
  const { here } = corpus()
  await here.endpoint(URL_)
  lastDied = false
  here.mortal.doom({ write })
  const steps = [() => put(here, page('a'), page('b')), () => put(here, page('b', 'A crane.'), page('c'))]
  for (const step of steps.flatMap((one) => [one, () => here.settle()])) {
    try {
      await step()
    } catch (error) {
      if (!here.mortal.dead()) throw error
      lastDied = true
      here.mortal = here.world.wake()
      await step() // a refused one asks again
    }
  }
  await here.settle()
  await here.pass(1_200_000)
  const ids = here.asked.map(({ headers }) => headers.get('webhook-id'))
  expect(new Set(ids).size).toBe(ids.length)
  return told(here.asked)
    .filter(({ type }) => type !== 'corpus.settled')
    .map(({ type, data }) => `${type} ${data.document} ${data.content_version}`)
    .sort()
}
