/** An OpenAI-compatible server as the models of a deployment, beside Workers AI. */
import { describe, expect, it } from 'vitest'
import { judgeFrom, modelConfig, modelPlacesFrom, modelsFrom } from '../../../src/adapters/workers-ai-config'
import { pricesOf } from '../../../src/flows/prices'
import { runningModels } from '../../../src/http/running-models'
import type { AiBinding, Message } from '../../../src/ports/models'

const VARS = {
  EMBEDDING_MODEL: 'text-embedding-3-large',
  EMBEDDING_DIMENSIONS: '8',
  EMBEDDING_WINDOW: '512',
  TEXT_MODEL: '@cf/qwen/qwen3-30b-a3b-fp8',
  TEXT_WINDOW: '32000',
  ANSWER_MODEL: 'openai/gpt-5-mini',
  RERANKER_MODEL: 'rerank-v3.5',
  JUDGE_MODEL: 'claude-haiku-4-5',
  MODEL_SERVER_URL: 'https://models.example/v1/',
  MODEL_SERVER_KEY: 'sk-secret',
  MODEL_SERVER_HEADERS: 'cf-aig-authorization=Bearer%20two',
  MODEL_PRICES: 'text-embedding-3-large=0.13 openai/gpt-5-mini=0.25/2 rerank-v3.5=0.05 claude-haiku-4-5=1/5',
}
const ASK: readonly Message[] = [{ role: 'user', content: 'What does the heron eat?' }]
const USAGE = { prompt_tokens: 9, completion_tokens: 2 }
const vector = (first: number) => [first, 1, 2, 3, 4, 5, 6, 7]
const said =
  (content: string, more: object = {}) =>
  () =>
    Response.json({ choices: [{ message: { content }, ...more }], usage: USAGE })

function deployed(
  replies: readonly (() => Response)[],
  vars: { readonly [name in keyof typeof VARS | 'EXTRACT_MODEL' | 'DESCRIBE_MODEL']?: string } = {},
) {
  const asked: { readonly url: string; readonly headers: Headers; readonly body: unknown; readonly redirect: string }[] = []
  const onWorkersAi: string[] = []
  const AI: AiBinding = {
    run: async (model) => {
      onWorkersAi.push(model)
      return { response: 'by Workers AI', usage: USAGE }
    },
  }
  const rest = [...replies]
  const fetch = async (request: Request): Promise<Response> => {
    const { url, headers, redirect } = request
    asked.push({ url, headers, redirect, body: await request.json() })
    const reply = rest.length > 1 ? rest.shift() : rest[0]
    return reply?.() ?? Response.error()
  }
  const env = { ...VARS, ...vars, AI, fetch }
  return { models: modelsFrom(env), judge: judgeFrom(env), asked, onWorkersAi, env }
}

describe('a server of OpenAI’s protocol', () => {
  it('[F1925] is asked for what its models write, with its key, and Workers AI for the others', async () => {
    const { models, judge, asked, onWorkersAi } = deployed([said('Eels.', { finish_reason: 'stop' })])
    expect(await models.write(ASK, { tokens: 50, role: 'answer' })).toEqual({ text: 'Eels.', spent: { in: 9, out: 2, embedded: 0 } })
    expect((await models.write(ASK, { tokens: 50, role: 'extract' })).text).toBe('by Workers AI')
    expect((await judge?.write(ASK, { tokens: 50 }))?.text).toBe('Eels.')
    expect(onWorkersAi).toEqual(['@cf/qwen/qwen3-30b-a3b-fp8'])
    const [first, second] = asked
    expect([first?.url, first?.redirect]).toEqual(['https://models.example/v1/chat/completions', 'manual'])
    const headers = ['authorization', 'cf-aig-authorization', 'content-type'].map((name) => first?.headers.get(name))
    expect(headers).toEqual(['Bearer sk-secret', 'Bearer two', 'application/json'])
    // A model that always thinks is given room for it, and no temperature.
    expect(first?.body).toEqual({ model: 'openai/gpt-5-mini', messages: ASK, reasoning_effort: 'low', max_completion_tokens: 1050 })
    expect(second?.body).toEqual({ model: 'claude-haiku-4-5', messages: ASK, max_tokens: 50, temperature: 0 })
  })

  it('[F1925] streams, and counts what it says that was used', async () => {
    const events = ['Eels', ' and', ' frogs.'].map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
    const body = `${events.join('')}data: ${JSON.stringify({ choices: [], usage: USAGE })}\n\ndata: [DONE]\n\n`
    const { models, asked } = deployed([() => new Response(body, { headers: { 'content-type': 'text/event-stream' } })])
    const { deltas, spent } = await models.stream(ASK, { tokens: 50, role: 'answer' })
    let text = ''
    for await (const delta of deltas) text += delta
    expect([text, spent()]).toEqual(['Eels and frogs.', { in: 9, out: 2, embedded: 0 }])
    expect(asked[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  })

  it('[F1925] embeds and ranks', async () => {
    const vectors = { data: [1, 0].map((index) => ({ index, embedding: vector(index) })), usage: { prompt_tokens: 4 } }
    const embedding = deployed([() => Response.json(vectors)])
    expect((await embedding.models.embed(['a', 'b'])).vectors).toEqual([vector(0), vector(1)])
    expect(embedding.asked[0]?.body).toEqual({
      model: 'text-embedding-3-large',
      input: ['a', 'b'],
      encoding_format: 'float',
      dimensions: 8,
    })
    const results = [
      { index: 1, relevance_score: 0.9 },
      { index: 0, relevance_score: 0.2 },
    ]
    const ranking = deployed([() => Response.json({ results })])
    expect((await ranking.models.rerank('q', ['a', 'b'])).scores).toEqual([0.2, 0.9])
    expect(ranking.asked[0]?.body).toEqual({ model: 'rerank-v3.5', query: 'q', documents: ['a', 'b'], top_n: 2 })
  })

  it('[F1925] is asked for JSON by a named schema, and in words once it refuses that', async () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } } }
    const { models, asked } = deployed([() => Response.json({ error: 'no' }, { status: 400 }), said('{"a":1}')])
    expect((await models.write(ASK, { tokens: 50, role: 'answer', schema })).text).toBe('{"a":1}')
    expect((await models.write(ASK, { tokens: 50, role: 'answer', schema })).text).toBe('{"a":1}')
    const formats = asked.map(({ body }) => (body as { readonly response_format?: unknown }).response_format)
    expect(formats).toEqual([{ type: 'json_schema', json_schema: { name: 'reply', schema } }, undefined, undefined])
  })

  it('[F1926] a fault is one of ours, and nothing the server says is passed on', async () => {
    const faults: [number, string][] = []
    for (const status of [302, 400, 401, 403, 404, 413]) {
      const { models, asked } = deployed([() => new Response('SECRET', { status, headers: { location: 'https://elsewhere.example' } })])
      const error: Error = await models.write(ASK, { tokens: 50, role: 'answer' }).catch((thrown) => thrown)
      faults.push([status, error.message])
      expect(new Set(asked.map(({ url }) => url))).toEqual(new Set(['https://models.example/v1/chat/completions']))
    }
    expect(faults).toEqual([
      [302, 'down'],
      [400, 'invalid'],
      [401, 'missing'],
      [403, 'missing'],
      [404, 'missing'],
      [413, 'too_large'],
    ])
  })

  it('[F1927] costs what MODEL_PRICES says, by role, and the start stops where it does not say', () => {
    const { models, judge, env } = deployed([])
    const { in: read, embedded, reranked, judged, written } = pricesOf(models, judge)
    expect([read, embedded, reranked, judged, written?.answer]).toEqual([0.051, 0.13, 0.05, { in: 1, out: 5 }, { in: 0.25, out: 2 }])
    const places = modelPlacesFrom(env)
    expect(runningModels(models, judge, places).map(({ role, runs_on }) => [role, runs_on])).toEqual([
      ['embedding', 'server'],
      ['text', 'workers_ai'],
      ['answer', 'server'],
      ['judge', 'server'],
      ['rerank', 'server'],
    ])
    const start = (vars: object) => () => modelConfig({ ...VARS, ...vars })
    expect(start({ MODEL_PRICES: 'rerank-v3.5=1 text-embedding-3-large=1' })).toThrow('MODEL_PRICES must say what openai/gpt-5-mini costs')
    expect(start({ MODEL_PRICES: 'gpt=cheap' })).toThrow('MODEL_PRICES must be model=read/written')
    expect(() => deployed([], { MODEL_SERVER_URL: 'http://models.example' })).toThrow('MODEL_SERVER_URL must be an https address')
    expect(() => deployed([], { MODEL_SERVER_HEADERS: 'nothing' })).toThrow('MODEL_SERVER_HEADERS must be name=value pairs')
  })

  it('[F1980] is asked for the flex tier where a model’s id ends so, at a price of its own, and is asked again later where it has no room', async () => {
    const prices =
      'text-embedding-3-large=0.13 openai/gpt-5-mini=0.25/2 openai/gpt-5-mini:flex=0.125/1 rerank-v3.5=0.05 claude-haiku-4-5=1/5 qwen3:4b=0'
    const none = () => new Response(null, { status: 498 })
    const vars = { EXTRACT_MODEL: 'openai/gpt-5-mini:flex', DESCRIBE_MODEL: 'qwen3:4b', MODEL_PRICES: prices }
    const { models, judge, asked } = deployed([none, said('Eels.', { finish_reason: 'stop' })], vars)
    for (const role of ['extract', 'answer', 'describe'] as const)
      expect((await models.write(ASK, { tokens: 50, role })).text).toBe('Eels.')
    expect(asked.map(({ body }) => body)).toMatchObject([
      { model: 'openai/gpt-5-mini', service_tier: 'flex', max_completion_tokens: expect.any(Number) },
      { model: 'openai/gpt-5-mini', service_tier: 'flex' },
      { model: 'openai/gpt-5-mini' },
      { model: 'qwen3:4b' },
    ])
    expect(asked.map(({ body }) => 'service_tier' in (body as object))).toEqual([true, true, false, false])
    const { written } = pricesOf(models, judge)
    expect([written?.extract, written?.answer]).toEqual([
      { in: 0.125, out: 1 },
      { in: 0.25, out: 2 },
    ])
  })
})
