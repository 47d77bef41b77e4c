/** OpenAI's own library against a running Loam: responses, embeddings, models, and markers of citations. Chats are in clients.test.ts. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI, { APIError } from 'openai'
import type { ChatCompletionChunk } from 'openai/resources/chat/completions'
import type { ResponseStreamEvent } from 'openai/resources/responses/responses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLoam } from '../../../scripts/lib/start-loam.mjs'
import { Loam } from '../../../src/client/client'
import { responseObject } from '../../../src/contract/responses'

const MILL = 'Bread is baked in the old mill on Tuesdays. The miller is called Otto Brandt. Otto Brandt sings while the oven is lit.'
const PORT = 'Ships leave the harbour of Vell at high tide. Ada Quill counts them from the lighthouse.'
const QUESTION = 'When is bread baked?'

const folder = mkdtempSync(join(tmpdir(), 'loam-openai-'))
let running: { readonly url: string; readonly key: string; stop(): Promise<void> }
let loam: Loam
let reader: string

beforeAll(async () => {
  running = await startLoam({ quiet: true, env: { ...process.env, PORT: '0', LOAM_STATE: folder, LOCAL_MODEL_URL: 'hash' } })
  loam = new Loam({ url: running.url, key: running.key })
  const town = loam.corpus('town')
  await town.create({ strategies: [] })
  await loam.corpus('other').create({ strategies: [] })
  const upserts = [
    { id: 'mill', text: MILL, title: 'The mill', url: 'https://example.com/mill (old)' },
    { id: 'port', text: PORT, title: 'The harbour' },
  ]
  const { job } = await town.batch({ upserts })
  await town.waitForJob(job ?? '')
  reader = (await loam.mintKey({ name: 'reader', scopes: ['read'], corpora: ['town'] })).key
})

afterAll(async () => {
  await running?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const client = (apiKey = reader) => new OpenAI({ baseURL: `${running.url}/v1`, apiKey, maxRetries: 0 })

async function refused(act: Promise<unknown>): Promise<readonly [unknown, unknown, unknown]> {
  const error = await act.then(
    () => undefined,
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(APIError)
  const { status, code, param } = error as APIError
  return [status, code, param]
}

describe('responses', () => {
  it('[D720] answer a text, with an annotation for each citation, of a URL or of a document that has none', async () => {
    const reply = await client().responses.create({ model: 'loam/town', input: QUESTION })
    expect(reply).toMatchObject({ object: 'response', status: 'completed', model: 'loam/town', store: false, error: null })
    expect(reply.output_text).toContain('Tuesdays')
    const [message] = reply.output
    expect(message).toMatchObject({ type: 'message', role: 'assistant', status: 'completed' })
    const notes = message?.type === 'message' && message.content[0]?.type === 'output_text' ? message.content[0].annotations : []
    expect(notes[0]).toMatchObject({ type: 'url_citation', title: 'The mill', start_index: 0 })
    expect(reply.usage?.total_tokens).toBe((reply.usage?.input_tokens ?? -1) + (reply.usage?.output_tokens ?? 0))
    const sea = await client().responses.create({ model: 'town:keyword', input: 'When do ships leave the harbour of Vell?' })
    expect(JSON.stringify(sea.output)).toContain('{"type":"file_citation","file_id":"port","filename":"The harbour","index":0}')
  })

  it('[D1603] [H2050] say what a newer document replaced and what contradicts, in chats too, whole and as a stream', async () => {
    const isles = loam.corpus('isles')
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
    const owner = client(running.key)
    const fare = { model: 'isles:hybrid', input: 'What does the ferry to Norhaven cost?' }
    const replaced = [{ current: { document: 'fares-2024' }, replaced: [{ document: 'fares-2022' }] }]
    const dear = await owner.responses.create(fare)
    expect(dear).toMatchObject({ superseded: replaced })
    expect(dear.output_text).toContain(
      '“The ferry to Norhaven costs 40 thalers.” (fares-2024) replaces “The ferry to Norhaven costs 30 thalers.”',
    )
    const completed = async (input: string) => {
      const events: ResponseStreamEvent[] = []
      for await (const one of await owner.responses.create({ model: 'isles:hybrid', input, stream: true })) events.push(one)
      return events.flatMap((one) => (one.type === 'response.completed' ? [one.response] : []))
    }
    expect(await completed(fare.input)).toMatchObject([{ superseded: replaced }])
    const deep = await completed('How deep is the lake of Norhaven?')
    expect(deep).toMatchObject([{ conflicts: [{ statements: [{ document: expect.any(String) }, { document: expect.any(String) }] }] }])
    expect(deep[0]).not.toHaveProperty('superseded')
    expect(JSON.stringify(deep[0]?.output)).toMatch(/Sources disagree: “[^”]+” \((?:atlas|guide)\) \/ “/)
    const messages = [{ role: 'user' as const, content: 'How deep is the lake of Norhaven?' }]
    const whole = await owner.chat.completions.create({ model: 'isles:hybrid', messages })
    expect(whole).toMatchObject({ conflicts: [{ statements: [{ document: expect.any(String) }, { document: expect.any(String) }] }] })
    const text = whole.choices[0]?.message.content
    expect(text).toMatch(/Sources disagree: .*84 metres.*97 metres|Sources disagree: .*97 metres.*84 metres/)
    const ends: ChatCompletionChunk[] = []
    for await (const chunk of await owner.chat.completions.create({ model: 'isles:hybrid', messages, stream: true })) ends.push(chunk)
    expect(ends.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe(text)
    expect(ends.filter((chunk) => 'conflicts' in chunk)).toHaveLength(1)
    expect(await owner.responses.create({ model: 'town', input: QUESTION })).not.toHaveProperty('conflicts')
  })

  it('[D720] read messages: the last of the user is the question, what stands before it the history', async () => {
    const input = [
      { role: 'developer' as const, content: 'Be brief.' },
      { role: 'user' as const, content: [{ type: 'input_text' as const, text: 'Tell me about the harbour of Vell.' }] },
      { type: 'reasoning' as const, id: 'rs_1', summary: [] },
      { role: 'assistant' as const, content: 'Ships leave it.' },
      { role: 'user' as const, content: 'And when?' },
    ]
    const alone = await client().responses.create({ model: 'town:keyword', input: 'And when?' })
    expect(alone.output_text).not.toContain('tide')
    const reply = await client().responses.create({ model: 'town:keyword', input, instructions: 'one sentence' })
    expect([reply.output_text.includes('tide'), reply.instructions]).toEqual([true, 'one sentence'])
  })

  it('[D720] stream the same answer as the documented events, numbered from 0', async () => {
    const whole = await client().responses.create({ model: 'town:hybrid', input: QUESTION })
    const events: ResponseStreamEvent[] = []
    for await (const one of await client().responses.create({ model: 'town:hybrid', input: QUESTION, stream: true })) events.push(one)
    expect(events.map((one) => one.sequence_number)).toEqual(events.map((_, i) => i))
    const types = events.map((one) => one.type)
    const once = types.filter((type, i) => type !== types[i - 1])
    expect(once).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.annotation.added',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(events.flatMap((one) => (one.type === 'response.output_text.delta' ? [one.delta] : [])).join('')).toBe(whole.output_text)
    const last = events.at(-1)
    expect(last?.type === 'response.completed' && last.response.output).toMatchObject([{ content: [{ text: whole.output_text }] }])
    for (const one of events) if ('response' in one) expect(responseObject.safeParse(one.response).error).toBeUndefined()
    const helper = client().responses.stream({ model: 'town:hybrid', input: QUESTION })
    expect((await helper.finalResponse()).output_text).toBe(whole.output_text)
  })

  it('[F950] are kept where they ask for it, and go on from one that was, whole and as a stream', async () => {
    const { responses, chat } = client()
    expect((await responses.create({ model: 'town', input: QUESTION })).id).not.toMatch(/^resp_[0-9a-f]{32}$/)
    const first = await responses.create({ model: 'town', input: QUESTION, store: true })
    expect(first).toMatchObject({ store: true, id: expect.stringMatching(/^resp_[0-9a-f]{32}$/) })
    const stream = await responses.create({ model: 'town', input: 'And who sings there?', previous_response_id: first.id, stream: true })
    const ids = new Set<string>()
    for await (const one of stream) if ('response' in one) ids.add(one.response.id)
    expect([...ids]).toEqual([expect.stringMatching(/^resp_[0-9a-f]{32}$/)])
    const [second = ''] = ids
    const conversation = first.conversation?.id ?? ''
    const third = await responses.create({ model: 'town', input: 'And when?', conversation })
    expect(third).toMatchObject({ store: true, conversation: { id: conversation } })
    const kept = new Loam({ url: running.url, key: reader }).corpus('town').conversations
    expect((await kept.get(conversation)).data.map(({ id, question }) => [id.slice(5), question])).toEqual([
      [first.id.slice(5), QUESTION],
      [second.slice(5), 'And who sings there?'],
      [third.id.slice(5), 'And when?'],
    ])
    // A chat goes on with the same.
    const messages = [{ role: 'user' as const, content: 'And where?' }]
    const said = await chat.completions.create({ model: 'town', messages, conversation } as OpenAI.ChatCompletionCreateParamsNonStreaming)
    expect(said).toMatchObject({ conversation: { id: conversation } })
    const before = [{ role: 'user' as const, content: QUESTION }, ...messages]
    expect(await refused(chat.completions.create({ model: 'town', messages: before, conversation } as never))).toEqual([
      400,
      'invalid',
      'messages',
    ])
    expect(await chat.completions.create({ model: 'town', messages: before, store: true })).toMatchObject({ conversation: null })
    expect(await refused(responses.create({ model: 'town', input: QUESTION, previous_response_id: first.id }))).toEqual([
      409,
      'conflict',
      null,
    ])
    expect(await refused(client(running.key).responses.create({ model: 'town', input: QUESTION, conversation }))).toEqual([
      404,
      'conversation_not_found',
      null,
    ])
    await kept.deleteAll()
  })

  it('[D721] refuse what they cannot honour and would change the answer, by name; other parameters are let through', async () => {
    const create = (more: object) =>
      client().responses.create({ model: 'town', input: QUESTION, ...more } as OpenAI.Responses.ResponseCreateParams)
    expect(await refused(create({ previous_response_id: 'resp_1' }))).toEqual([400, 'invalid', 'previous_response_id'])
    expect(await refused(create({ conversation: 'conv_1' }))).toEqual([400, 'invalid', 'conversation'])
    expect(await refused(create({ prompt: { id: 'p' } }))).toEqual([400, 'invalid', 'prompt'])
    expect(await refused(create({ background: true }))).toEqual([400, 'invalid', 'background'])
    expect(await refused(create({ text: { format: { type: 'json_object' } } }))).toEqual([400, 'invalid', 'text.format'])
    expect(await refused(create({ tool_choice: 'required' }))).toEqual([400, 'invalid', 'tool_choice'])
    expect(await refused(create({ instructions: 'x'.repeat(201) }))).toEqual([400, 'invalid', 'instructions'])
    expect(await refused(create({ input: [] }))).toEqual([400, 'invalid', 'input'])
    expect(await refused(create({ input: [{ type: 'item_reference', id: 'x' }] }))).toEqual([400, 'invalid', 'input'])
    const picture = [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://example.com/a.png' }] }]
    expect(await refused(create({ input: picture }))).toEqual([400, 'invalid', 'input'])
    expect(await refused(create({ model: 'other' }))).toEqual([404, 'model_not_found', 'model'])
    expect(await refused(create({ model: 'other', stream: true }))).toEqual([404, 'model_not_found', 'model'])
    expect(await refused(client().responses.retrieve('resp_1'))).toEqual([404, 'not_found', null])
    const others = {
      temperature: 0,
      top_p: 1,
      tools: [],
      tool_choice: 'auto',
      store: true,
      metadata: { a: 'b' },
      text: { format: { type: 'text' } },
    }
    expect(((await create({ ...others, previous_response_id: null, reasoning: { effort: 'low' } })) as { status: string }).status).toBe(
      'completed',
    )
  })
})

describe('embeddings', () => {
  it('[D722] are those of the corpus, of unit length, the same as floats and as base64', async () => {
    const texts = [QUESTION, PORT]
    const packed = await client().embeddings.create({ model: 'loam/town', input: texts }) // the library asks for base64 and unpacks it
    const plain = await client().embeddings.create({ model: 'town', input: texts, encoding_format: 'float' })
    expect(packed.data.map(({ embedding }) => embedding)).toEqual(plain.data.map(({ embedding }) => embedding))
    expect(plain.data.map(({ object, index }) => [object, index])).toEqual([
      ['embedding', 0],
      ['embedding', 1],
    ])
    for (const { embedding } of plain.data) expect(Math.hypot(...embedding)).toBeCloseTo(1, 5)
    expect(plain.usage.total_tokens).toBe(plain.usage.prompt_tokens)
    const one = await client().embeddings.create({ model: 'town', input: PORT, dimensions: plain.data[0]?.embedding.length ?? 0 })
    expect(one.data[0]?.embedding).toEqual(plain.data[1]?.embedding)
    const long = await client().embeddings.create({ model: 'town', input: `${PORT} `.repeat(400) })
    expect(Math.hypot(...(long.data[0]?.embedding ?? []))).toBeCloseTo(1, 5)
  })

  it('[D722] name what does not fit', async () => {
    const create = (input: unknown, more: object = {}) =>
      client().embeddings.create({ model: 'town', input, ...more } as OpenAI.EmbeddingCreateParams)
    expect(await refused(create(QUESTION, { dimensions: 3 }))).toEqual([400, 'invalid', 'dimensions'])
    expect(await refused(create(' '))).toEqual([400, 'invalid', 'input'])
    expect(await refused(create([QUESTION, ' ']))).toEqual([400, 'invalid', 'input.1'])
    expect(await refused(create([[1, 2]]))).toEqual([400, 'invalid', 'input.0'])
    expect(await refused(create(Array.from({ length: 513 }, () => 'x')))).toEqual([400, 'invalid', 'input'])
    expect(await refused(create(QUESTION, { model: 'other' }))).toEqual([404, 'model_not_found', 'model'])
    expect(await refused(create(QUESTION, { model: 'hash' }))).toEqual([404, 'model_not_found', 'model'])
    expect(await refused(client('nonsense').embeddings.create({ model: 'town', input: 'x' }))).toEqual([401, 'invalid_api_key', null])
  })

  it('[D723] are charged to the corpus, and to nobody’s corpus by the model’s own id, which only a key for all corpora may name', async () => {
    const town = loam.corpus('town')
    const spent = async () => (await town.usage()).total
    const before = await spent()
    await client().embeddings.create({ model: 'town', input: QUESTION })
    await expect.poll(spent).not.toEqual(before)
    const [own] = (await loam.models()).running
    const ids = (await client(running.key).models.list()).data.map((one) => one.id)
    expect(ids).toContain(own?.model)
    const direct = await client(running.key).embeddings.create({ model: own?.model ?? '', input: QUESTION })
    expect(direct.data).toHaveLength(1)
  })
})

describe('models', () => {
  it('[D724] have each corpus also behind `loam/`, with its strategies, and answer by that name', async () => {
    const ids = (await client().models.list()).data.map((one) => one.id)
    expect(ids).toEqual(expect.arrayContaining(['town', 'town:keyword', 'loam/town', 'loam/town:keyword']))
    expect(ids.filter((id) => !/^(?:loam\/)?town(?::|$)/.test(id))).toEqual([])
    expect(await client().models.retrieve('loam/town:keyword')).toMatchObject({ id: 'loam/town:keyword', owned_by: 'loam' })
    const messages = [{ role: 'user' as const, content: QUESTION }]
    const reply = await client().chat.completions.create({ model: 'loam/town:keyword', messages })
    expect(reply.choices[0]?.message.content).toContain('Tuesdays')
  })
})

describe('markers of citations', () => {
  const messages = [{ role: 'user' as const, content: QUESTION }]
  const ask = (style: string) =>
    client().chat.completions.create({
      model: 'town:keyword',
      messages,
      citation_markers: style,
    } as OpenAI.ChatCompletionCreateParamsNonStreaming)

  it('[D725] stand in the text as numbers or links where that is asked for, and annotations follow', async () => {
    const plain = (await ask('none')).choices[0]?.message.content ?? ''
    const [numbered] = (await ask('numbers')).choices
    expect(numbered?.message.content?.replace(/ \[\d\]/g, '')).toBe(plain)
    expect(numbered?.message.content).toMatch(/Tuesdays \[\d\]\./)
    const [note] = numbered?.message.annotations ?? []
    const cited = numbered?.message.content?.slice(note?.url_citation.start_index, note?.url_citation.end_index)
    expect(cited).toMatch(/Bread is baked in the old mill on Tuesdays \[\d\]\.$/)
    expect((await ask('links')).choices[0]?.message.content).toMatch(/Tuesdays \[\[\d\]\]\(https:\/\/example\.com\/mill%20%28old%29\)\./)
    const streamed = await client().responses.create({
      model: 'town:keyword',
      input: QUESTION,
      stream: true,
      citation_markers: 'links',
    } as OpenAI.Responses.ResponseCreateParamsStreaming)
    let text = ''
    for await (const one of streamed) if (one.type === 'response.output_text.delta') text += one.delta
    expect(text).toBe((await ask('links')).choices[0]?.message.content)
    expect(await refused(ask('bold'))).toEqual([400, 'invalid', 'citation_markers'])
  })
})

describe('tools', () => {
  it('[D870] are refused where the model that answers calls none, with the names of those that do; a choice of none is answered', async () => {
    const messages = [{ role: 'user' as const, content: QUESTION }]
    const tools = [{ type: 'function' as const, function: { name: 'bake', parameters: {} } }]
    const create = (choice: OpenAI.ChatCompletionToolChoiceOption) =>
      client().chat.completions.create({ model: 'town', messages, tools, tool_choice: choice })
    expect(await refused(create('required'))).toEqual([400, 'invalid', 'tools'])
    expect(await refused(create({ type: 'function', function: { name: 'brew' } }))).toEqual([400, 'invalid', 'tool_choice'])
    expect(await create('auto').catch((error: Error) => error.message)).toContain('qwen3-30b-a3b')
    expect((await create('none')).choices[0]).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant' } })
  })
})
