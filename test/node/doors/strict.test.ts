/** What nobody knows is refused, by every route, tool and line there is. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { documentSchema } from '../../../src/contract/documents'
import { strategyNames } from '../../../src/contract/options'
import { createApp } from '../../../src/http/app'
import { openapi } from '../../../src/http/openapi/document'
import type { Operation } from '../../../src/http/operation'
import { operations } from '../../../src/http/routes'
import { ADMIN, type FakeWorld, fakeWorld } from '../http/world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const STRATEGIES = '{"strategies":["erarag","cluerag","ketrag","archrag","gorag"]}'

/** Theirs, not ours: what they hold besides what we know is let through (D152, and webhooks of third parties). */
const FOREIGN: ReadonlySet<string> = new Set(['createChatCompletion', 'createResponse', 'createEmbedding', 'mcp', 'receiveEvent'])
const isOurs = ({ id }: Operation): boolean => !FOREIGN.has(id)

let world: FakeWorld
let app: ReturnType<typeof createApp>

beforeEach(async () => {
  world = fakeWorld()
  app = createApp(() => world.wired)
  expect((await send('PUT', '/v1/corpora/here', STRATEGIES)).status).toBe(201)
})

async function send(method: string, path: string, body?: unknown, type = 'application/json'): Promise<{ status: number; body: Refused }> {
  const headers = new Headers({ authorization: `Bearer ${ADMIN}`, accept: 'application/json, text/event-stream' })
  if (body !== undefined) headers.set('content-type', type)
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await app.fetch(new Request(`https://loam.test${path}`, { method: method.toUpperCase(), headers, ...sent }), {}, context)
  const text = await response.text()
  const json = /^(?:event: message\n)?(?:data: )?(\{.*\})\s*$/s.exec(text)?.[1]
  return { status: response.status, body: json === undefined ? {} : JSON.parse(json) }
}

interface Refused {
  readonly code?: string
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
  readonly [name: string]: unknown
}

const pathOf = ({ path }: Operation): string => path.replace('{corpus}', 'here').replace(/\{\w+\}/g, 'x')

// ---------------------------------------------------------------- bodies

type Schema = { readonly [key: string]: unknown }
const { components } = openapi(operations, '0') as unknown as { components: { schemas: { [name: string]: Schema } } }

/** Objects of a schema that let members through they do not name. */
function open(schema: unknown, at: string, seen: Set<string> = new Set()): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { $ref, properties, additionalProperties, ...rest } = schema as Schema
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? ''
    return seen.has(name) ? [] : open(components.schemas[name], at, seen.add(name))
  }
  const here = properties !== undefined && additionalProperties !== false ? [at] : []
  const inner = Object.entries((properties ?? {}) as Schema).flatMap(([name, one]) => open(one, `${at}.${name}`, seen))
  const others = ['items', 'anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((key) =>
    [rest[key] ?? []].flat().flatMap((one) => open(one, at, seen)),
  )
  return [...here, ...inner, ...others, ...open(additionalProperties, `${at}.*`, seen)]
}

describe('bodies', () => {
  it('[D6] the reference forbids further members in every object of every body', () => {
    const described = openapi(operations, '0') as unknown as {
      paths: { [path: string]: { [method: string]: { requestBody?: { content: Schema } } } }
    }
    const bodies = operations.filter((one) => one.body && isOurs(one))
    expect(bodies.length).toBeGreaterThan(20)
    for (const one of bodies) {
      const content = described.paths[one.path]?.[one.method]?.requestBody?.content ?? {}
      const { schema } = content[one.body?.type ?? 'application/json'] as { schema: unknown }
      expect([one.id, open(schema, one.id)]).toEqual([one.id, []])
    }
  })

  it.each(operations.filter((one) => one.body && isOurs(one)).map((one) => [one.id, one] as const))(
    '[D151] %s refuses a member it does not know, and names the one that was meant',
    async (_, one) => {
      const example = one.body?.example as { readonly [name: string]: unknown }
      const strange = await send(one.method, pathOf(one), { ...example, surplus_member: 1 }, one.body?.type)
      expect([strange.status, strange.body.errors?.map(({ path }) => path.split('.').at(-1))]).toEqual([422, ['surplus_member']])
      for (const [name, value] of Object.entries(example)) {
        if (name === 'type') continue // what says which sort of line it is
        const { [name]: _left, ...others } = example
        const { status, body } = await send(one.method, pathOf(one), { ...others, [`${name}z`]: value }, one.body?.type)
        const fault = body.errors?.find(({ path }) => path.endsWith(`${name}z`))
        expect([name, status, fault?.message]).toEqual([name, 422, expect.stringContaining(`${name}z is unknown; did you mean `)])
      }
    },
  )

  it('[D151] the place is named in full, each name has its own fault, and the search for it is bounded', async () => {
    const filters = { query: 'q', filters: { documents: ['a'] } }
    expect((await send('POST', '/v1/corpora/here/search', filters)).body.errors).toEqual([
      { path: 'filters.documents', message: 'filters.documents is unknown; did you mean filters.document?' },
    ])
    const two = { text: 't', expires_at: 1, metdata: {} }
    expect((await send('PUT', '/v1/corpora/here/documents/a', two)).body.errors).toEqual([
      {
        path: 'expires_at',
        message: `expires_at is unknown; known are ${Object.keys(documentSchema.shape).join(', ')}, content_base64, content_type`,
      },
      { path: 'metdata', message: 'metdata is unknown; did you mean metadata?' },
    ])
    const batch = { upserts: [{ id: 'a', text: 't', Title: 'x' }] }
    expect((await send('POST', '/v1/corpora/here/documents:batch', batch)).body.errors).toEqual([
      { path: 'upserts.0.Title', message: 'upserts.0.Title is unknown; did you mean upserts.0.title?' },
    ])
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`metadat${i}`, 0]))
    const flood = await send('PUT', '/v1/corpora/here/documents/a', { text: 't', ...many, ['x'.repeat(100_000)]: 0 })
    expect([flood.status, flood.body.errors?.length]).toEqual([422, 20])
  })

  it('[D151] an option of another strategy is refused, and says whose it is', async () => {
    const ask = (body: object) => send('POST', '/v1/corpora/here/search', { query: 'q', ...body })
    expect((await ask({ strategy: 'erarag', options: { beam: 3 } })).body.errors).toEqual([
      {
        path: 'options.beam',
        message:
          'options.beam is an option of cluerag, not of erarag; known are rerank, select, expand, max_per_document, diversity, granularity, neighbours, mode, p, rank',
      },
    ])
    expect((await ask({ options: { overveiw: true } })).body.errors).toEqual([
      { path: 'options.overveiw', message: 'options.overveiw is unknown; did you mean options.overview?' },
    ])
    expect((await ask({ strategy: 'archrag', options: { passages: 3 } })).status).toBe(422)
    expect((await ask({ strategy: 'cluerag', options: { passages: 3, scorer: 'lexical' } })).status).toBe(200)
    for (const strategy of strategyNames)
      expect([strategy, (await ask({ strategy, options: { rerank: false, max_per_document: 2, diversity: 0.2 } })).status]).toEqual([
        strategy,
        200,
      ])
    expect((await ask({ options: { max_per_document: 0 } })).status).toBe(422)
    expect((await ask({ options: { diversity: 2 } })).status).toBe(422)
    expect((await ask({ options: { granularity: 'page' } })).status).toBe(422)
    expect((await ask({ options: { granularity: 'document', neighbours: 5 } })).status).toBe(200)
    expect((await ask({ options: { expand: 'rewrite' } })).status).toBe(422)
    expect((await ask({ options: { expand: 'none' } })).status).toBe(200)
    const compared = { query: 'q', strategies: ['erarag', 'cluerag'], options: { beam: 3, p: 0.5 } }
    expect((await send('POST', '/v1/corpora/here/compare', compared)).status).toBe(200)
    expect((await send('POST', '/v1/corpora/here/compare', { ...compared, options: { theta: 0.3 } })).status).toBe(422)
  })
})

describe('a question that a text model is to expand', () => {
  it('[F960] is refused by every route where there is none', async () => {
    const errors = [{ path: 'options.expand', message: expect.stringContaining('needs a text model') }]
    for (const expand of ['hyde', 'decompose']) {
      const question = { query: 'q', options: { expand } }
      for (const [path, more] of [
        ['corpora/here/search', {}],
        ['corpora/here/query', {}],
        ['corpora/here/query', { stream: true }],
        ['corpora/here/compare', { strategies: ['auto'] }],
        ['search', { corpora: ['here'] }],
        ['query', { corpora: ['here'], stream: true }],
      ] as const) {
        const { status, body } = await send('POST', `/v1/${path}`, { ...question, ...more })
        expect([path, status, body.code, body.errors]).toEqual([path, 422, 'invalid', errors])
      }
    }
  })
})

// ---------------------------------------------------------------- query strings

describe('query strings', () => {
  const asked = operations.filter(({ access, foreign }) => access !== 'open' && access !== 'signed' && !foreign)

  it.each(asked.map((one) => [one.id, one] as const))('[H40] %s takes the parameters that are described and no other', async (_, one) => {
    const body = one.body ? one.body.example : undefined
    const strange = await send(one.method, `${pathOf(one)}?surplus_name=1`, body, one.body?.type)
    expect([strange.status, strange.body.errors?.[0]?.path]).toEqual([422, 'surplus_name'])
    for (const { name } of (one.parameters ?? []).filter((each) => each.in === 'query')) {
      const misspelt = await send(one.method, `${pathOf(one)}?${name}z=1`, body, one.body?.type)
      expect(misspelt.body.errors?.[0]?.message).toBe(`${name}z is unknown; did you mean ${name}?`)
      const known = await send(one.method, `${pathOf(one)}?${name}=1`, body, one.body?.type)
      expect(known.body.errors?.map(({ message }) => message).join() ?? '').not.toContain('unknown')
    }
  })

  it('[H40] a name given twice is refused, a missing key is answered first, and a title beside JSON is not ignored', async () => {
    expect((await send('GET', '/v1/corpora?limit=1&limit=2')).body.errors).toEqual([{ path: 'limit', message: 'is given more than once' }])
    const stranger = await app.fetch(new Request('https://loam.test/v1/corpora/here?surplus=1'), {}, context)
    expect(stranger.status).toBe(401)
    expect((await send('PUT', '/v1/corpora/here/documents/a?title=x', { text: 't' })).body.errors?.[0]?.path).toBe('title')
    expect((await send('PUT', '/v1/corpora/here/documents/a?title=x', 'A text.', 'text/plain')).status).toBe(202)
  })

  it('[H40] the service’s own pages and probes take any', async () => {
    for (const path of ['/healthz', '/openapi.json', '/docs'])
      expect([path, (await send('GET', `${path}?surplus=1`)).status]).toEqual([path, 200])
  })

  it('[D151] a parameter that is a list may be repeated', async () => {
    const labelled = await send('PUT', '/v1/corpora/here/documents/b?access=group:a&access=group:b', 'A text.', 'text/plain')
    expect(labelled).toMatchObject({ status: 202 })
    const twice = await send('PUT', '/v1/corpora/here/documents/b?title=x&title=y', 'A text.', 'text/plain')
    expect(twice.body.errors).toEqual([{ path: 'title', message: 'is given more than once' }])
  })
})

// ---------------------------------------------------------------- other doors

describe('the Model Context Protocol', () => {
  const rpc = async (method: string, params: object) => {
    const { body } = await send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method, params })
    return body
  }

  it('[D30] every tool refuses an argument it does not know, and names the one that was meant', async () => {
    const { result } = (await rpc('tools/list', {})) as { result: { tools: { name: string; inputSchema: Schema }[] } }
    expect(result.tools.length).toBeGreaterThan(7)
    for (const { name, inputSchema } of result.tools) {
      expect([name, open(inputSchema, name)]).toEqual([name, []])
      const [known] = Object.keys((inputSchema.properties ?? {}) as object)
      const called = JSON.stringify(await rpc('tools/call', { name, arguments: { [`${known ?? 'surplu'}s`]: 'x' } }))
      expect([name, called]).toEqual([name, expect.stringContaining(known ? `did you mean ${known}?` : 'surplus is unknown')])
    }
  })
})

describe('OpenAI’s chat interface', () => {
  const messages = [{ role: 'user', content: 'When?' }]
  const chat = (more: object) => send('POST', '/v1/chat/completions', { model: 'here', messages, ...more })

  it('[D152] every parameter of the official library is let through', async () => {
    const file = join(dirname(createRequire(import.meta.url).resolve('openai')), 'resources/chat/completions/completions.d.ts')
    const [, base = ''] = readFileSync(file, 'utf8').split('export interface ChatCompletionCreateParamsBase {')
    const names = [...(base.split('\n}')[0] ?? '').matchAll(/^ {4}(\w+)\??:/gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(25)
    const read = new Set(['model', 'messages', 'stream', 'stream_options', 'n', 'tools', 'tool_choice', 'store'])
    const others = Object.fromEntries(names.filter((name) => !read.has(name)).map((name) => [name, 1]))
    expect(await chat({ ...others, top_k: 3, chat_id: 'x', models: ['a'] })).toMatchObject({ status: 200 })
  })

  it('[D152] a misspelt parameter that would mean something is refused', async () => {
    expect((await chat({ ai_search_option: {} })).body).toMatchObject({ error: { param: 'ai_search_option' } })
    expect((await chat({ ai_search_options: { retrieval: { max_num_result: 3 } } })).status).toBe(400)
    expect((await chat({ ai_search_options: { cache: { enabled: true }, retrieval: { match_threshold: 0.4 } } })).status).toBe(200)
  })
})

// ---------------------------------------------------------------- what is bounded

describe('links and metadata', () => {
  const fits = (document: object): boolean => documentSchema.safeParse({ text: 't', ...document }).success

  it('[H152] a document’s URL is an address of http or https, as a browser parses it', () => {
    const run = [
      'javascript:alert(1)',
      'java\tscript:alert(1)',
      ' javascript:alert(1)',
      '\u0001javascript:alert(1)',
      'JaVaScRiPt:x',
      'data:text/html,x',
    ]
    const opened = [
      'file:///etc/passwd',
      'ms-msdt:/id',
      'vbscript:x',
      'ftp://a/b',
      'mailto:a@b',
      'blob:https://a/b',
      'https:\n//a',
      'ht\ttps://a',
      '//a/b',
      'a/b',
      '',
    ]
    expect([...run, ...opened].filter((url) => fits({ url }))).toEqual([])
    const links = [
      'https://example.com/a?b#c',
      'http://localhost:8787/',
      'HTTPS://EXAMPLE.com',
      'https://example.com/a b',
      'https://例え.jp/',
    ]
    expect(links.filter((url) => !fits({ url }))).toEqual([])
  })

  it('[H160] a corpus can be undeleted for 90 days at most, and not at all unless that is asked for', async () => {
    const day = 86_400
    const make = async (name: string, more: object) => (await send('PUT', `/v1/corpora/${name}`, more)).status
    expect([await make('long', { undelete_seconds: 90 * day }), await make('longer', { undelete_seconds: 90 * day + 1 })]).toEqual([
      201, 422,
    ])
    expect((await send('GET', '/v1/corpora/here')).body.undelete_seconds).toBe(0)
  })

  it('[H152] metadata is bounded in bytes, depth and names, whatever is sent', async () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) })
    expect([deep(8), deep(9)].map((metadata) => fits({ metadata }))).toEqual([true, false])
    expect(fits({ metadata: { a: 'x'.repeat(17_000) } })).toBe(false)
    expect(fits({ metadata: { ['n'.repeat(257)]: 1 } })).toBe(false)
    expect(fits({ metadata: { list: { ['n'.repeat(257)]: 1 } } })).toBe(false)
    expect(fits({ metadata: [1] })).toBe(false)
    const numbers = { text: 't', metadata: { numbers: Array.from({ length: 200_000 }, () => 1) } }
    expect(await send('PUT', '/v1/corpora/here/documents/a', numbers)).toMatchObject({ status: 422, body: { code: 'invalid' } })
    const own = '{"text":"t","metadata":{"__proto__":{"x":1}}}'
    expect((await send('PUT', '/v1/corpora/here/documents/a', own)).status).toBe(422)
    const cleaned = documentSchema.parse({ text: 't', metadata: { a: ['x\0', { 'k\ud800': 'y\ud800' }] } })
    expect(cleaned.metadata).toEqual({ a: ['x\uFFFD', { 'k\uFFFD': 'y\uFFFD' }] })
  })

  it('[H152] filters are bounded in number', async () => {
    const metadata = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))
    const ask = async (count: number) =>
      (await send('POST', '/v1/corpora/here/search', { query: 'q', filters: { metadata: metadata(count) } })).status
    expect([await ask(50), await ask(51)]).toEqual([200, 422])
  })
})
