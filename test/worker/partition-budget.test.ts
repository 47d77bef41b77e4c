/** The budget of a corpus in partitions, kept for all of them together. */
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { corpusOf, seeingOf } from '../../src/adapters/corpus'
import { partOf } from '../../src/core/joint/part-of'
import { newUid, partitionUids } from '../../src/corpus-uid'
import { partitionedCorpus } from '../../src/flows/partitions/corpus'
import type { CorpusObject } from '../../src/ports/object'
import { bindings, config, doc, put } from './corpora'
import { call, corpus, succeeded } from './living'
import { ended, eventually } from './waiting'

const PARTS = 3
const { DB } = env as unknown as { DB: D1Database }
const page = (n: number) => ({ id: `page ${n}`, text: `The heron of page ${n} waits by the mill. It eats fish in year ${n}. `.repeat(20) })
const pages = (count: number) => Array.from({ length: count }, (_, n) => page(n))

const uidOf = async (base: string) => {
  const name = base.split('/').at(-1)
  return (await DB.prepare('SELECT uid FROM corpus WHERE name = ?').bind(name).first<string>('uid')) ?? ''
}
const usageOf = async (base: string) => (await call('GET', `${base}/usage`)).body
const releasedUsage = (base: string) =>
  eventually('the end of what is set aside', async () => {
    const usage = await usageOf(base)
    return usage.held.tokens === 0 ? usage : undefined
  })
const statusOf = (base: string, job: string) =>
  ended<{ status: string }>(job, async () => (await call('GET', `${base}/jobs/${job}?wait=20`)).body).then(({ status }) => status)

it('[P2310] a budget is a ceiling for all partitions and questions together; what waits for it continues when it is raised', async () => {
  const base = await corpus({ partitions: PARTS })
  expect(new Set(pages(9).map(({ id }) => partOf(id, PARTS))).size).toBe(PARTS)
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts: pages(3) })).body.job)
  const before = (await usageOf(base)).total.embedded
  // A bound of the cost in bytes exceeds what is left long before the estimate in tokens does.
  const each = Math.ceil(before / 3)
  const budget = before + 6 * each
  expect((await call('PUT', base, { budget: { tokens: budget } })).status).toBe(200)
  expect(await usageOf(base)).toMatchObject({ budget: { tokens: budget }, held: { tokens: 0 } })
  const jobs = [3, 4, 5, 6, 7, 8].map(async (n) => (await call('PUT', `${base}/documents/page ${n}`, { text: page(n).text })).body.job)
  const asked = Array.from({ length: 30 }, (_, n) => `Where does the heron of page ${n} wait, and what does it eat by the mill?`)
  const answers = Promise.all(asked.map((query) => call('POST', `${base}/query`, { query })))
  const ids = (await Promise.all(jobs)).filter((job) => job !== undefined)
  const ends = await Promise.all(ids.map((job) => statusOf(base, job)))
  expect(ends).toContain('paused_budget')
  expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set([200]))
  expect((await answers).some(({ body }) => body.degraded.includes('budget'))).toBe(true)
  const usage = await releasedUsage(base)
  expect(usage.total.embedded).toBeGreaterThan(before)
  expect(usage.total.embedded).toBeLessThanOrEqual(budget)
  expect((await call('GET', base)).body.status).toBe('paused_budget')
  await call('PUT', base, { budget: { tokens: budget * 40 } })
  for (const job of ids)
    expect(await eventually(job, async () => ((await statusOf(base, job)) === 'succeeded' ? 'succeeded' : undefined))).toBe('succeeded')
  await call('PUT', base, { budget: null })
  const { body } = await call('POST', `${base}/query`, { query: 'Where does the heron of page 1 wait?' })
  expect(body.degraded).toEqual([])
})

it('[V63] whoever looks right after a budget was raised sees that the work goes on', async () => {
  const uid = newUid()
  const object = bindings.CORPUS.getByName(uid) as CorpusObject
  await object.configure(config(uid))
  const upserts = pages(8).map(({ id, text }) => doc(id, text))
  const accepted = await object.accept({ kind: 'batch', upserts, deletes: [] })
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
  const { job } = accepted
  await object.configure({ ...config(uid), budget: { tokens: 1 } })
  await eventually('a pause', async () => ((await object.job(job, 0))?.status === 'paused_budget' ? true : undefined))
  const [, after] = await Promise.all([object.configure({ ...config(uid), budget: {} }), object.job(job, 0)])
  expect(after?.status).toBe('running')
})

it('[P2311] grants nothing until every partition has said what it had spent before there was a budget', async () => {
  const uid = newUid({ partitions: PARTS })
  const divided = corpusOf(bindings.CORPUS, uid)
  await divided.configure(config(uid))
  await put(divided, ...pages(6).map(({ id, text }) => doc(id, text)))
  const spent = (await divided.usage(null, 1, 'all')).total.embedded
  const capped = { ...config(uid), budget: { tokens: spent + 10_000 } }
  // The corpus's own object learns of the budget, and the second partition is down.
  const whole = bindings.CORPUS.getByName(uid) as CorpusObject
  const parts = partitionUids(uid).map((part) => corpusOf(bindings.CORPUS, part))
  const down = (object: CorpusObject): CorpusObject => ({ ...object, configure: () => Promise.reject(new Error('down')) })
  const failing = partitionedCorpus({ uid, whole, parts: parts.map((part, i) => (i === 1 ? down(part) : part)) })
  await expect(failing.configure(capped)).rejects.toThrow('down')
  const hold = { id: crypto.randomUUID(), max: { embed: { in: 0, out: 0, embedded: 10 } } }
  const before = await divided.reserve([hold])
  await divided.configure(capped)
  const after = await divided.reserve([hold])
  expect([before, after]).toEqual([[false], [true]])
  expect((await divided.usage(null, 1, 'all')).held.tokens).toBe(10)
})

it('[P2312] refuses documents that all partitions together cannot pay for, and keeps none of them', async () => {
  const base = await corpus({ partitions: PARTS })
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts: pages(3) })).body.job)
  const { total } = await usageOf(base)
  const each = total.embedded / 3
  await call('PUT', base, { budget: { tokens: Math.ceil(total.embedded + 4.5 * each) } })
  const batch = pages(9).slice(3)
  const refused = await call('POST', `${base}/documents:batch`, { upserts: batch })
  expect([refused.status, refused.body.code]).toEqual([402, 'over_budget'])
  expect([refused.body.estimate > refused.body.left, refused.body.left > 4 * each]).toEqual([true, true])
  const listed = (await call('GET', `${base}/documents`)).body.data
  expect(listed.map((one: { document: string }) => one.document)).toEqual(pages(3).map(({ id }) => id))
  expect((await call('POST', `${base}/estimate`, { documents: batch.map(({ text }) => ({ text })) })).status).toBe(200)
})

it('[P2313] counts what all have spent for alerts and for what is left', async () => {
  const base = await corpus({ partitions: PARTS })
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts: pages(3) })).body.job)
  const { total } = await usageOf(base)
  await call('PUT', `${base}/alerts`, { conditions: ['budget_80'] })
  await call('PUT', base, { budget: { tokens: total.embedded * 6 } })
  const uid = await uidOf(base)
  const raised = async () => (await seeingOf(bindings.CORPUS, uid).alerts()).raised.map(({ condition }) => condition)
  expect(await raised()).toEqual([])
  await succeeded(base, (await call('POST', `${base}/documents:batch`, { upserts: pages(5).slice(3) })).body.job)
  await releasedUsage(base)
  const figures = await seeingOf(bindings.CORPUS, uid).figures()
  const spent = (await usageOf(base)).total.embedded
  expect(figures?.left.tokens).toBe(total.embedded * 6 - spent)
  await call('PUT', base, { budget: { tokens: Math.floor(spent * 1.1) } })
  await eventually('the alert', async () => (await raised()).includes('budget_80') || undefined)
})
