/** A key of one corpus learns nothing about another: over every route of the reference, so that new routes are asked by themselves. */
import { describe, expect, it } from 'vitest'
import { createApp } from '../../../src/http/app'
import type { Operation } from '../../../src/http/operation'
import { operations } from '../../../src/http/routes'
import type { Wired } from '../../../src/http/wired'
import { ADMIN, fakeWorld } from './world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
// Of one length, and no words a description may use.
const [MINE, THEIRS, NOBODY] = ['mine', 'theirs-7q', 'nobody-7q'] as const

/** Every call to a port, by name, in order: what a request costs, and so how long it takes. */
function traced(wired: Wired, calls: string[]): Wired {
  const through = (name: string, port: unknown): unknown =>
    typeof port !== 'object' || port === null
      ? port
      : new Proxy(port, {
          get(target, key) {
            const value: unknown = Reflect.get(target, key)
            if (typeof value !== 'function' || typeof key === 'symbol') return value
            return (...given: unknown[]) => {
              calls.push(`${name}.${key}`)
              return value.apply(target, given)
            }
          },
        })
  const ports = Object.entries(wired).map(([name, port]) => [name, name === 'models' ? port : through(name, port)] as const)
  const object = (uid: string) => {
    calls.push('corpus')
    return through('object', wired.corpus(uid))
  }
  const limit: Wired['limit'] = (key) => {
    calls.push('limit')
    return wired.limit(key)
  }
  return { ...(Object.fromEntries(ports) as unknown as Wired), corpus: object as Wired['corpus'], limit, now: wired.now }
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: string
  readonly calls: readonly string[]
}

async function house() {
  const world = fakeWorld()
  const calls: string[] = []
  const app = createApp(() => traced(world.wired, calls))
  const send = async (method: string, path: string, key: string | null, body?: unknown, type = 'application/json'): Promise<Answer> => {
    calls.length = 0
    const headers = {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': type }),
      accept: 'application/json, text/event-stream',
      'x-request-id': 'one',
    }
    const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await app.fetch(new Request(`https://loam.test${path}`, { method, headers, ...text }), {}, context)
    const plain = (said: string): string =>
      said.replaceAll(new RegExp(`\\b(${THEIRS}|${NOBODY})\\b`, 'g'), 'NAME').replaceAll(/chatcmpl-[\w-]+/g, 'ID')
    return {
      status: response.status,
      body: plain(await response.text()),
      headers: plain(JSON.stringify([...response.headers].sort())),
      calls: [...calls],
    }
  }
  for (const name of [MINE, THEIRS]) await send('PUT', `/v1/corpora/${name}`, ADMIN, { strategies: ['gorag'] })
  await send('PUT', '/v1/corpora/open', ADMIN, { public: true })
  const { hook } = JSON.parse((await send('POST', `/v1/corpora/${THEIRS}/hooks`, ADMIN, { preset: 'standard' })).body)
  const minted = async (...scopes: string[]): Promise<string> =>
    JSON.parse((await send('POST', '/v1/keys', ADMIN, { name: 'k', scopes, corpora: [MINE] })).body).key
  const keys = { read: await minted('read'), write: await minted('read', 'write'), admin: await minted('admin'), none: null }
  return { world, send, hook: String(hook), keys }
}

/** A request this route would answer in a corpus of that name. */
function request({ method, path, body }: Operation, corpus: string, ids: { readonly hook: string }): [string, string, unknown, string] {
  const at = path
    .replace('{corpus}', corpus)
    .replace('{model}', corpus)
    .replace('{hook}', ids.hook)
    .replace('{job}', 'j_1')
    .replaceAll(/\{\w+\}/g, 'x')
  const named = JSON.stringify(body?.example)
    ?.replaceAll(/"model":"[\w-]+/g, `"model":"${corpus}`)
    .replace(/"corpora":\[[^\]]*\]/, `"corpora":["${corpus}"]`)
  return [method.toUpperCase(), at, body ? (named ?? '{}') : undefined, body?.type ?? 'application/json']
}

const inCorpus = operations.filter(
  ({ path, id }) =>
    path.includes('{corpus}') ||
    path.includes('{model}') ||
    id.toLowerCase().includes('chat') ||
    ['searchCorpora', 'queryCorpora'].includes(id),
)
const tools = ['search', 'ask', 'get_document', 'fetch', 'explore_entity', 'add_document', 'delete_document']

describe('a key of one corpus', () => {
  it('[V90] learns nothing of another corpus over any route: status, body, headers and calls are those of one that does not exist', async () => {
    const { send, keys } = await house()
    expect(inCorpus.length).toBeGreaterThan(35)
    for (const [kind, key] of Object.entries(keys)) {
      await send('GET', `/v1/corpora/${MINE}`, key) // the key is known from now on
      for (const operation of inCorpus) {
        for (let time = 0; time < 3; time++) {
          const [there, absent] = [
            await send(...spread(request(operation, THEIRS, { hook: 'wh_x' }), key)),
            await send(...spread(request(operation, NOBODY, { hook: 'wh_x' }), key)),
          ]
          expect([kind, operation.id, time, there]).toEqual([kind, operation.id, time, absent])
          // PUT of a corpus is the one route on which a name that is free may be taken, by who may have it.
          expect([kind, operation.id, there.status >= 400 && there.status < 500]).toEqual([kind, operation.id, true])
        }
      }
      for (const name of tools) {
        const call = (corpus: string) => {
          const given = { corpus, query: 'x', question: 'x', id: 'x', document: 'x', name: 'x', text: 'x' }
          return send('POST', '/mcp', key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } })
        }
        expect([kind, name, await call(THEIRS)]).toEqual([kind, name, await call(NOBODY)])
      }
    }
  })

  it('[V90] is shown no other by any list, and finds no other’s parts under its own name', async () => {
    const { send, keys, hook } = await house()
    for (const operation of operations.filter(({ path, method }) => method === 'get' && !path.includes('{'))) {
      const { body } = await send('GET', operation.path, keys.admin)
      expect([operation.id, body.includes('NAME')]).toEqual([operation.id, false])
    }
    for (const operation of inCorpus.filter(({ path }) => path.includes('{hook}'))) {
      const [real, made] = [
        await send(...spread(request(operation, MINE, { hook }), keys.admin)),
        await send(...spread(request(operation, MINE, { hook: `wh_${'0'.repeat(32)}` }), keys.admin)),
      ]
      expect([operation.id, real.status, { ...real, body: '' }]).toEqual([operation.id, 404, { ...made, body: '' }])
    }
  })

  it('[D34] a connection to /mcp about one corpus reaches no other, whatever the key may do and a tool is asked', async () => {
    const { send, world } = await house()
    const [mine, theirs] = [MINE, THEIRS].map((name) => world.wired.corpus(world.corpora.get(name)?.uid ?? ''))
    const asked: string[] = []
    for (const [name, object] of [
      [MINE, mine],
      [THEIRS, theirs],
    ] as const) {
      if (!object) throw new Error('no object')
      const { document, accept, retrieve, view, documents } = object
      const noted =
        (call: (...given: never[]) => unknown) =>
        (...given: never[]) => {
          asked.push(name)
          return call(...given)
        }
      Object.assign(object, {
        document: noted(document),
        accept: noted(accept),
        retrieve: noted(retrieve),
        view: noted(view),
        documents: noted(documents),
      })
    }
    const post = (method: string, params: object) => send('POST', `/mcp?corpus=${MINE}`, ADMIN, { jsonrpc: '2.0', id: 1, method, params })
    const given: { readonly [tool: string]: object } = {
      search: { corpus: THEIRS, query: 'x' },
      ask: { corpus: THEIRS, question: 'x' },
      get_document: { corpus: THEIRS, document: 'x' },
      fetch: { id: `${THEIRS}/x` },
      explore_entity: { corpus: THEIRS, entity: 'x' },
      add_document: { corpus: THEIRS, id: 'x', text: 'x' },
      delete_document: { corpus: THEIRS, id: 'x' },
    }
    expect(Object.keys(given)).toEqual(tools)
    for (const [name, wanted] of Object.entries(given)) {
      const { body } = await post('tools/call', { name, arguments: wanted })
      expect([name, body.includes(`limited to the corpus ${MINE}`)]).toEqual([name, true])
    }
    await post('resources/read', { uri: `loam://${THEIRS}/x` })
    await post('resources/list', {})
    expect(asked.filter((name) => name === THEIRS)).toEqual([])
    asked.length = 0
    const listed = await post('tools/call', { name: 'list_corpora', arguments: {} })
    expect([listed.body.includes('NAME'), asked]).toEqual([false, [MINE]])
    await post('tools/call', { name: 'get_document', arguments: { document: 'x' } })
    expect(asked).toEqual([MINE, MINE])
  })

  it('[H12] that may only write sees what a corpus has cost, and no document', async () => {
    const { send, world, keys } = await house()
    const minted = await send('POST', '/v1/keys', ADMIN, { name: 'k', scopes: ['write'], corpora: [MINE] })
    const object = world.wired.corpus(world.corpora.get(MINE)?.uid ?? '')
    const usage = await object.usage(null, 1)
    const row = { document: 'secret-plan', ...usage.total, stages: {} }
    Object.assign(object, { usage: async () => ({ ...usage, data: [row], next_cursor: 'secret-plan' }) })
    const shown = async (key: string) => {
      const { status, body } = await send('GET', `/v1/corpora/${MINE}/usage`, key)
      const { total, data, next_cursor } = JSON.parse(body)
      return [status, total, data.length, next_cursor === null]
    }
    expect(await shown(JSON.parse(minted.body).key)).toEqual([200, usage.total, 0, true])
    expect(await shown(keys.read)).toEqual([200, usage.total, 1, false])
  })

  it('[V90] learns nothing while the catalogue is down either', async () => {
    const { world, send, keys } = await house()
    const ask = (name: string, key: string | null) => send('GET', `/v1/corpora/${name}/documents`, key)
    await ask(THEIRS, ADMIN) // somebody has just used it: it is remembered
    await ask(MINE, keys.read)
    world.outage.error = new Error('D1_ERROR: Network connection lost.')
    expect((await ask(MINE, keys.read)).status).toBe(200)
    for (const key of [keys.read, keys.none]) {
      const [there, absent] = [await ask(THEIRS, key), await ask(NOBODY, key)]
      expect([there.status, there]).toEqual([503, absent])
    }
  })

  it('[V90] cannot distinguish them by the clock', async () => {
    const { send, keys } = await house()
    const times = { [THEIRS]: [] as number[], [NOBODY]: [] as number[] }
    for (let n = 0; n < 400; n++) {
      // In turn and in changing order, so that whatever slows the machine slows both.
      for (const name of n % 2 ? [THEIRS, NOBODY] : [NOBODY, THEIRS]) {
        const began = performance.now()
        await send('POST', `/v1/corpora/${name}/search`, keys.read, { query: 'x' })
        times[name]?.push(performance.now() - began)
      }
      if (n % 8 === 0) await send('POST', `/v1/corpora/${THEIRS}/search`, ADMIN, { query: 'x' }) // somebody who may keeps it warm
    }
    const slower = times[THEIRS].flatMap((a) => times[NOBODY].map((b) => (a > b ? 1 : a === b ? 0.5 : 0)))
    const chance = slower.reduce((sum: number, one) => sum + one, 0) / slower.length
    expect(chance).toBeGreaterThan(0.3) // a half, if nothing is to be told; a lookup that is spared makes it 0 or 1
    expect(chance).toBeLessThan(0.7)
  })
})

function spread([method, path, body, type]: [string, string, unknown, string], key: string | null) {
  return [method, path, key, body, type] as const
}
