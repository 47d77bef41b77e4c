/** Official clients of other doors, and our own, against a running Loam. One start for all of them. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { generateText, streamText } from 'ai'
import { buildSync } from 'esbuild'
import OpenAI, { APIError } from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildClient } from '../../../scripts/build-client.mjs'
import { startLoam } from '../../../scripts/lib/start-loam.mjs'
import { type AnswerEvent, type CorpusClient, Loam, LoamError } from '../../../src/client/client'
import { newDocumentSchema } from '../../../src/contract/documents'
import { querySchema, searchSchema } from '../../../src/contract/questions'

const MILL = 'Bread is baked in the old mill on Tuesdays. The miller is called Otto Brandt. Otto Brandt sings while the oven is lit.'
const PORT = 'Ships leave the harbour of Vell at high tide. Ada Quill counts them from the lighthouse. Otto Brandt sends bread aboard.'

const NOWHERE = 'http://127.0.0.1:9' // nothing outside is asked

const root = join(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'loam-doors-'))
let running: { readonly url: string; readonly key: string; stop(): Promise<void> }
let loam: Loam
let town: CorpusClient
let reader: string

beforeAll(async () => {
  running = await startLoam({
    quiet: true,
    env: { ...process.env, PORT: '0', LOAM_STATE: folder, LOCAL_MODEL_URL: 'hash', OUTBOUND_TARGETS: 'anywhere' },
  })
  loam = new Loam({ url: running.url, key: running.key })
  town = loam.corpus('town')
  await town.create({ strategies: ['erarag', 'cluerag', 'gorag'] })
  const upserts = [
    { id: 'the mill', text: MILL, title: 'The mill', url: 'https://example.com/mill', metadata: { place: 'north' } },
    { id: 'port/Wörth', text: PORT, title: 'The harbour', metadata: { place: 'south' } },
  ]
  const { job } = await town.batch({ upserts })
  await town.waitForJob(job ?? '')
  const many = loam.corpus('many')
  await many.create({ strategies: [] })
  await many.batch({ upserts: Array.from({ length: 150 }, (_, i) => ({ id: `leaf ${i}`, text: `Leaf ${i} is green.` })) })
  reader = (await loam.mintKey({ name: 'reader', scopes: ['read'], corpora: ['town'] })).key
})

afterAll(async () => {
  await running?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function gathered<T>(all: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = []
  for await (const one of all) out.push(one)
  return out
}

async function failure(act: Promise<unknown>): Promise<unknown> {
  return act.then(
    () => 'no failure',
    (error) => error,
  )
}

describe('our own client', () => {
  it('[D10] answers whole and as a stream, with the same citations', async () => {
    const whole = await town.query({ query: 'When is bread baked?' })
    expect(whole.answer).toContain('Tuesdays')
    const events = await gathered(town.ask({ query: 'When is bread baked?' }))
    const names = events.map((one) => one.event)
    expect([names[0], names.at(-1)]).toEqual(['retrieval', 'done'])
    const text = events.flatMap((one) => (one.event === 'delta' ? [one.data.text] : [])).join('')
    const citations = events.flatMap((one) => (one.event === 'citation' ? [one.data] : []))
    expect([text, citations]).toEqual([whole.answer, whole.citations])
    for (const { document, start, end, quote } of citations) expect((await town.document(document)).text?.slice(start, end)).toBe(quote)
  })

  it('[D10] a reader who leaves a stream leaves nothing hanging', async () => {
    const seen: AnswerEvent[] = []
    for await (const event of town.ask({ query: 'When is bread baked?' })) {
      seen.push(event)
      break
    }
    expect(seen).toHaveLength(1)
  })

  it('[D10] waits for jobs, walks pages, and names failures by a code', async () => {
    const corpus = loam.corpus('paper')
    await corpus.create()
    const { job } = await corpus.batch({
      upserts: Array.from({ length: 60 }, (_, i) => ({ id: `p${i}`, text: `Page ${i} is about paper.` })),
    })
    const done = await corpus.waitForJob(job ?? '')
    expect([done.status, done.receipt?.touched.documents]).toEqual(['succeeded', 60])
    expect(await gathered(corpus.documents())).toHaveLength(60)
    const missing = await failure(corpus.document('none'))
    expect(missing).toBeInstanceOf(LoamError)
    expect(missing).toMatchObject({ code: 'document_not_found', status: 404, more: { requestId: expect.any(String) } })
    const unfit = await failure(corpus.search({ query: ' ', top_k: 0 }))
    expect(unfit).toMatchObject({ code: 'invalid', more: { errors: [{ path: 'query' }, { path: 'top_k' }] } })
    expect(await failure(new Loam({ url: 'http://127.0.0.1:9', retries: 0 }).health())).toMatchObject({ code: 'unreachable' })
  })

  it('[D13] what is exported can be imported: documents letter for letter, labels with their examples', async () => {
    await town.putLabel('baking', { description: 'About bread', examples: ['The oven is lit.'] })
    const long = `${Array.from({ length: 400 }, (_, i) => `Sentence ${i} tells of brook number ${i * 7}.`).join(' ')}\n\nThe end.`
    const { job } = await town.put('long', { text: long, metadata: { deep: { list: [1, null] } } })
    await town.waitForJob(job ?? '')
    const lines = await (await town.export()).text()
    const copy = loam.corpus('copy')
    await copy.create({ strategies: ['gorag'] })
    const imported = await copy.import(lines)
    expect(imported).toMatchObject({ documents: 3, labels: 1, unchanged: 0 })
    for (const one of imported.jobs) await copy.waitForJob(one)
    for (const id of ['the mill', 'port/Wörth', 'long']) {
      const { text, title, url, metadata } = await copy.document(id)
      expect({ text, title, url, metadata }).toEqual({ ...pick(await town.document(id)) })
    }
    expect((await copy.labels()).data).toMatchObject([
      { label: 'baking', description: 'About bread', examples: [{ text: 'The oven is lit.' }] },
    ])
    expect(await copy.import(lines)).toMatchObject({ job: null, unchanged: 3 })
    const broken = await failure(copy.import('{"type":"document","id":"x"}\nnot json\n'))
    expect(broken).toMatchObject({ code: 'invalid', more: { errors: [{ path: 'line 2' }, { path: 'document x' }] } })
    expect(await failure(copy.document('x'))).toMatchObject({ code: 'document_not_found' })
  })

  it('[D19] a document leads to the receipt of the commit that made it visible', async () => {
    const corpus = loam.corpus('told')
    await corpus.create({ strategies: ['archrag'] })
    const jobs: string[] = []
    for (const [id, text] of [['mill', MILL] as const, ['port', PORT] as const]) {
      const { job = '' } = await corpus.put(id, text)
      jobs.push((await corpus.waitForJob(job)).job)
    }
    expect(await corpus.put('port', PORT)).toEqual({ document: 'port', status: 'unchanged' })
    const { indexed_version } = await corpus.document('port')
    const { data, next_cursor } = await corpus.receipts({ after: indexed_version - 1, limit: 1 })
    expect(data).toMatchObject([{ version: indexed_version, jobs: [jobs[1]], touched: { documents: 1 } }])
    const rest = await corpus.receipts({ after: indexed_version - 1, ...(next_cursor ? { cursor: next_cursor } : {}) })
    const all = await corpus.receipts()
    expect(all.data.slice(0, indexed_version)).toEqual([...all.data.slice(0, indexed_version - 1), data[0]])
    expect(next_cursor === null ? [] : rest.data).toEqual(all.data.slice(indexed_version))
    expect((await corpus.health()).head?.hash).toBe(all.data.at(-1)?.hash)
    expect(await failure(corpus.receipts({ after: 0.5 }))).toMatchObject({ code: 'invalid' })
  })
})

describe('the documentation of clients', () => {
  it('[D14] runs as it stands', async () => {
    const pages = ['README.md', 'docs/clients.md'].map((page) => readFileSync(join(root, page), 'utf8'))
    const examples = pages
      .flatMap((page) => [...page.matchAll(/^```ts run\n(.*?)^```$/gms)].map(([, code]) => code ?? ''))
      .map((code) => code.replaceAll('https://example.org', NOWHERE))
    expect(examples.length).toBe(9)
    const frameworks = ['langchain', 'llamaindex', 'ai-sdk'].map((name) => readFileSync(join(root, `examples/${name}.ts`), 'utf8'))
    examples.push(...frameworks)
    const env = { ...process.env, LOAM_URL: running.url, LOAM_KEY: running.key }
    const said = examples.map((code, i) => {
      const outfile = join(root, '.loam', `example-${process.pid}-${i}.mjs`)
      const bases = join(import.meta.dirname, 'base-retrievers.ts')
      const cores = ['langchain/core/documents', 'langchain/core/retrievers', 'llamaindex/core/retriever', 'llamaindex/core/schema']
      const alias = { 'loam/client': join(root, 'src/client/client.ts'), ...Object.fromEntries(cores.map((name) => [`@${name}`, bases])) }
      buildSync({
        stdin: { contents: code, resolveDir: root, loader: 'ts' },
        bundle: true,
        format: 'esm',
        platform: 'node',
        packages: 'external',
        alias,
        outfile,
      })
      try {
        return execFileSync(process.execPath, [outfile], { env, encoding: 'utf8', timeout: 90_000 })
      } finally {
        rmSync(outfile)
      }
    })
    expect(said.map((text) => /frogs|no dodo|follows its page|its receipt is/.test(text))).toEqual(examples.map(() => true))
  })

  it('[D15] the built client holds the client, the list of operations, its pauses between repeats and a parser of event streams', () => {
    const { metafile } = buildClient(join(folder, 'client.js'))
    const inputs = Object.keys(metafile?.inputs ?? {}).map((name) =>
      name.replace(/[^/]*$/, (file) => (/^src\/(core|contract)\//.test(name) ? file : '')),
    )
    expect([...new Set(inputs)].sort()).toEqual([
      'node_modules/eventsource-parser/dist/',
      'src/client/',
      'src/contract/operations.ts',
      'src/core/backoff.ts',
    ])
  })
})

function pick({ text, title, url, metadata }: { text?: string | undefined; title: string; url: string | null; metadata: unknown }) {
  return { text, title, url, metadata }
}

describe('OpenAI’s client', () => {
  const client = (apiKey = reader) => new OpenAI({ baseURL: `${running.url}/v1`, apiKey, maxRetries: 0 })
  const ask = (text: string) => [{ role: 'user' as const, content: text }]

  it('[D21] lists corpora, and corpora with strategies, as models; only those the key sees', async () => {
    const ids = (await client().models.list()).data.map((one) => one.id)
    expect(ids).toEqual(expect.arrayContaining(['town', 'town:auto', 'town:hybrid', 'town:erarag']))
    expect(ids.filter((id) => !/^(?:loam\/)?town/.test(id))).toEqual([])
    expect(ids).not.toContain('town:gorag')
    expect(await client().models.retrieve('town:erarag')).toMatchObject({ id: 'town:erarag', object: 'model', owned_by: 'loam' })
    expect(await failure(client().models.retrieve('paper'))).toMatchObject({ status: 404, code: 'model_not_found' })
  })

  it('[D21] answers from the corpus, with citations and usage', async () => {
    const reply = await client().chat.completions.create({ model: 'town', messages: ask('When is bread baked?') })
    expect(reply).toMatchObject({
      object: 'chat.completion',
      model: 'town',
      choices: [{ finish_reason: 'stop', message: { role: 'assistant' } }],
    })
    const [choice] = reply.choices
    expect(choice?.message.content).toContain('Tuesdays')
    const [note] = choice?.message.annotations ?? []
    expect(note?.url_citation.url).toBe('https://example.com/mill')
    const { citations } = reply as unknown as { citations: { document: string; quote: string }[] }
    expect(citations[0]).toMatchObject({ document: 'the mill', verified: true })
    expect(reply.usage?.total_tokens).toBe((reply.usage?.prompt_tokens ?? -1) + (reply.usage?.completion_tokens ?? 0))
  })

  it('[D21] streams the same answer, with usage where it is asked for', async () => {
    const whole = await client().chat.completions.create({ model: 'town:hybrid', messages: ask('When is bread baked?') })
    const stream = await client().chat.completions.create({
      model: 'town:hybrid',
      messages: ask('When is bread baked?'),
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = await gathered(stream)
    expect(chunks.map((one) => one.choices[0]?.delta.content ?? '').join('')).toBe(whole.choices[0]?.message.content)
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } })
    expect(chunks.at(-2)).toMatchObject({ choices: [{ finish_reason: 'stop' }], citations: [{ document: 'the mill' }] })
    expect(new Set(chunks.map((one) => one.id)).size).toBe(1)
  })

  it('[D21] what was said before is part of the question', async () => {
    const messages = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'user' as const, content: 'Tell me about the harbour of Vell.' },
      { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'Ships leave it.' }] },
      { role: 'user' as const, content: 'And when?' },
    ]
    const alone = await client().chat.completions.create({ model: 'town:keyword', messages: ask('And when?') })
    const reply = await client().chat.completions.create({ model: 'town:keyword', messages })
    expect(alone.choices[0]?.message.content).not.toContain('tide')
    expect(reply.choices[0]?.message.content).toContain('tide')
  })

  it('[D24] honours the names of Cloudflare AI Search where they mean the same', async () => {
    const search = async (retrieval: object) => {
      const body = { model: 'town', messages: ask('What does Otto Brandt do?'), ai_search_options: { retrieval, cache: { enabled: true } } }
      const reply = await client().post<{ chunks: { item: { key: string }; text: string }[] }>('/chat/completions', { body })
      return reply.chunks.map((one) => one.item.key)
    }
    expect(await search({ retrieval_type: 'keyword', max_num_results: 1 })).toHaveLength(1)
    expect(new Set(await search({ retrieval_type: 'keyword' }))).toEqual(new Set(['the mill', 'port/Wörth']))
    expect(new Set(await search({ filters: { place: 'south' } }))).toEqual(new Set(['port/Wörth']))
    expect(new Set(await search({ filters: { place: { $in: ['north'] } } }))).toEqual(new Set(['the mill']))
    const elsewhere = await search({ filters: { place: { $ne: 'north' } } }) // and what has no place at all
    expect([elsewhere.includes('port/Wörth'), elsewhere.includes('the mill')]).toEqual([true, false])
    expect(new Set(await search({ filters: { place: { $gte: 'o', $nin: ['sea'] } } }))).toEqual(new Set(['port/Wörth']))
    expect(await search({ filters: { place: { $eq: 'north', $in: ['south'] } } })).toEqual([])
    expect(await failure(search({ filters: { place: { $regex: 'n' } } }))).toMatchObject({ status: 400 })
    expect(await failure(search({ retrieval_type: 'magic' }))).toMatchObject({ status: 400 })
  })

  it('[D152] errors have OpenAI’s form, also before a stream begins', async () => {
    const wrong = async (act: Promise<unknown>) => {
      const error = await failure(act)
      expect(error).toBeInstanceOf(APIError)
      const { status, code, type, param } = error as APIError
      return [status, type, code, param]
    }
    const create = (model: string, more: object = {}, key = reader) =>
      client(key).chat.completions.create({ model, messages: ask('When?'), ...more } as OpenAI.ChatCompletionCreateParams)
    expect(await wrong(create('town', {}, 'nonsense'))).toEqual([401, 'authentication_error', 'invalid_api_key', null])
    expect(await wrong(create('paper'))).toEqual([404, 'invalid_request_error', 'model_not_found', 'model'])
    expect(await wrong(create('paper', { stream: true }))).toEqual([404, 'invalid_request_error', 'model_not_found', 'model'])
    expect(await wrong(create('town:archrag'))).toEqual([404, 'invalid_request_error', 'model_not_found', 'model'])
    expect(await wrong(create('town:magic'))).toEqual([400, 'invalid_request_error', 'invalid', 'strategy'])
    expect(await wrong(create('town', { messages: [] }))).toEqual([400, 'invalid_request_error', 'invalid', 'messages'])
    const picture = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }]
    expect(await wrong(create('town', { messages: picture }))).toEqual([400, 'invalid_request_error', 'invalid', 'messages'])
    expect(await wrong(create('town', { n: 2 }))).toEqual([400, 'invalid_request_error', 'invalid', 'n'])
  })
})

describe('the AI SDK', () => {
  const provider = () => createOpenAICompatible({ name: 'loam', baseURL: `${running.url}/v1`, apiKey: reader, includeUsage: true })

  it('[D21] generates and streams through its OpenAI-compatible provider', async () => {
    const { text, finishReason } = await generateText({ model: provider()('town:hybrid'), prompt: 'When is bread baked?' })
    expect([text.includes('Tuesdays'), finishReason]).toEqual([true, 'stop'])
    const stream = streamText({ model: provider()('town:hybrid'), prompt: 'When is bread baked?' })
    expect((await gathered(stream.textStream)).join('')).toBe(text)
    expect((await stream.usage).totalTokens).toBe(0)
  })
})

interface Tool {
  readonly inputSchema: { readonly properties?: { readonly [name: string]: object } | undefined }
  readonly name: string
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean } | undefined
  readonly outputSchema?: unknown
}

/** What both generations of the official client can do. */
interface Caller {
  listTools(): Promise<{ tools: Tool[] }>
  callTool(call: { name: string; arguments: { [name: string]: unknown } }): Promise<{ [name: string]: unknown }>
  listResources(params?: { cursor?: string }): Promise<{ resources: { uri: string; name: string }[]; nextCursor?: string | undefined }>
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>
  listPrompts(): Promise<{ prompts: { name: string }[] }>
  getPrompt(request: { name: string; arguments: { [name: string]: string } }): Promise<{ messages: unknown[] }>
  readResource(request: { uri: string }): Promise<{ contents: unknown[] }>
  close(): Promise<void>
}

const generations = {
  '1.x': async (url: URL, key: string): Promise<Caller> => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } }))
    return client as unknown as Caller
  },
  '2.x': async (url: URL, key: string): Promise<Caller> => {
    const client = new Client2({ name: 'test', version: '1' })
    await client.connect(new Transport2(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } }))
    return client as unknown as Caller
  },
} as const

describe.each(['1.x', '2.x'] as const)('the Model Context Protocol, official client %s', (generation) => {
  async function connected<T>(key: string, act: (client: Caller) => Promise<T>, path = '/mcp'): Promise<T> {
    const client = await generations[generation](new URL(path, running.url), key)
    try {
      return await act(client)
    } finally {
      await client.close()
    }
  }
  const reading = ['ask', 'explore_entity', 'fetch', 'get_document', 'list_corpora', 'search']

  it('[D30] the scopes of the key decide which tools there are, and each says what it does', async () => {
    const { tools } = await connected(reader, (client) => client.listTools())
    expect(tools.map((one) => one.name).sort()).toEqual(reading)
    for (const { annotations, outputSchema } of tools)
      expect([annotations?.readOnlyHint, outputSchema === undefined]).toEqual([true, false])
    const writer = (await loam.mintKey({ name: 'writer', scopes: ['write'], corpora: ['town'] })).key
    const { tools: writing } = await connected(writer, (client) => client.listTools())
    expect(writing.map((one) => [one.name, one.annotations?.readOnlyHint])).toEqual([
      ['add_document', false],
      ['delete_document', false],
    ])
    const both = await connected(running.key, (client) => client.listTools())
    expect(both.tools).toHaveLength(reading.length + 2)
    expect(String(await failure(connected('nonsense', (client) => client.listTools())))).toMatch(/401|unauthori[sz]ed/i)
  })

  it('[H252] tools take the members of the API’s bodies, as they are described there', async () => {
    const { tools } = await connected(running.key, (client) => client.listTools())
    const takenBy = (name: string) => tools.find((one) => one.name === name)?.inputSchema.properties ?? {}
    const without = (shape: object, ...left: string[]) => Object.keys(shape).filter((name) => !left.includes(name))
    expect(Object.keys(takenBy('search')).sort()).toEqual([...without(searchSchema.shape, 'trace', 'options'), 'corpus'].sort())
    const asking = without(querySchema.shape, 'trace', 'options', 'stream', 'query')
    expect(Object.keys(takenBy('ask')).sort()).toEqual([...asking, 'question', 'corpus'].sort())
    expect(Object.keys(takenBy('add_document')).sort()).toEqual([...Object.keys(newDocumentSchema.shape), 'id', 'corpus'].sort())
    expect(takenBy('ask').top_k).toMatchObject({ description: querySchema.shape.top_k.description })
  })

  it('[D32] search and fetch have the shape deep-research clients expect', async () => {
    const found = await connected(reader, (client) => client.callTool({ name: 'search', arguments: { query: 'When is bread baked?' } }))
    const { results } = found.structuredContent as { results: { id: string; title: string; url: string }[] }
    const [text] = found.content as { type: string; text: string }[]
    expect(JSON.parse(text?.text ?? '')).toEqual(found.structuredContent)
    expect(results[0]).toMatchObject({ id: 'town/the%20mill', title: 'The mill', url: 'https://example.com/mill' })
    const [, other] = results
    expect(other?.url).toBe(`${running.url}/v1/corpora/town/documents/port%2FW%C3%B6rth`)
    const fetched = await connected(reader, (client) => client.callTool({ name: 'fetch', arguments: { id: other?.id } }))
    const document = { id: other?.id, title: 'The harbour', text: PORT, url: other?.url, metadata: { place: 'south' } }
    expect(fetched.structuredContent).toEqual(document)
    expect(JSON.parse((fetched.content as { text: string }[])[0]?.text ?? '')).toEqual(document)
  })

  it('[D32] ask, get_document, explore_entity and list_corpora answer as data and as text', async () => {
    await connected(reader, async (client) => {
      const call = async (name: string, args: object) => client.callTool({ name, arguments: { ...args } })
      const asked = await call('ask', { question: 'When is bread baked?' })
      expect(asked.structuredContent).toMatchObject({ corpus: 'town', citations: [{ document: 'the mill', verified: true }] })
      expect((asked.content as { text: string }[])[0]?.text).toContain('[1] The mill')
      const part = await call('get_document', { document: 'the mill', start: 9, end: 14 })
      expect(part.structuredContent).toMatchObject({ text: MILL.slice(9, 14), start: 9, end: 14, length: MILL.length })
      const explored = (await call('explore_entity', { entity: 'otto brandt' })).structuredContent as {
        entity: { kind: string }
        edges: object[]
      }
      expect([explored.entity.kind, explored.edges.length > 0]).toEqual(['entity', true])
      const { corpora } = (await call('list_corpora', {})).structuredContent as { corpora: { corpus: string }[] }
      expect(corpora.map((one) => one.corpus)).toEqual(['town'])
    })
  })

  it('[D1603] `ask` says what a newer document replaced and what contradicts, as data and in words', async () => {
    const corpus = `isles-${generation.slice(0, 1)}`
    const isles = loam.corpus(corpus)
    await isles.create({ strategies: [] })
    const { job } = await isles.batch({
      upserts: [
        { id: 'fares-2022', text: 'The ferry to Norhaven costs 30 thalers.', published_at: '2022-03-01' },
        { id: 'fares-2024', text: 'The ferry to Norhaven costs 40 thalers.', published_at: '2024-03-01' },
        { id: 'atlas', text: 'The lake of Norhaven is 84 metres deep.' },
        { id: 'guide', text: 'The lake of Norhaven is 97 metres deep.' },
      ],
    })
    await isles.waitForJob(job ?? '')
    await connected(running.key, async (client) => {
      const ask = async (question: string) => {
        const asked = await client.callTool({ name: 'ask', arguments: { question, corpus, strategy: 'hybrid' } })
        return { data: asked.structuredContent, text: (asked.content as { text: string }[])[0]?.text }
      }
      const fare = await ask('What does the ferry to Norhaven cost?')
      expect(fare.data).toMatchObject({ superseded: [{ current: { document: 'fares-2024' }, replaced: [{ document: 'fares-2022' }] }] })
      expect(fare.data).not.toHaveProperty('conflicts')
      expect(fare.text).toMatch(/^replaced: “[^”]*40 thalers\.?” \(fares-2024\) replaces “[^”]*30 thalers\.?” \(fares-2022\)$/m)
      const lake = await ask('How deep is the lake of Norhaven?')
      const sides = [{ document: expect.stringMatching(/^(?:atlas|guide)$/) }, { document: expect.stringMatching(/^(?:atlas|guide)$/) }]
      expect(lake.data).toMatchObject({ conflicts: [{ statements: sides }] })
      expect(lake.text).toMatch(/^conflict: “[^”]*(?:84|97) metres[^”]*” \((?:atlas|guide)\) \/ “[^”]*(?:84|97) metres/m)
    })
    await isles.drop()
  })

  it('[D30] what fails is explained to the model, which can try another way', async () => {
    await connected(running.key, async (client) => {
      const unnamed = await client.callTool({ name: 'ask', arguments: { question: 'When?' } })
      expect([unnamed.isError, (unnamed.content as { text: string }[])[0]?.text]).toEqual([true, expect.stringContaining('town')])
      const missing = await client.callTool({ name: 'get_document', arguments: { document: 'none', corpus: 'town' } })
      expect([missing.isError, (missing.content as { text: string }[])[0]?.text]).toEqual([
        true,
        expect.stringContaining('document_not_found'),
      ])
      const foreign = await client.callTool({ name: 'fetch', arguments: { id: 'nonsense' } })
      expect(foreign.isError).toBe(true)
    })
    const hidden = await connected(reader, (client) => client.callTool({ name: 'search', arguments: { query: 'x', corpus: 'paper' } }))
    expect([hidden.isError, (hidden.content as { text: string }[])[0]?.text]).toEqual([true, expect.stringContaining('corpus_not_found')])
  })

  it('[D34] a connection can be about one corpus', async () => {
    const asked = await connected(
      running.key,
      (client) => client.callTool({ name: 'ask', arguments: { question: 'When is bread baked?' } }),
      '/mcp?corpus=town',
    )
    expect(asked.structuredContent).toMatchObject({ corpus: 'town' })
  })

  it('[D32] documents are resources', async () => {
    await connected(reader, async (client) => {
      const { resources } = await client.listResources()
      expect(resources.map((one) => one.uri)).toEqual(
        expect.arrayContaining(['loam://town/documents/the%20mill', 'loam://town/documents/port%2FW%C3%B6rth']),
      )
      const { contents } = await client.readResource({ uri: 'loam://town/documents/port%2FW%C3%B6rth' })
      expect(contents).toMatchObject([{ uri: 'loam://town/documents/port%2FW%C3%B6rth', text: PORT }])
      expect(String(await failure(client.readResource({ uri: 'loam://town/documents/none' })))).toContain('document_not_found')
    })
  })

  it('[D729] prompts ask with sources, summarise a document, and compare the strategies that are switched on', async () => {
    await connected(reader, async (client) => {
      const { prompts } = await client.listPrompts()
      expect(prompts.map((one) => one.name).sort()).toEqual(['ask_with_sources', 'compare_strategies', 'summarise_document'])
      const text = async (name: string, args: { [name: string]: string }) =>
        JSON.stringify((await client.getPrompt({ name, arguments: args })).messages)
      expect(await text('ask_with_sources', { question: 'When is bread baked?' })).toContain('“town”: When is bread baked?')
      const summary = await client.getPrompt({ name: 'summarise_document', arguments: { document: 'the mill' } })
      expect(summary.messages.at(-1)).toMatchObject({
        content: { type: 'resource', resource: { uri: 'loam://town/documents/the%20mill', text: MILL } },
      })
      expect(await text('compare_strategies', { question: 'When?' })).toMatch(/strategy.*keyword.*erarag/)
      expect(String(await failure(text('summarise_document', { document: 'none' })))).toContain('document_not_found')
      expect(String(await failure(text('ask_with_sources', { question: 'x', corpus: 'paper' })))).not.toContain('Page')
    })
  })

  it('[D728] the list of resources goes on where a page ends, through every corpus the key sees', async () => {
    await connected(running.key, async (client) => {
      const listed: string[] = []
      let pages = 0
      for (let cursor: string | undefined; pages === 0 || cursor !== undefined; pages++) {
        const { resources, nextCursor } = await client.listResources(cursor === undefined ? {} : { cursor })
        listed.push(...resources.map((one) => one.uri))
        cursor = nextCursor
      }
      // The newer client follows the pages by itself.
      expect([new Set(listed).size, generation === '2.x' || pages > 1]).toEqual([listed.length, true])
      expect(listed.filter((uri) => uri.startsWith('loam://town/documents/')).length).toBeGreaterThan(1)
      expect(listed.filter((uri) => uri.startsWith('loam://many/documents/'))).toHaveLength(150)
      expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
        { uriTemplate: 'loam://{corpus}/documents/{document}' },
      ])
      expect(String(await failure(client.listResources({ cursor: 'nonsense' })))).toContain('cursor')
    })
  })

  it('[D32] a document is added, found, and deleted without a trace', async () => {
    await connected(running.key, async (client) => {
      const args = {
        id: `note ${generation}`,
        corpus: 'town',
        text: `The beekeeper of generation ${generation} is called Juna.`,
        title: 'Bees',
      }
      expect((await client.callTool({ name: 'add_document', arguments: args })).structuredContent).toMatchObject({ status: 'succeeded' })
      const search = { name: 'search', arguments: { query: 'Who is the beekeeper Juna?', corpus: 'town', strategy: 'keyword' } }
      expect(JSON.stringify((await client.callTool(search)).structuredContent)).toContain(`note ${generation}`)
      const gone = await client.callTool({ name: 'delete_document', arguments: { id: args.id, corpus: 'town' } })
      expect(gone.structuredContent).toMatchObject({ status: 'succeeded' })
      expect(JSON.stringify((await client.callTool(search)).structuredContent)).not.toContain('Juna')
    })
  })
})

/** What a client of MCP keeps while a person lets it in. */
class Visitor implements OAuthClientProvider {
  sentTo: URL | undefined
  readonly #kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string } = {}
  readonly redirectUrl = 'http://127.0.0.1:9/callback'
  readonly clientMetadata = {
    client_name: 'A <b>test</b>',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  state = () => 'a-state'
  clientInformation = () => this.#kept.client
  saveClientInformation = (client: OAuthClientInformationMixed) => void Object.assign(this.#kept, { client })
  tokens = () => this.#kept.tokens
  saveTokens = (tokens: OAuthTokens) => void Object.assign(this.#kept, { tokens })
  saveCodeVerifier = (verifier: string) => void Object.assign(this.#kept, { verifier })
  codeVerifier = () => this.#kept.verifier ?? ''
  redirectToAuthorization(url: URL): void {
    this.sentTo = url
  }
}

describe('the Model Context Protocol by OAuth', () => {
  interface Page {
    readonly status: number
    readonly html: string
    readonly cookie: string
    readonly location: string | null
    readonly policy: string
  }
  const seen = async (url: URL | undefined, init: RequestInit = {}): Promise<Page> => {
    const response = await fetch(url ?? '', { redirect: 'manual', ...init })
    const cookie = response.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const [location, policy] = ['location', 'content-security-policy'].map((name) => response.headers.get(name))
    return { status: response.status, html: await response.text(), cookie, location: location ?? null, policy: policy ?? '' }
  }
  const sent = (visitor: Visitor, page: Page, fields: readonly (readonly [string, string])[]) => {
    const handle = /name="handle" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
    const body = new URLSearchParams([['handle', handle], ...fields.map(([name, value]) => [name, value])])
    return seen(visitor.sentTo, { method: 'POST', body, headers: { cookie: page.cookie } })
  }
  const begin = async (visitor: Visitor) => {
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', running.url), { authProvider: visitor })
    expect(String(await failure(new Client({ name: 'test', version: '1' }).connect(transport)))).toMatch(/unauthorized/i)
    return transport
  }

  it('[D727] a client that knows the address alone is let in by a key on a page, as far as was ticked', async () => {
    const both = await loam.mintKey({ name: 'both', scopes: ['read', 'write'], corpora: ['town'] })
    const visitor = new Visitor()
    const transport = await begin(visitor)
    const page = await seen(visitor.sentTo)
    expect([page.status, page.html.includes('A &lt;b&gt;test&lt;/b&gt;'), page.html.includes('<script')]).toEqual([200, true, false])
    expect(page.policy).toContain("default-src 'none'")
    const wrong = await sent(visitor, page, [
      ['key', 'loam_nonsense'],
      ['scope', 'read'],
      ['decision', 'allow'],
    ])
    expect([wrong.status, wrong.html.includes('not a valid key'), wrong.location]).toEqual([400, true, null])
    const allowed = await sent(visitor, wrong, [
      ['key', both.key],
      ['scope', 'read'],
      ['decision', 'allow'],
    ])
    expect([allowed.status, allowed.location?.startsWith(visitor.redirectUrl)]).toEqual([302, true])
    const back = new URL(allowed.location ?? '')
    expect(back.searchParams.get('state')).toBe('a-state')
    await transport.finishAuth(back.searchParams.get('code') ?? '')
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', running.url), { authProvider: visitor }))
    expect((await client.listTools()).tools.map((one) => one.name).sort()).toEqual([
      'ask',
      'explore_entity',
      'fetch',
      'get_document',
      'list_corpora',
      'search',
    ])
    const asked = await client.callTool({ name: 'ask', arguments: { question: 'When is bread baked?' } })
    expect(asked.structuredContent).toMatchObject({ corpus: 'town', citations: [{ document: 'the mill' }] })
    // The token opens nothing but /mcp, and nothing once the key is gone.
    const authorization = `Bearer ${visitor.tokens()?.access_token}`
    expect((await fetch(new URL('/v1/corpora', running.url), { headers: { authorization } })).status).toBe(401)
    await loam.revokeKey(both.id)
    await client.close()
    const at = () => fetch(new URL('/mcp', running.url), { method: 'POST', headers: { authorization }, body: '{}' })
    await expect.poll(async () => (await at()).status, { timeout: 90_000, interval: 2000 }).toBe(401)
  }, 180_000)

  it('[D727] who refuses, answers twice or from another browser grants nothing; without a token the answer says where to get one', async () => {
    const visitor = new Visitor()
    await begin(visitor)
    const page = await seen(visitor.sentTo)
    const stolen = await sent(visitor, { ...page, cookie: '' }, [
      ['key', reader],
      ['scope', 'read'],
      ['decision', 'allow'],
    ])
    expect([stolen.status, stolen.location]).toEqual([400, null])
    const refused = await sent(visitor, page, [['decision', 'deny']])
    expect(new URL(refused.location ?? '').searchParams.get('error')).toBe('access_denied')
    const again = await sent(visitor, page, [
      ['key', reader],
      ['scope', 'read'],
      ['decision', 'allow'],
    ])
    expect([again.status, again.location]).toEqual([400, null])
    const writes = await sent(visitor, await seen(visitor.sentTo), [
      ['key', reader],
      ['scope', 'write'],
      ['decision', 'allow'],
    ])
    expect([writes.status, writes.html.includes('has none of the rights you ticked')]).toEqual([400, true])
    const bare = await fetch(new URL('/mcp', running.url), { method: 'POST', body: '{}' })
    const metadata = `${running.url}/.well-known/oauth-protected-resource/mcp`
    expect([bare.status, bare.headers.get('www-authenticate')]).toEqual([401, `Bearer resource_metadata="${metadata}", scope="read"`])
    expect(await (await fetch(metadata)).json()).toMatchObject({ resource: `${running.url}/mcp`, authorization_servers: [running.url] })
    expect((await fetch(new URL('/mcp', running.url), { method: 'POST', headers: { authorization: 'Bearer a:b:c' } })).status).toBe(401)
    const unknown = await seen(new URL('/oauth/authorize?response_type=code&client_id=x&redirect_uri=https://evil.example/', running.url))
    expect([unknown.status, unknown.location]).toEqual([400, null])
  })
})
