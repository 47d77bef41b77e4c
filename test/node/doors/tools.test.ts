/** Functions of a caller's, by OpenAI's own library, through a running Loam to a model on a server that speaks OpenAI's protocol. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startLoam } from '../../../scripts/lib/start-loam.mjs'
import { Loam, LoamError } from '../../../src/client/client'
import { eventually } from '../../worker/waiting'

interface Sent {
  readonly messages: readonly {
    readonly role: string
    readonly content: string
    readonly tool_calls?: unknown
    readonly tool_call_id?: string
  }[]
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[]
  readonly tool_choice?: unknown
}

const folder = mkdtempSync(join(tmpdir(), 'loam-tools-'))
const sent: Sent[] = []
let upstream: Server
let running: { readonly url: string; readonly key: string; stop(): Promise<void> }
let loam: Loam

/** Asks for what it is offered, once; told what came of it, it answers from that and from the first source. */
function reply({ messages, tools = [] }: Sent): object {
  const told = messages.at(-1)
  if (told?.role === 'tool') return { content: `Bread is baked in the old mill on Tuesdays [1]. It is ${told.content} there.` }
  if (tools.length === 0) return { content: 'Bread is baked in the old mill on Tuesdays [1].' }
  const call = (name: string, id: string) => ({ id, type: 'function', function: { name, arguments: '{"place":"the mill"}' } })
  return { content: null, tool_calls: [call(tools[0]?.function.name ?? '', 'call_1'), call('never_offered', 'call_2')] }
}

beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    if (!request.url?.endsWith('/chat/completions')) return void response.writeHead(404).end()
    const body = JSON.parse(text) as Sent & { stream?: boolean }
    sent.push(body)
    const message = { role: 'assistant', ...reply(body) }
    const usage = { prompt_tokens: 90, completion_tokens: 9 }
    response.setHeader('content-type', body.stream ? 'text/event-stream' : 'application/json')
    if (body.stream) response.end(`data: ${JSON.stringify({ choices: [{ delta: message }], usage })}\n\ndata: [DONE]\n\n`)
    else response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }], usage }))
  })
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done))
  const server = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  running = await startLoam({
    quiet: true,
    env: {
      ...process.env,
      PORT: '0',
      LOAM_STATE: folder,
      LOCAL_MODEL_URL: server,
      LOCAL_TEXT_MODEL: 'my-own-model',
      LOCAL_TOOL_MODELS: 'my-own-model',
      LOCAL_TEXT_WINDOW: '16000',
      LOCAL_AI_RATES: 'off',
      LOCAL_VECTORIZE_DELAY_MS: '0',
    },
  })
  loam = new Loam({ url: running.url, key: running.key })
  const town = loam.corpus('town')
  await town.create({ strategies: [] })
  const upserts = [{ id: 'mill', text: 'Bread is baked in the old mill on Tuesdays.', url: 'https://example.com/mill' }]
  await town.batch({ upserts })
  // Visible is enough: what the model is asked about the document it answers with nothing of use.
  await eventually('the document', () => town.search({ query: 'bread', strategy: 'keyword', min_version: 1 }).catch(() => undefined))
}, 300_000)

afterAll(async () => {
  await running?.stop()
  upstream?.close()
  rmSync(folder, { recursive: true, force: true })
})

const client = () => new OpenAI({ baseURL: `${running.url}/v1`, apiKey: running.key, maxRetries: 0 })
const QUESTION = { role: 'user' as const, content: 'When is bread baked in the old mill, and how warm is it there?' }
const parameters = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] }
const tools = [{ type: 'function' as const, function: { name: 'temperature', description: 'How warm it is', parameters } }]

describe('functions of the caller', () => {
  it('[D870] [D871] reach the model beside the sources, come back as tool_calls, and what they return leads to an answer that is checked', async () => {
    sent.length = 0
    const asked = await client().chat.completions.create({ model: 'town:keyword', messages: [QUESTION], tools, tool_choice: 'required' })
    const [choice] = asked.choices
    expect([choice?.finish_reason, choice?.message.content]).toEqual(['tool_calls', null])
    const calls = choice?.message.tool_calls ?? []
    expect(calls).toEqual([{ id: 'call_1', type: 'function', function: { name: 'temperature', arguments: '{"place":"the mill"}' } }])
    expect(sent[0]?.messages.at(-1)?.content).toContain('Bread is baked in the old mill on Tuesdays.')
    expect([sent[0]?.tools?.[0]?.function.parameters, sent[0]?.tool_choice]).toEqual([parameters, 'required'])
    const told = { role: 'tool' as const, tool_call_id: 'call_1', content: '18 degrees' }
    const messages = [QUESTION, { role: 'assistant' as const, content: null, tool_calls: calls }, told]
    const done = await client().chat.completions.create({ model: 'town:keyword', messages, tools })
    const [answer] = done.choices
    expect([answer?.finish_reason, answer?.message.content]).toEqual([
      'stop',
      'Bread is baked in the old mill on Tuesdays [1]. It is 18 degrees there.',
    ])
    expect((done as unknown as { citations: object[] }).citations).toMatchObject([{ document: 'mill', verified: true, marker: 1 }])
    const last = sent.at(-1)
    expect(last?.messages.slice(-2).map(({ role }) => role)).toEqual(['assistant', 'tool'])
    expect([last?.messages.at(-2)?.tool_calls, last?.messages.at(-1)?.tool_call_id]).toEqual([calls, 'call_1'])
    expect(last?.messages.at(-3)?.content).toContain('<data ')
  })

  it('[D871] streamed, the calls are chunks that the library puts together', async () => {
    const stream = client().chat.completions.stream({ model: 'town:keyword', messages: [QUESTION], tools })
    const whole = await stream.finalChatCompletion()
    expect(whole.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ id: 'call_1', function: { name: 'temperature', arguments: '{"place":"the mill"}' } }] },
    })
  })

  it('[D871] through responses, whole and streamed', async () => {
    const own = [{ type: 'function' as const, name: 'temperature', parameters, strict: false }]
    const asked = await client().responses.create({ model: 'town:keyword', input: QUESTION.content, tools: own })
    const call = { type: 'function_call', call_id: 'call_1', name: 'temperature', arguments: '{"place":"the mill"}', status: 'completed' }
    expect(asked.output).toMatchObject([call])
    const output = { type: 'function_call_output' as const, call_id: 'call_1', output: '18 degrees' }
    const input = [QUESTION, ...asked.output, output] as OpenAI.Responses.ResponseInput
    const done = await client().responses.create({ model: 'town:keyword', input, tools: own })
    expect(done.output_text).toBe('Bread is baked in the old mill on Tuesdays [1]. It is 18 degrees there.')
    const events: string[] = []
    const stream = await client().responses.create({ model: 'town:keyword', input: QUESTION.content, tools: own, stream: true })
    for await (const event of stream) {
      events.push(event.type)
      if (event.type === 'response.function_call_arguments.done') expect(event.arguments).toBe('{"place":"the mill"}')
      if (event.type === 'response.completed') expect(event.response.output.at(-1)).toMatchObject(call)
    }
    expect(events).toContain('response.function_call_arguments.delta')
  })

  it('[D872] query takes and gives them by their own names; what does not fit is named', async () => {
    const town = loam.corpus('town')
    const own = [{ name: 'temperature', parameters }]
    const asked = await town.query({ query: QUESTION.content, strategy: 'keyword', tools: own })
    expect([asked.tool_calls, asked.answered, asked.citations]).toEqual([
      [{ id: 'call_1', name: 'temperature', arguments: '{"place":"the mill"}' }],
      false,
      [],
    ])
    const none = await town.query({ query: QUESTION.content, strategy: 'keyword', tools: own, tool_choice: 'none' })
    expect([none.tool_calls, none.answered]).toEqual([undefined, true])
    const refused = (more: object) =>
      town.query({ query: 'x', ...more }).then(
        () => 'taken',
        (error: unknown) => (error instanceof LoamError ? error.more.errors?.map(({ path }) => path) : error),
      )
    expect(await refused({ tools: [{ name: 'a b' }] })).toEqual(['tools.0.name'])
    expect(await refused({ tools: own, tool_choice: { name: 'other' } })).toEqual(['tool_choice'])
    const long = 'word '.repeat(12_000)
    const turns = [
      { role: 'assistant', tool_calls: [{ id: 'c', name: 'temperature', arguments: '{}' }] },
      { role: 'tool', tool_call_id: 'c', content: long },
    ]
    expect(await refused({ tools: own, tool_turns: turns })).toEqual(['tools'])
  })
})
