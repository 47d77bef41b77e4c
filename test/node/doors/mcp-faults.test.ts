/** What `/mcp` answers to parameters that are not as the protocol has them. */
import { expect, it } from 'vitest'
import { createApp } from '../../../src/http/app'
import { ADMIN, fakeWorld } from '../http/world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const { wired } = fakeWorld()
const app = createApp(() => wired)
const ERA = '2026-07-28'
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': ERA,
  'io.modelcontextprotocol/clientInfo': { name: 'a', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

async function ask(message: unknown, more: { readonly [name: string]: string } = {}): Promise<unknown> {
  const accept = 'application/json, text/event-stream'
  const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json', accept, ...more }
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  const response = await app.fetch(new Request('https://loam.test/mcp', { method: 'POST', headers, body }), {}, context)
  const text = await response.text()
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
}

const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

it('[H1961] parameters that are not as the protocol has them are the caller’s fault, -32602, with their place and no schema’s issues, in both forms of the protocol', async () => {
  const refused = (place: string) => ({
    id: 1,
    error: { code: -32602, message: expect.stringMatching(`^Invalid params: ${place}: [^{]+$`) },
  })
  for (const [method, params, place] of [
    ['prompts/get', {}, 'name'],
    ['prompts/get', { name: 'ask', arguments: { question: 5 } }, 'arguments.question'],
    ['resources/read', { uri: 5 }, 'uri'],
    ['tools/list', { cursor: 5 }, 'cursor'],
    ['resources/list', { cursor: {} }, 'cursor'],
    ['prompts/list', { cursor: [] }, 'cursor'],
    ['resources/templates/list', { cursor: 5 }, 'cursor'],
  ] as const) {
    expect([method, await ask(call(method, params))]).toMatchObject([method, refused(place)])
    const name = Object.entries(params).flatMap(([name, value]) => (['name', 'uri'].includes(name) ? [String(value)] : []))[0]
    const headers = { 'mcp-protocol-version': ERA, 'mcp-method': method, ...(name === undefined ? {} : { 'mcp-name': name }) }
    const later = call(method, { ...params, _meta: ENVELOPE })
    expect([method, await ask(later, headers)]).toMatchObject([method, refused(place)])
  }
  expect(await ask(call('initialize', {}))).toMatchObject(refused('protocolVersion'))
  expect(await ask([call('prompts/get', {})])).toMatchObject(refused('name'))
  expect(await ask(call('tools/call', { name: 5 }))).toMatchObject({ error: { code: -32602 } })
})

it('[H1961] what is no message says so', async () => {
  const cut = '{"jsonrpc":"2.0","id":1,"method":"tools/list"'
  expect(await ask(cut)).toMatchObject({ id: null, error: { code: -32700, message: 'Parse error: The body is not JSON.' } })
  expect(await ask(`${'['.repeat(50)}${']'.repeat(50)}`)).toMatchObject({
    error: { code: -32700, message: expect.stringContaining('40 levels') },
  })
  for (const none of ['', '{}', '[]', '5', 'null']) expect([none, await ask(none)]).toMatchObject([none, { error: { code: -32600 } }])
})
