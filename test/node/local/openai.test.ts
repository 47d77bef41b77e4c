/** The AI stand-in in front of a server that speaks the OpenAI protocol: what it asks, and how it translates the answers. */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { standIns } from '../../../scripts/lib/bundled.mjs'

interface Reply {
  readonly status?: number
  readonly body?: unknown
  /** Sent as they are, one write each. */
  readonly chunks?: readonly (string | Uint8Array)[]
}

/** Calls the binding inside workerd. (A binding called from Node would wait for this very process, which is the server.) */
const CALLER = `export default { async fetch(request, env) {
  const { model, inputs } = await request.json()
  try {
    const result = await env.AI.run(model, inputs)
    return result instanceof ReadableStream ? new Response(result) : Response.json({ result })
  } catch ({ name, message }) {
    return Response.json({ failure: name + ': ' + message })
  }
} }`

let server: Server
let miniflare: Miniflare
let replies: Reply[] = []
let asked: { url: string | undefined; key: string | undefined; body: Record<string, unknown> }[] = []

const read = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const sent = await read(request)
    const wanted = sent.startsWith('{') ? JSON.parse(sent) : { form: sent, type: request.headers['content-type'] }
    asked.push({ url: request.url, key: request.headers.authorization, body: wanted })
    const { status = 200, body, chunks } = replies.shift() ?? { status: 500 }
    response.writeHead(status, { 'content-type': chunks ? 'text/event-stream' : 'application/json' })
    for (const chunk of chunks ?? []) await new Promise((resolve) => response.write(chunk, resolve))
    response.end(chunks ? undefined : JSON.stringify(body ?? { error: { message: 'the secret document' } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
  const root = join(import.meta.dirname, '../../..')
  const vars = {
    EMBEDDINGS_URL: url,
    EMBEDDING_DIMENSIONS: '3',
    TEXT_URL: url,
    TEXT_MODEL: 'llama',
    RERANKER_URL: url,
    VISION_URL: url,
    TRANSCRIPTION_URL: url,
    MODEL_KEY: 'k',
    MODELS: JSON.stringify({ own: { url: url.replace(/v1\/$/, 'own'), key: 'o', window: 300 } }),
  }
  const main = {
    name: 'main',
    modules: true,
    compatibilityDate: '2026-07-01',
    script: CALLER,
    serviceBindings: { AI: { name: 'stand-ins', entrypoint: 'AiStandIn' } },
  }
  miniflare = new Miniflare({ cf: false, workers: [main, standIns(root, vars)] })
  await miniflare.ready
})

afterAll(async () => {
  await miniflare.dispose()
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  replies = []
  asked = []
})

async function call(model: string, inputs: unknown): Promise<string> {
  const response = await miniflare.dispatchFetch('http://main/', { method: 'POST', body: JSON.stringify({ model, inputs }) })
  return response.text()
}
const run = async (model: string, inputs: unknown): Promise<unknown> => JSON.parse(await call(model, inputs)).result
const failure = async (model: string, inputs: unknown): Promise<unknown> => JSON.parse(await call(model, inputs)).failure

const messages = [{ role: 'user', content: 'Hello?' }]
const chat = (content: string): Reply => ({
  body: { choices: [{ message: { content } }], usage: { prompt_tokens: 3, completion_tokens: 2 } },
})

describe('embeddings', () => {
  it('[L20] are asked for by the model named, with the key, and put back in order', async () => {
    replies = [
      {
        body: {
          data: [
            { index: 1, embedding: [0, 1, 0] },
            { index: 0, embedding: [1, 0, 0] },
          ],
        },
      },
    ]
    const result = await run('bge', { text: ['a', 'b'] })
    expect(result).toEqual({
      shape: [2, 3],
      data: [
        [1, 0, 0],
        [0, 1, 0],
      ],
      pooling: 'mean',
    })
    expect(asked).toEqual([{ url: '/v1/embeddings', key: 'Bearer k', body: { model: 'bge', input: ['a', 'b'], encoding_format: 'float' } }])
  })

  it('[L20] may come as base64 floats', async () => {
    const embedding = Buffer.from(Float32Array.of(0.5, -1, 2).buffer).toString('base64')
    replies = [{ body: { data: [{ index: 0, embedding }] } }]
    expect(await run('bge', { text: 'a' })).toMatchObject({ data: [[0.5, -1, 2]] })
  })

  it('[L20] too few of them, or none that are numbers, is an internal error', async () => {
    const wrong = [{ data: [] }, { data: [{ embedding: ['x'] }] }, { data: [{ index: 1, embedding: [1, 0, 0] }] }, 'hello']
    for (const body of wrong) {
      replies = [{ body }]
      expect(await failure('bge', { text: ['a'] })).toBe('InferenceUpstreamError: 3043: Internal server error')
    }
  })
})

describe('text', () => {
  it('[L24] a reply comes with its usage, and JSON mode as the object it is', async () => {
    replies = [chat('Hi.'), chat('{"a":1}'), chat('not json')]
    const schema = { type: 'object' }
    const wanted = { messages, max_tokens: 9, response_format: { type: 'json_schema', json_schema: schema } }
    expect(await run('writer', { messages, temperature: 0 })).toEqual({
      response: 'Hi.',
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    })
    expect(await run('writer', wanted)).toMatchObject({ response: { a: 1 } })
    expect(await run('writer', wanted)).toMatchObject({ response: 'not json' })
    expect(asked.map(({ body }) => body).slice(0, 2)).toEqual([
      { model: 'llama', messages, max_tokens: 256, temperature: 0 },
      { model: 'llama', messages, max_tokens: 9, response_format: { type: 'json_schema', json_schema: { name: 'reply', schema } } },
    ])
  })

  const delta = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`
  const streamed = (chunks: (string | Uint8Array)[]): Promise<string> => {
    replies = [{ chunks }]
    return call('writer', { messages, stream: true })
  }

  it('[L24] a stream is translated event by event, wherever its bytes are cut', async () => {
    const whole = new TextEncoder().encode(
      `: ping\n\n${delta('Grüße, ')}${delta('世界')}data: {"choices":[],"usage":{"prompt_tokens":1}}\n\ndata: [DONE]\n\n`,
    )
    const bytes = Array.from(whole, (byte) => Uint8Array.of(byte))
    expect(await streamed(bytes)).toBe(
      'data: {"response":"Grüße, "}\n\ndata: {"response":"世界"}\n\ndata: {"response":"","usage":{"prompt_tokens":1}}\n\ndata: [DONE]\n\n',
    )
    expect(asked[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  })

  it('[L24] a stream that ends too soon breaks off instead of ending well', async () => {
    expect(await streamed([delta('Half an')])).toBe('data: {"response":"Half an"}\n\n')
  })

  it('[L24] upstream failures have the names of Workers AI, and never the upstream words', async () => {
    const statuses = [429, 413, 404, 408, 400, 500]
    replies = statuses.map((status) => ({ status }))
    const seen: unknown[] = []
    for (const _ of statuses) seen.push(await failure('writer', { messages }))
    expect(seen.map((text) => String(text).replace('InferenceUpstreamError: ', '').slice(0, 4))).toEqual([
      '3040',
      '3006',
      '5007',
      '3007',
      '5004',
      '3043',
    ])
    expect(seen.join()).not.toMatch('secret')
  })
})

it('[L356] a model with an address of its own is asked there, with its key and within its window; what it says of its end is kept', async () => {
  replies = [{ body: { choices: [{ message: { content: 'half of' }, finish_reason: 'length' }], usage: { prompt_tokens: 1 } } }]
  const messages = [{ role: 'user', content: 'hello' }]
  expect(await run('own', { messages, max_tokens: 100 })).toEqual({
    response: 'half of',
    finish_reason: 'length',
    usage: { prompt_tokens: 1 },
  })
  expect(asked[0]).toMatchObject({ url: '/own/v1/chat/completions', key: 'Bearer o' })
  expect(await failure('own', { messages, max_tokens: 300 })).toMatch('5021')
})

it('[F1972] a recording goes to the server as a form, and what it hears comes back as it is', async () => {
  const heard = { text: 'A heron waits.', duration: 3, segments: [{ start: 1, end: 2, text: ' A heron waits.' }] }
  replies = [{ body: heard }]
  expect(await run('whisper', { audio: btoa('ID3 sound'), media: 'audio/mpeg' })).toEqual(heard)
  expect(asked[0]).toMatchObject({
    url: '/v1/audio/transcriptions',
    key: 'Bearer k',
    body: { type: expect.stringContaining('multipart/form-data; boundary=') },
  })
  for (const part of ['name="model"', 'whisper', 'verbose_json', 'filename="recording.mp3"', 'ID3 sound'])
    expect(asked[0]?.body.form).toContain(part)
  replies = [{ status: 413 }]
  expect(await failure('whisper', { audio: btoa('ID3'), media: 'audio/mpeg' })).toContain('3006')
})

it('[F1992] a picture goes to the server as it was sent; one whose address does not hold it is refused, as production refuses it', async () => {
  const reply = { choices: [{ message: { role: 'assistant', content: 'A heron.' }, finish_reason: 'stop' }] }
  replies = [{ body: reply }]
  const look = (picture: string) => ({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read it.' },
          { type: 'image_url', image_url: { url: picture } },
        ],
      },
    ],
    max_tokens: 9,
  })
  expect(await run('llava', look('data:image/png;base64,iVBO'))).toEqual(reply)
  expect(asked[0]).toMatchObject({
    url: '/v1/chat/completions',
    key: 'Bearer k',
    body: { model: 'llava', ...look('data:image/png;base64,iVBO') },
  })
  for (const other of ['https://example.org/heron.png', 'data:application/pdf;base64,JVBE', 'data:image/png;base64,'])
    expect([other, await failure('llava', look(other))]).toEqual([other, expect.stringContaining('5004')])
})

it('[L20] a reranker answers best first, cut at top_k', async () => {
  const results = [
    { index: 0, relevance_score: 0.1 },
    { index: 1, relevance_score: 0.9 },
    { index: 2, relevance_score: 0.5 },
  ]
  replies = [{ body: { results } }]
  const inputs = { query: 'q', contexts: [{ text: 'a' }, { text: 'b' }, { text: 'c' }], top_k: 2 }
  expect(await run('ranker', inputs)).toEqual({
    response: [
      { id: 1, score: 0.9 },
      { id: 2, score: 0.5 },
    ],
  })
  expect(asked[0]).toMatchObject({ url: '/v1/rerank', body: { model: 'ranker', query: 'q', documents: ['a', 'b', 'c'] } })
})
