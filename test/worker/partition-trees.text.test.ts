/** EraRAG in partitions where a text model writes the summaries: each partition asks for its own, and all pay from one budget. */
import { env } from 'cloudflare:workers'
import { afterEach, expect, it } from 'vitest'
import type { Control } from '../../local/workerd/control'
import { call, corpus, succeeded } from './living'
import { ended, eventually } from './waiting'

const PARTS = 2
const { CONTROL } = env as unknown as { CONTROL: Control }
const SHARED = 'The keepers of Ellis count birds at the mill pond every morning.'
const BIRDS = ['heron', 'kestrel', 'wren', 'plover']
const WRITTEN = 'Every morning the keepers of Ellis count birds at the mill pond.'
const SUMMARIES = [{ match: 'State only what the material states', reply: WRITTEN, repeat: true }]
const upserts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => {
    const n = from + i
    return { id: `note-${n}`, text: `${SHARED} On day ${n} they saw the ${BIRDS[n % BIRDS.length]} of weir ${n}.` }
  })
const batch = async (base: string, from: number, to: number): Promise<string> =>
  (await call('POST', `${base}/documents:batch`, { upserts: upserts(from, to) })).body.job
const segmentsOf = async (base: string): Promise<{ partition: number; text: string; data: { generator?: string } }[]> =>
  (await call('GET', `${base}/segments?layer=1&limit=100`)).body.data
const usageOf = async (base: string) => (await call('GET', `${base}/usage`)).body

afterEach(() => CONTROL.script([]))

it('[P2393] the model writes the summaries of every partition, and a question is answered from them', async () => {
  await CONTROL.script(SUMMARIES)
  const base = await corpus({ partitions: PARTS, strategies: ['erarag'] })
  await succeeded(base, await batch(base, 0, 60))
  const written = await eventually('summaries of every partition', async () => {
    const all = await segmentsOf(base)
    return all.length > 4 && all.every(({ data }) => data.generator === 'model') ? all : undefined
  })
  expect(new Set(written.map(({ partition }) => partition))).toEqual(new Set([0, 1]))
  expect(new Set(written.map(({ text }) => text))).toEqual(new Set([WRITTEN]))
  const options = { mode: 'summarised', p: 0.5 }
  const query = 'What do the keepers of Ellis count at the mill pond?'
  const { body } = await call('POST', `${base}/search`, { query, strategy: 'erarag', top_k: 20, options })
  expect(body.evidence.filter((one: { kind: string; text: string }) => one.kind === 'summary' && one.text === WRITTEN)).not.toEqual([])
})

it('[P2393] what they write is paid from the budget of the whole, which they never exceed; raised, the rest is written', async () => {
  await CONTROL.script(SUMMARIES)
  const base = await corpus({ partitions: PARTS, strategies: ['erarag'] })
  await succeeded(base, await batch(base, 0, 20))
  await eventually('what was set aside', async () => ((await usageOf(base)).held.tokens === 0 ? true : undefined))
  const { total } = await usageOf(base)
  const spent = total.in + total.out + total.embedded
  expect(total.out).toBeGreaterThan(0)
  const budget = Math.ceil(1.6 * spent)
  expect((await call('PUT', base, { budget: { tokens: budget } })).status).toBe(200)
  const puts = await Promise.all(upserts(20, 60).map(({ id, text }) => call('PUT', `${base}/documents/${id}`, { text })))
  const jobs = puts.flatMap(({ body }) => body.job ?? [])
  const statusOf = async (job: string): Promise<string> => {
    const { status } = await ended<{ status: string }>(job, async () => (await call('GET', `${base}/jobs/${job}?wait=20`)).body)
    return status
  }
  expect(await Promise.all(jobs.map(statusOf))).toContain('paused_budget')
  const capped = await eventually('the end of what is set aside', async () => {
    const usage = await usageOf(base)
    return usage.held.tokens === 0 ? usage : undefined
  })
  expect(capped.total.in + capped.total.out + capped.total.embedded).toBeLessThanOrEqual(budget)
  expect((await call('PUT', base, { budget: { tokens: 100 * budget } })).status).toBe(200)
  for (const job of jobs)
    expect(await eventually(job, async () => ((await statusOf(job)) === 'succeeded' ? 'succeeded' : undefined))).toBe('succeeded')
  const all = await eventually('all summaries', async () => {
    const segments = await segmentsOf(base)
    return segments.every(({ data }) => data.generator === 'model') ? segments : undefined
  })
  expect(all.length).toBeGreaterThan(6)
})
