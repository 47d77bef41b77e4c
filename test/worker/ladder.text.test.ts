/** Each service broken in the running worker: what a question still gets, and that it says so. */
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Env } from '../../src/env'
import worker from '../../src/worker'
import { ahead } from './clock'
import { ended, eventually } from './waiting'

const world = env as unknown as Env & {
  readonly CONTROL: {
    breakAi(n: number | true, code?: number, model?: string): Promise<void>
    breakVectorize(n: number | true): Promise<void>
    script(replies: readonly { match?: string; reply?: string; fault?: number; repeat?: boolean }[]): Promise<void>
    delay(ms: number | null): Promise<void>
    calls(): Promise<{ op: string }[]>
  }
}
const { CONTROL } = world
const DOWN = 3043
const QUOTA = 3036
const BASE = '/v1/corpora/ladder'
const QUESTION = 'When is bread baked at the mill?'

async function call(method: string, path: string, body?: unknown, given: Partial<Env> = {}) {
  const headers = { authorization: 'Bearer local-development-key', 'content-type': 'application/json' }
  const request = new Request(`https://loam.test${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], { ...world, ...given }, createExecutionContext())
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions
  const parsed: any = /json$/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : null
  return { status: response.status, headers: response.headers, text, body: parsed }
}

const search = async (more: object = {}, given: Partial<Env> = {}) =>
  (await call('POST', `${BASE}/search`, { query: QUESTION, top_k: 3, ...more }, given)).body
const query = async (more: object = {}) => (await call('POST', `${BASE}/query`, { query: QUESTION, top_k: 3, ...more })).body
const documents = (body: { evidence: { document: string | null }[] }) => body.evidence.map((one) => one.document)

async function put(id: string, text: string): Promise<string> {
  const { body } = await call('PUT', `${BASE}/documents/${id}`, { text })
  const { status } = await ended<{ status: string }>(body.job, async () => (await call('GET', `${BASE}/jobs/${body.job}?wait=20`)).body)
  return status
}

const lost = () => Promise.reject(new Error('D1_ERROR: Network connection lost.'))
const statement = (): unknown => ({ bind: statement, all: lost, first: lost, run: lost, raw: lost })
const lostDatabase = { prepare: statement, batch: lost, exec: lost } as unknown as D1Database
const NO_D1 = { DB: lostDatabase, DATA_0: lostDatabase }

const WRITES = [{ match: 'numbered sources', reply: 'Bread is baked on Tuesdays [1].', repeat: true }]

beforeAll(async () => {
  expect((await call('PUT', BASE, { strategies: [] })).status).toBe(201)
  expect(await put('mill', 'Bread is baked at the mill on Tuesdays. The miller sells it at noon.')).toBe('succeeded')
  expect(await put('road', 'The road to the harbour was paved in 1911. Ships wait there.')).toBe('succeeded')
  expect(await put('well', 'The well behind the mill is deep. Nobody drinks from it.')).toBe('succeeded')
})

afterEach(async () => {
  await CONTROL.breakAi(0)
  await CONTROL.breakVectorize(0)
  await CONTROL.script([])
  await CONTROL.delay(null)
})

describe('the ladder', () => {
  it('[F20] with everything up an answer is written, and nothing is flagged', async () => {
    await CONTROL.script(WRITES)
    expect(await query()).toMatchObject({ generator: 'model', degraded: [], grounded: true })
  })

  it.each([
    ['down', DOWN],
    ['over its quota', QUOTA],
  ])('[F20] the text model %s: the answer is extracted from the evidence, cited, and flagged, whole or streamed', async (_, code) => {
    await CONTROL.breakAi(true, code, 'scripted')
    const whole = await query()
    expect(whole).toMatchObject({ generator: 'extractive', degraded: ['text_model'], grounded: true })
    expect([whole.answer, whole.citations[0].document]).toEqual([expect.stringContaining('Tuesdays'), 'mill'])
    const streamed = await call('POST', `${BASE}/query`, { query: QUESTION, stream: true })
    expect([streamed.status, streamed.text.includes('"generator":"extractive"'), streamed.text.includes('"text_model"')]).toEqual([
      200,
      true,
      true,
    ])
  })

  it('[F20] the reranker down: the fused order stands, flagged', async () => {
    const fused = await search({ options: { rerank: false } })
    await CONTROL.breakAi(true, DOWN, 'scored')
    const without = await search({ options: { rerank: 1 } })
    expect([documents(without), without.degraded]).toEqual([documents(fused), ['reranker']])
    expect((await search()).degraded).toEqual([]) // nothing is known of it here: it is not asked
    await CONTROL.breakAi(0)
    await CONTROL.calls()
    expect((await search({ options: { rerank: 1 } })).degraded).toEqual([])
    expect((await CONTROL.calls()).some((one) => one.op === 'rerank')).toBe(true)
  })

  it('[J24] the vector index down: the object scans its own vectors and finds the same, flagged; documents still come in', async () => {
    const before = await search({ strategy: 'vector' })
    await CONTROL.breakVectorize(true)
    const scanned = await search({ strategy: 'vector' })
    expect([documents(scanned), scanned.degraded]).toEqual([documents(before), ['index']])
    expect(await put('late', 'A lighthouse keeper counts whales at dusk.')).toBe('succeeded')
    expect(documents(await search({ strategy: 'vector', query: 'A lighthouse keeper counts whales' }))[0]).toBe('late')
  })

  it('[J23] the vector index an hour behind: what it does not show yet is found at once', async () => {
    await CONTROL.delay(3_600_000)
    expect(await put('fresh', 'A glass blower shapes lamps for the theatre.')).toBe('succeeded')
    const found = await search({ strategy: 'vector', query: 'A glass blower shapes lamps' })
    expect([documents(found)[0], found.degraded]).toEqual(['fresh', []])
  })

  it('[F20] the embedding model down: words alone find, flagged', async () => {
    await CONTROL.breakAi(true, QUOTA, 'hash')
    for (const strategy of ['vector', 'auto']) {
      const found = await search({ strategy })
      expect([documents(found)[0], found.degraded]).toEqual(['mill', ['embedding']])
    }
  })

  it('[V75] D1 down: searches and answers go on, long after what was remembered of the corpus was fresh; listings say when to come back', async () => {
    const before = await search()
    const { after, answered, listed } = await ahead(600_000, async () => ({
      after: await search({}, NO_D1),
      answered: await call('POST', `${BASE}/query`, { query: QUESTION }, NO_D1),
      listed: await call('GET', `${BASE}/entities`, undefined, NO_D1),
    }))
    expect([documents(after), after.degraded]).toEqual([documents(before), []])
    expect([answered.status, answered.body.evidence.length > 0]).toEqual([200, true])
    expect([listed.status, Number(listed.headers.get('retry-after')) > 0]).toEqual([503, true])
  })
})

it('[F40] a reader who leaves in the middle of a stream ends the model’s call', async () => {
  let [cancelled, signal] = [false, undefined as AbortSignal | undefined]
  const endless = () => {
    let n = 0
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        if (++n > 3) return new Promise<void>(() => {}) // the model thinks
        controller.enqueue(new TextEncoder().encode('data: {"response":"Bread is baked "}\n\n'))
      },
      cancel: () => {
        cancelled = true
      },
    })
  }
  const AI = {
    run: async (model: string, inputs: { stream?: boolean }, options?: { signal?: AbortSignal }) => {
      if (!inputs.stream) return world.AI.run(model, inputs)
      signal = options?.signal
      return endless()
    },
  }
  const request = new Request(`https://loam.test${BASE}/query`, {
    method: 'POST',
    headers: { authorization: 'Bearer local-development-key', 'content-type': 'application/json' },
    body: JSON.stringify({ query: QUESTION, top_k: 3, stream: true }),
  }) as Parameters<typeof worker.fetch>[0]
  const response = await worker.fetch(request, { ...world, AI, AI_SIGNAL: '' } as typeof world, createExecutionContext())
  const reader = response.body?.getReader()
  let text = ''
  while (text.split('event: delta').length <= 3) text += new TextDecoder().decode((await reader?.read())?.value)
  expect([cancelled, signal?.aborted]).toEqual([false, false])
  await reader?.cancel()
  await eventually('the model to hear of it', () => cancelled || undefined, 10_000) // not when the model has been silent for too long
})
