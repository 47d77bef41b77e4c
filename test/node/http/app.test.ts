/** The HTTP face against a world in memory: what fuzzing finds, what an outage does, what is stored at rest. */
import { describe, expect, it } from 'vitest'
import { corpusOf } from '../../../src/adapters/corpus'
import { operations } from '../../../src/contract/operations'
import { createApp } from '../../../src/http/app'
import { problemOf } from '../../../src/http/failures'
import { noRoute } from '../../../src/http/no-route'
import { d1Errors, objectErrors } from '../../../src/platform-limits'
import type { Models } from '../../../src/ports/models'
import { evidence } from '../../core/flows/fakes'
import { faultOf, fuzzedRequests, type Reference } from '../../worker/http-fuzz'
import { eventually } from '../../worker/waiting'
import { ADMIN, type FakeWorld, fakeWorld } from './world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }

function client(world: FakeWorld) {
  const app = createApp(() => world.wired)
  return async (method: string, path: string, init: { body?: BodyInit; headers?: Record<string, string>; key?: string } = {}) => {
    const { key = ADMIN, headers, body } = init
    const sent = { method, headers: { authorization: `Bearer ${key}`, ...headers }, ...(body === undefined ? {} : { body }) }
    return app.fetch(new Request(`https://loam.test${path}`, sent), {}, context)
  }
}

const json = { 'content-type': 'application/json' }

describe('a write that waits', () => {
  it('[J2] is answered when its job has ended, or with its present state when the time is up', async () => {
    const world = fakeWorld()
    const send = client(world)
    await send('PUT', '/v1/corpora/town', { body: '{}', headers: json })
    const body = '{"text":"The mill grinds."}'
    const put = async (query: string): Promise<[number, unknown]> => {
      const response = await send('PUT', `/v1/corpora/town/documents/mill${query}`, { body, headers: json })
      return [response.status, await response.json()]
    }
    expect(await put('')).toEqual([202, { document: 'mill', job: 'j_1' }])
    expect(await put('?wait=5')).toEqual([200, { document: 'mill', job: 'j_1', status: 'succeeded' }])
    const corpus = world.wired.corpus
    const slow = { ...world, wired: { ...world.wired, corpus: (uid: string) => ({ ...corpus(uid), job: async () => null }) } }
    const late = await client(slow as FakeWorld)('DELETE', '/v1/corpora/town/documents/mill?wait=1')
    expect([late.status, await late.json()]).toEqual([202, { job: 'j_1', status: 'queued' }])
  })
})

describe('where no route is', () => {
  it.each([
    ['GET', '/v1/corpora/town/query', 405, 'POST', 'This path accepts POST.'],
    ['POST', '/v1/corpora', 405, 'GET', 'This path accepts GET; did you mean PUT /v1/corpora/{corpus}?'],
    ['POST', '/v1/corpora/town/ask', 404, null, 'There is no such route; did you mean POST /v1/corpora/{corpus}/query?'],
    ['POST', '/v1/corpora/town/serach', 404, null, 'There is no such route; did you mean POST /v1/corpora/{corpus}/search?'],
    ['GET', '/v1/corpora/town/docs', 404, null, 'There is no such route; did you mean GET /v1/corpora/{corpus}/documents?'],
    ['POST', '/v1/corpora/town:reindx', 404, null, 'There is no such route; did you mean POST /v1/corpora/{corpus}:reindex?'],
    ['GET', '/health', 404, null, 'There is no such route; did you mean GET /healthz?'],
    ['POST', '/api/generate', 404, null, 'There is no such route; GET /openapi.json lists all routes, and /docs shows them.'],
  ])('[D1910] %s %s is told what there is', async (method, path, status, allow, detail) => {
    const response = await client(fakeWorld())(method, path, { body: method === 'GET' ? undefined : '{}', headers: json })
    expect([response.status, response.headers.get('allow')]).toEqual([status, allow])
    expect(await response.json()).toMatchObject({ code: status === 405 ? 'method_not_allowed' : 'not_found', detail })
  })

  it('[D1910] every route is found by its own path and method, so that none is called another', () => {
    for (const { method, path } of Object.values(operations)) {
      const sent = path.replace(/\{\w+\}/g, 'some')
      const others = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'].filter((one) => one !== method)
      if (sent.includes(':')) continue // an action: of another method it is an id with a colon, or misspelt
      for (const other of others) expect([path, noRoute(other, sent).more.allow]).toEqual([path, expect.arrayContaining([method])])
    }
  })
})

describe('the read model', () => {
  it('[H60] is waited for, and where it does not come in five seconds the answer is 503 with a time to come back', async () => {
    const world = fakeWorld()
    const { corpus, listings } = world.wired
    await client(world)('PUT', '/v1/corpora/town', { body: '{}', headers: json })
    const list = async (versionAt: (ms: number) => number) => {
      const began = world.clock.now
      const wired = {
        ...world.wired,
        corpus: (uid: string) => {
          const object = corpus(uid)
          const drain = async () => ({ left: 1 })
          return { ...object, drain, view: async () => ({ ...(await object.view()), version: 3 }) }
        },
        listings: {
          ...listings,
          version: async () => {
            world.clock.now += 1500
            return versionAt(world.clock.now - began)
          },
        },
      }
      const response = await client({ ...world, wired } as unknown as FakeWorld)('GET', '/v1/corpora/town/entities')
      return [response.status, response.headers.get('retry-after'), (await response.json()).version]
    }
    expect(await list((ms) => (ms > 2000 ? 3 : 2))).toEqual([200, null, 3])
    expect(await list((ms) => (ms > 9000 ? 3 : 2))).toEqual([503, '2', undefined])
  })

  it('[H106] a fault of D1 says when to come back, as long as it was seen to last', () => {
    const seconds = (['lost', 'overloaded', 'heavy', 'full'] as const).map((fault) => {
      const { code, more } = problemOf(new Error(`D1_ERROR: ${d1Errors[fault][0]}`))
      return [fault, code, more.retryAfter]
    })
    expect(seconds).toEqual([
      ['lost', 'unavailable', 2],
      ['overloaded', 'overloaded', 10],
      ['heavy', 'unavailable', 80],
      ['full', 'database_full', undefined],
    ])
  })
})

describe('whatever is sent', () => {
  it('[H80] [H1921] fuzzed requests to every route of the reference are answered as it says, none with 500', async () => {
    const world = fakeWorld()
    const send = client(world)
    await send('PUT', '/v1/corpora/fuzz', { body: '{"strategies":["gorag"]}', headers: json })
    const reference: Reference = await (await send('GET', '/openapi.json')).json()
    const seen = new Map<number, number>()
    const wrong: unknown[] = []
    for (const request of fuzzedRequests(reference, { seed: 80, perRoute: 40, known: { corpus: 'fuzz', model: 'fuzz' } })) {
      // The other routes need the corpus; what it may be refused for is asked of one that is not there.
      const path = request.operation === 'deleteCorpus' ? request.path.replace('fuzz', 'none') : request.path
      const response = await send(request.method, path, { headers: request.headers, body: request.body as BodyInit })
      const text = await response.text()
      seen.set(response.status, (seen.get(response.status) ?? 0) + 1)
      const fault = faultOf(reference, request, response.status, text)
      if (fault !== undefined) wrong.push([fault, response.status, request.method, path, request.headers, request.body, text])
    }
    expect(wrong).toEqual([])
    // The fuzz is of use only if it reaches behind the door as well as to it.
    expect([200, 202, 404, 409, 413, 415, 422].filter((status) => !seen.has(status))).toEqual([])
    expect(seen.get(422)).toBeGreaterThan(1500)
    expect((seen.get(200) ?? 0) + (seen.get(202) ?? 0) + (seen.get(201) ?? 0)).toBeGreaterThan(500)
  })
})

describe('outages', () => {
  it('[H1930] readiness asks the databases once in five seconds, and says which does not answer', async () => {
    const world = fakeWorld()
    let asked = 0
    let left: string | null | Error = 'DATA_0'
    const pool = {
      limit: 1,
      chooseDedicated: async () => null,
      choose: async () => {
        asked++
        if (left instanceof Error) throw left
        return left
      },
    }
    const app = createApp(() => ({ ...world.wired, pool }))
    const ready = async (later = 5000) => {
      world.clock.now += later
      const response = await app.fetch(new Request('https://loam.test/readyz'), {}, context)
      const { status, control, data } = await response.json()
      return [response.status, status, control, data, response.headers.get('retry-after')]
    }
    expect(await ready()).toEqual([200, 'ready', 'ok', 'ok', null])
    left = null
    expect([await ready(4999), asked, await ready(1)]).toEqual([[200, 'ready', 'ok', 'ok', null], 1, [200, 'ready', 'ok', 'full', null]])
    left = new Error('D1_ERROR: Network connection lost.')
    world.outage.error = left
    expect(await ready()).toEqual([503, 503, 'ok', 'unavailable', '5'])
  })

  it('[V75] while the catalogue is down a known key is served, and an unknown one is 503 with a time to come back', async () => {
    const world = fakeWorld()
    const send = client(world)
    await send('PUT', '/v1/corpora/here', { body: '{}', headers: json })
    const { key } = await (await send('POST', '/v1/keys', { body: '{"name":"k","scopes":["read"],"corpora":["*"]}', headers: json })).json()
    const ask = (bearer: string) => send('POST', '/v1/corpora/here/search', { key: bearer, body: '{"query":"x"}', headers: json })
    expect((await ask(key)).status).toBe(200)
    world.outage.error = new Error('D1_ERROR: Network connection lost.')
    world.clock.now += 3_600_000
    expect((await ask(key)).status).toBe(200)
    const other = await ask(`loam_0123456789abcdef_${'A'.repeat(43)}`)
    expect([other.status, other.headers.get('retry-after')]).toEqual([503, '2'])
  })

  it('[H80] a corpus whose object cannot be reached is listed as unavailable, and hides no other', async () => {
    const world = fakeWorld()
    const send = client(world)
    for (const name of ['a', 'b', 'c']) await send('PUT', `/v1/corpora/${name}`, { body: '{}', headers: json })
    const { corpus } = world.wired
    const broken = world.corpora.get('b')?.uid
    const view = () => Promise.reject(new Error('Durable Object storage is corrupted'))
    Object.assign(world.wired, { corpus: (uid: string) => (uid === broken ? { ...corpus(uid), view } : corpus(uid)) })
    const response = await send('GET', '/v1/corpora')
    const { data }: { data: { corpus: string; status: string; version: number }[] } = await response.json()
    expect([response.status, data.map((one) => [one.corpus, one.status, one.version])]).toEqual([
      200,
      [
        ['a', 'settled', 0],
        ['b', 'unavailable', 0],
        ['c', 'settled', 0],
      ],
    ])
    expect((await send('GET', '/v1/corpora/b')).status).toBe(503)
  })

  it('[H13] a key revoked elsewhere is refused within a minute', async () => {
    const world = fakeWorld()
    const send = client(world)
    await send('PUT', '/v1/corpora/here', { body: '{}', headers: json })
    const { id, key } = await (
      await send('POST', '/v1/keys', { body: '{"name":"k","scopes":["read"],"corpora":["*"]}', headers: json })
    ).json()
    expect((await send('GET', '/v1/corpora/here', { key })).status).toBe(200)
    world.keys.delete(id)
    world.clock.now += 59_000
    expect((await send('GET', '/v1/corpora/here', { key })).status).toBe(401)
  })

  it('[H80] a busy or lost object is 503 with a time to come back, and its message is not passed on', async () => {
    const world = fakeWorld()
    const send = client(world)
    await send('PUT', '/v1/corpora/here', { body: '{}', headers: json })
    const failing = (flags: object) => {
      world.wired.corpus((world.corpora.get('here') as { uid: string }).uid).documents = () =>
        Promise.reject(Object.assign(new Error('secret text of a document'), flags))
      return send('GET', '/v1/corpora/here/documents')
    }
    const answers = [await failing({ retryable: true }), await failing({ overloaded: true }), await failing({})]
    expect(answers.map((one) => [one.status, one.headers.get('retry-after')])).toEqual([
      [503, '2'],
      [503, '10'],
      [500, null],
    ])
    for (const one of answers) expect(await one.text()).not.toContain('secret')
    const seconds = { overloaded: '10', replaced: '2', updated: '2', reset: '10' }
    for (const [fault, messages] of Object.entries(objectErrors)) {
      for (const message of messages) {
        const answer = await failing({ message: `${message}. secret` })
        expect([message, answer.status, answer.headers.get('retry-after')]).toEqual([message, 503, seconds[fault as keyof typeof seconds]])
        expect(await answer.text()).not.toContain('secret')
      }
    }
  })

  it('[H80] a call that may be repeated is made once more to the instance that replaced another, by a new stub; any other is not', async () => {
    /** Each stub fails in its own way, `undefined`: it answers. The calls that were made. */
    const calls = async (name: 'view' | 'accept', faults: readonly (string | undefined)[]) => {
      const made: string[] = []
      let stubs = 0
      const call = (own: number) => async () => {
        made.push(`stub ${own}`)
        const message = faults[own]
        if (message) throw new Error(message)
        return 'answered'
      }
      const namespace = { getByName: () => ({ [name]: call(stubs++) }) }
      const answer = await (corpusOf(namespace, 'u')[name] as () => Promise<unknown>)().catch((error: Error) => error.message)
      return [answer, ...made]
    }
    for (const gone of [...objectErrors.replaced, ...objectErrors.updated]) {
      expect(await calls('view', [`${gone}.`])).toEqual(['answered', 'stub 0', 'stub 1'])
      expect(await calls('view', [`${gone}.`, `${gone}.`])).toEqual([`${gone}.`, 'stub 0', 'stub 1'])
      expect(await calls('accept', [`${gone}.`])).toEqual([`${gone}.`, 'stub 0'])
    }
    for (const busy of [...objectErrors.overloaded, ...objectErrors.reset, 'a broken promise of ours']) {
      expect(await calls('view', [busy])).toEqual([busy, 'stub 0'])
    }
  })
})

describe('a reader who leaves', () => {
  it('[F40] a streamed answer ends the model’s call, also before its first word', async () => {
    for (const words of [['One ', 'two '], []]) {
      const world = fakeWorld()
      let signal: AbortSignal | undefined
      const models: Models = {
        ...world.wired.models,
        text: { id: 'writer', window: 8000 },
        stream: async (_messages, options) => {
          signal = options.signal
          const gone = new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))
          gone.catch(() => undefined) // heard when the words are out
          if (words.length === 0) return gone
          async function* deltas() {
            yield* words
            await gone
          }
          return { deltas: deltas(), spent: () => ({ in: 1, out: 1, embedded: 0 }) }
        },
      }
      const corpus = world.wired.corpus
      const found = evidence('p_1', 'paris', 'Paris lies on the Seine.')
      const retrieve = async () => ({ kind: 'evidence' as const, evidence: [found], version: 1, frequencies: [], passages: 0 })
      const wired = { ...world.wired, models, corpus: (uid: string) => ({ ...corpus(uid), retrieve }) }
      const send = client({ ...world, wired })
      await send('PUT', '/v1/corpora/city', { body: '{}', headers: json })
      const response = await send('POST', '/v1/corpora/city/query', { body: '{"query":"Where?","stream":true}', headers: json })
      const reader = response.body?.getReader()
      for (let n = 0; n <= words.length; n++) await reader?.read()
      await eventually('the model to be asked', () => signal)
      expect(signal?.aborted).toBe(false)
      await reader?.cancel()
      await eventually('the call to end', () => signal?.aborted || undefined)
    }
  })
})

describe('what is stored of an answer', () => {
  it('[H50] a stored answer reveals neither the caller’s key, the new key nor the name of the request', async () => {
    const world = fakeWorld()
    const send = client(world)
    const headers = { ...json, 'idempotency-key': 'name-of-the-request' }
    const minted = await send('POST', '/v1/keys', { body: '{"name":"k","scopes":["read"],"corpora":["*"]}', headers })
    const { key } = await minted.json()
    const stored = JSON.stringify([...world.answers])
    expect([stored.includes(ADMIN), stored.includes(key), stored.includes('name-of'), stored.includes('"name"')]).toEqual([
      false,
      false,
      false,
      false,
    ])
    expect(world.answers.size).toBe(1)
    world.clock.now += 86_400_001
    const later = await (await send('POST', '/v1/keys', { body: '{"name":"k","scopes":["read"],"corpora":["*"]}', headers })).json()
    expect(later.key).not.toBe(key)
  })

  it('[H50] a request that never ended blocks its repeat for a minute, not for a day', async () => {
    const world = fakeWorld()
    const send = client(world)
    await send('PUT', '/v1/corpora/here', { body: '{}', headers: json })
    const object = world.wired.corpus((world.corpora.get('here') as { uid: string }).uid)
    const accept = object.accept
    let reached: () => void = () => undefined
    const begun = new Promise<void>((resolve) => {
      reached = resolve
    })
    object.accept = () => {
      reached()
      return new Promise(() => undefined)
    }
    const put = () => send('PUT', '/v1/corpora/here/documents/a', { body: '{"text":"x"}', headers: { ...json, 'idempotency-key': 'k' } })
    void put()
    await begun
    expect((await put()).status).toBe(409)
    object.accept = accept
    world.clock.now += 61_000
    expect((await put()).status).toBe(202)
  })
})

it('[P1760] the job of a corpus that is being cleared away is told at every moment, also between two of its objects', async () => {
  const world = fakeWorld()
  const seen: string[] = []
  let state: 'clearing' | 'cleared' = 'clearing'
  const catalogue = { ...world.wired.catalogue, dropped: async () => ({ uid: 'u1', state }) }
  const corpus: typeof world.wired.corpus = (uid) => ({
    ...world.wired.corpus(uid),
    job: async () => null,
    reconcile: async () => 'clearing' as const,
  })
  const app = createApp(() => ({ ...world.wired, catalogue, corpus }))
  const look = async () => {
    const request = new Request('https://loam.test/v1/corpora/gone/jobs/j1', { headers: { authorization: `Bearer ${ADMIN}` } })
    const response = await app.fetch(request, {}, context)
    const { status } = (await response.json()) as { status: string }
    seen.push(`${response.status} ${status}`)
  }
  await look()
  state = 'cleared'
  await look()
  expect(seen).toEqual(['200 running', '200 succeeded'])
})
