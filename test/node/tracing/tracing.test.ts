/** Traces: one from a request to its model call, in OTLP's form, without a word of a question, and never in an answer's way. */
import { describe, expect, it } from 'vitest'
import { createApp } from '../../../src/http/app'
import type { Wired } from '../../../src/http/wired'
import { createBuffer } from '../../../src/tracing/buffer'
import { tracingConfig } from '../../../src/tracing/config'
import { parseTraceparent } from '../../../src/tracing/traceparent'
import { type TracingParts, tracing } from '../../../src/tracing/tracing'
import { evidence } from '../../core/flows/fakes'
import { ADMIN, fakeWorld } from '../http/world'
import { attributeOf, collector } from './collector'

const NOW = 1_800_000_000_000
const SECRET = 'blackthorn'
const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }

function house(parts: Partial<TracingParts> = {}, more: Partial<Wired> = {}) {
  const world = fakeWorld()
  const sink = collector()
  const counts = { exported: 0, dropped: 0 }
  const tracer = tracing({
    buffer: createBuffer(),
    endpoint: 'https://collector.test/v1/traces',
    headers: { 'x-team': 'search' },
    ratio: 1,
    withTexts: false,
    resource: { 'service.name': 'loam', 'service.version': '0' },
    now: () => NOW,
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    pause: async () => undefined,
    fetch: sink.fetch,
    counted(exported, dropped) {
      counts.exported += exported
      counts.dropped += dropped
    },
    ...parts,
  })
  const later: Promise<unknown>[] = []
  const corpus: Wired['corpus'] = (uid) => ({
    ...world.wired.corpus(uid),
    retrieve: async () => ({
      kind: 'evidence',
      evidence: [
        evidence('p:1', 'mill', `${SECRET} grows here.`, 0, { via: 'keyword + vector' }),
        evidence('p:2', 'mill', 'It grinds.', 30, { via: `${SECRET} → mill` }),
      ],
      version: 3,
      frequencies: [],
      passages: 1,
    }),
  })
  const app = createApp(() => ({ ...world.wired, corpus, ...more, tracing: tracer, later: (work) => void later.push(work) }))
  const send = async (method: string, path: string, { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {}) => {
    const sent = { authorization: `Bearer ${ADMIN}`, ...(body ? { 'content-type': 'application/json' } : {}), ...headers }
    const request = new Request(`https://loam.test${path}`, { method, headers: sent, ...(body ? { body: JSON.stringify(body) } : {}) })
    const response = await app.fetch(request, {}, context)
    const text = await response.text()
    while (later.length > 0) await Promise.all(later.splice(0))
    return { status: response.status, text }
  }
  return { world, sink, counts, send }
}

async function asked(parts: Partial<TracingParts> = {}, headers: Record<string, string> = {}) {
  const built = house(parts)
  await built.send('PUT', '/v1/corpora/town', { body: {}, headers: { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00` } })
  const { status } = await built.send('POST', '/v1/corpora/town/search', {
    body: { query: `Where does ${SECRET} grow?`, strategy: 'vector' },
    headers,
  })
  expect(status).toBe(200)
  return built
}

describe('one trace', () => {
  it('[T797] goes from the request to the object, the index, the model and D1, under the caller’s own', async () => {
    const { sink } = await asked({}, { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` })
    const root = sink.spans.find((one) => one.kind === 2)
    expect([root?.name, root?.traceId, root?.parentSpanId]).toEqual(['POST /v1/corpora/{corpus}/search', 'a'.repeat(32), 'b'.repeat(16)])
    expect(root && attributeOf(root, 'http.response.status_code')).toBe('200')
    const below = sink.spans.filter((one) => one !== root)
    expect(below.every((one) => one.traceId === root?.traceId)).toBe(true)
    // Spans stand under one another as the calls do.
    const under = (name: string) => sink.spans.find((one) => one.spanId === below.find((span) => span.name === name)?.parentSpanId)?.name
    expect(['d1 catalogue.corpus', 'retrieval', 'model embed', 'vectorize index.query', 'object corpus.retrieve'].map(under)).toEqual([
      root?.name,
      root?.name,
      'retrieval',
      'retrieval',
      'retrieval',
    ])
    const names = below.map(({ name }) => name)
    for (const name of ['d1 catalogue.corpus', 'model embed', 'vectorize index.query', 'object corpus.retrieve'])
      expect(names).toContain(name)
    const retrieved = below.find(({ name }) => name === 'object corpus.retrieve')
    expect(
      retrieved &&
        ['loam.evidence', 'loam.version', 'loam.channel.keyword', 'loam.channel.other'].map((key) => attributeOf(retrieved, key)),
    ).toEqual(['2', '3', '1', '1'])
    const embedded = below.find(({ name }) => name === 'model embed')
    expect(embedded && attributeOf(embedded, 'gen_ai.usage.input_tokens')).toBe('1')
    expect(new Set(sink.spans.map(({ spanId }) => spanId)).size).toBe(sink.spans.length)
  })

  it('[T797] a trace that the caller does not sample is left alone, and one that is none of W3C’s begins here', async () => {
    const { sink } = await asked({}, { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00` })
    expect(sink.calls).toEqual([])
    for (const bad of [
      '',
      `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
      `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`,
      `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01-x`,
    ])
      expect(parseTraceparent(bad)).toBeUndefined()
    expect(parseTraceparent(`01-${'a'.repeat(32)}-${'b'.repeat(16)}-03-more`)?.isSampled).toBe(true)
    const begun = await asked({}, { traceparent: 'nonsense' })
    expect(begun.sink.spans.find((one) => one.kind === 2)?.parentSpanId).toBeUndefined()
  })

  it('[T798] no attribute and no name says a word of a question or a document, unless texts are asked for', async () => {
    const { sink } = await asked()
    expect(sink.spans.length).toBeGreaterThan(4)
    expect(JSON.stringify(sink.spans)).not.toContain(SECRET)
    const told = await asked({ withTexts: true })
    const root = told.sink.spans.find((one) => one.kind === 2)
    expect(root && attributeOf(root, 'loam.question')).toBe(`Where does ${SECRET} grow?`)
  })

  it('[T797] what fails is marked by the name of its fault alone', async () => {
    const built = house(
      {},
      { models: { ...fakeWorld().wired.models, embed: async () => Promise.reject(new Error(`${SECRET} is too long`)) } },
    )
    await built.send('PUT', '/v1/corpora/town', { body: {} })
    await built.send('POST', '/v1/corpora/town/search', { body: { query: 'q', strategy: 'vector' } })
    const failed = built.sink.spans.find(({ name, status }) => name === 'model embed' && status.code === 2)
    expect(failed?.status.message).toBe('Error')
    expect(JSON.stringify(built.sink.spans)).not.toContain(SECRET)
  })
})

describe('other doors and forms', () => {
  const text = { id: 'writer', window: 4096 } as const
  const spent = { in: 11, out: 3, embedded: 0 }
  const writing = () => {
    const { models } = fakeWorld().wired
    async function* deltas() {
      yield `${SECRET} grows here [1].`
    }
    return {
      ...models,
      text,
      write: async () => ({ text: `${SECRET} grows here [1].`, spent, truncated: false }),
      stream: async () => ({ deltas: deltas(), spent: () => spent }),
    } as Wired['models']
  }
  const query = `Where does ${SECRET} grow?`
  const parentOf = (sink: ReturnType<typeof collector>, name: string) => {
    const one = sink.spans.findLast((span) => span.name === name)
    return sink.spans.find(({ spanId }) => spanId === one?.parentSpanId)?.name
  }

  it('[T953] a streamed answer: its model is under `answer`, which ends with the stream, and says its tokens', async () => {
    for (const stream of [true, false]) {
      const { sink, send } = house({}, { models: writing() })
      await send('PUT', '/v1/corpora/town', { body: {} })
      const { status, text: said } = await send('POST', '/v1/corpora/town/query', { body: { query, strategy: 'vector', stream } })
      expect([status, said.includes(SECRET)]).toEqual([200, true])
      expect(['retrieval', 'answer', 'model answer', 'object corpus.retrieve'].map((name) => parentOf(sink, name))).toEqual([
        'POST /v1/corpora/{corpus}/query',
        'POST /v1/corpora/{corpus}/query',
        'answer',
        'retrieval',
      ])
      const written = sink.spans.find(({ name }) => name === 'model answer')
      expect(written && [attributeOf(written, 'gen_ai.usage.input_tokens'), attributeOf(written, 'gen_ai.request.model')]).toEqual([
        '11',
        'writer',
      ])
      const ids = sink.spans.map(({ spanId }) => spanId)
      expect([new Set(ids).size, JSON.stringify(sink.spans).includes(SECRET)]).toEqual([ids.length, false])
    }
  })

  it('[T953] a tool of MCP: the question it asks is a span of its own under the agent’s request, in one trace', async () => {
    const { sink, send } = house({}, { models: writing() })
    await send('PUT', '/v1/corpora/town', { body: {} })
    const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask', arguments: { corpus: 'town', question: query } } }
    const headers = { accept: 'application/json, text/event-stream', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
    const { status, text: said } = await send('POST', '/mcp', { body: rpc, headers })
    expect([status, said.includes('"isError":true'), said.includes(SECRET)]).toEqual([200, false, true])
    const traced = sink.spans.filter(({ traceId }) => traceId === 'a'.repeat(32))
    const outer = traced.find(({ parentSpanId }) => parentSpanId === 'b'.repeat(16))
    const inner = traced.find(({ parentSpanId, kind }) => parentSpanId === outer?.spanId && kind === 2)
    expect([outer?.name, inner?.name]).toEqual(['POST /mcp', 'POST /v1/corpora/{corpus}/query'])
    expect([parentOf(sink, 'model answer'), parentOf(sink, 'answer')]).toEqual(['answer', inner?.name])
    expect(JSON.stringify(sink.spans)).not.toContain(SECRET)
  })
})

describe('the way to the collector', () => {
  it('[T799] spans go together, with the headers given; a collector that fails costs spans and no answer', async () => {
    const { sink, counts, send } = await asked()
    expect([
      sink.calls.length,
      sink.calls[0]?.url,
      sink.calls[0]?.headers.get('x-team'),
      sink.calls[0]?.headers.get('content-type'),
    ]).toEqual([1, 'https://collector.test/v1/traces', 'search', 'application/json'])
    expect([counts.exported, counts.dropped]).toEqual([sink.spans.length, 0])
    for (const status of [503, 'down'] as const) {
      sink.status = status
      expect((await send('GET', '/v1/corpora/town')).status).toBe(200)
    }
    expect(counts.dropped).toBeGreaterThan(0)
  })

  it('[T799] what waits is bounded, and so is what one request may leave', () => {
    const buffer = createBuffer()
    const span = { trace: 'a', id: 'b', name: 'n', kind: 'client', start: 0, end: 0, attributes: {} } as const
    for (let i = 0; i < 3000; i++) buffer.add(span)
    let taken = 0
    for (let batch = buffer.take(); batch.length > 0; batch = buffer.take()) taken += batch.length
    expect([taken, buffer.takeDropped(), buffer.takeDropped()]).toEqual([2048, 952, 0])
  })

  it('[T800] the ratio says how many requests begin a trace: none, all, about a half', async () => {
    const begun = (ratio: number): number => {
      const one = tracing({
        ...({} as TracingParts),
        buffer: createBuffer(),
        ratio,
        now: () => NOW,
        random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
      })
      return Array.from({ length: 400 }, () => one.begin(new Headers())).filter((tracer) => tracer !== undefined).length
    }
    expect([begun(0), begun(1)]).toEqual([0, 400])
    expect(Math.abs(begun(0.5) - 200)).toBeLessThan(80)
  })

  it('[T800] the variables say where and how often; what they cannot mean is refused by its name', () => {
    expect(tracingConfig({})).toBeUndefined()
    expect(
      tracingConfig({ OTLP_ENDPOINT: 'https://c.test:4318', OTLP_HEADERS: 'Authorization=Bearer%20x, x-y=1', OTLP_RATIO: '0.1' }),
    ).toEqual({
      endpoint: 'https://c.test:4318/v1/traces',
      headers: { authorization: 'Bearer x', 'x-y': '1' },
      ratio: 0.1,
      withTexts: false,
    })
    expect(tracingConfig({ OTLP_ENDPOINT: 'https://c.test/own/path' })?.endpoint).toBe('https://c.test/own/path')
    expect(() => tracingConfig({ OTLP_ENDPOINT: 'collector' })).toThrow('OTLP_ENDPOINT')
    expect(() => tracingConfig({ OTLP_ENDPOINT: 'https://c.test', OTLP_RATIO: '2' })).toThrow('OTLP_RATIO')
    expect(() => tracingConfig({ OTLP_ENDPOINT: 'https://c.test', OTLP_HEADERS: 'nothing' })).toThrow('OTLP_HEADERS')
  })
})
