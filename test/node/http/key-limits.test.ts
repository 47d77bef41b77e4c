/** Keys that may use so much a day, at every door; the counting itself is in test/node/key-usage.test.ts. */

import { describe, expect, it } from 'vitest'
import type { DailyLimits } from '../../../src/contract/keys'
import { createApp } from '../../../src/http/app'
import { eventually } from '../../worker/waiting'
import { ADMIN, fakeWorld } from './world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const MIDNIGHT = 20_000 * 86_400_000

async function service() {
  const world = fakeWorld()
  world.clock.now = MIDNIGHT + 3_600_000
  const app = createApp(() => world.wired)
  const send = async (method: string, path: string, body?: unknown, key = ADMIN, more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more }
    const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await app.fetch(new Request(`https://loam.test${path}`, sent), {}, context)
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: text.startsWith('{') ? JSON.parse(text) : null }
  }
  const mint = async (limits: DailyLimits, scopes = ['read', 'write'], corpora = ['here']): Promise<{ id: string; key: string }> => {
    const minted = await send('POST', '/v1/keys', { name: 'k', scopes, corpora, limits })
    expect([minted.status, minted.body.limits]).toEqual([201, limits])
    return minted.body
  }
  await send('PUT', '/v1/corpora/here', { strategies: ['gorag'] })
  const ask = (key: string, more: object = {}) => send('POST', '/v1/corpora/here/search', { query: 'Where is the mill?', ...more }, key)
  return { world, send, mint, ask }
}

describe('a key with limits', () => {
  it('[H170] is answered which limit is used up and until when, at every door, and is raised by PATCH', async () => {
    const { world, send, mint, ask } = await service()
    const { id, key } = await mint({ requests_a_day: 4 })
    const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '0' } }
    const rpc = (method: string, params: object) =>
      send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method, params }, key, { accept: 'application/json, text/event-stream' })
    const chat = () => send('POST', '/v1/chat/completions', { model: 'here', messages: [{ role: 'user', content: 'Where?' }] }, key)
    expect((await ask(key)).status).toBe(200)
    expect((await rpc('initialize', initialize)).status).toBe(200)
    expect((await rpc('tools/call', { name: 'search', arguments: { corpus: 'here', query: 'mill' } })).status).toBe(200)
    expect((await chat()).status).toBe(200) // one request, whatever it asks within
    for (const refused of [await ask(key), await rpc('tools/list', {}), await send('GET', '/v1/corpora', undefined, key)]) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(23 * 3600)])
      expect(refused.body).toMatchObject({ code: 'key_limit', limit: 'requests_a_day', value: 4 })
    }
    expect((await chat()).status).toBe(429)
    const raised = await send('PATCH', `/v1/keys/${id}`, { limits: { requests_a_day: 5 } })
    expect([raised.status, raised.body.limits]).toEqual([200, { requests_a_day: 5 }])
    expect([(await ask(key)).status, (await ask(key)).status]).toEqual([200, 429])
    world.clock.now += 23 * 3_600_000
    expect((await ask(key)).status).toBe(200)
    expect((await send('PATCH', `/v1/keys/${id}`, { limits: null })).body.limits).toBeNull()
    expect((await send('PATCH', '/v1/keys/0000000000000000', { limits: null })).status).toBe(404)
    expect((await send('PATCH', `/v1/keys/${id}`, { limits: { tokens_a_week: 5 } })).status).toBe(422)
  })

  it('[J874] so many requests and questions a minute, with how it stands in every answer, and 429 with the seconds to wait', async () => {
    const { world, send, mint, ask } = await service()
    const { key } = await mint({ requests_a_minute: 4, questions_a_minute: 2, requests_a_day: 100 })
    const first = await ask(key)
    expect([first.status, first.headers.get('ratelimit-policy'), first.headers.get('ratelimit')]).toEqual([
      200,
      '"requests_a_minute";q=4;w=60, "requests_a_day";q=100;w=86400, "questions_a_minute";q=2;w=60',
      `"requests_a_minute";r=3;t=65, "requests_a_day";r=99;t=${23 * 3600}, "questions_a_minute";r=1;t=65`,
    ])
    const chat = () => send('POST', '/v1/chat/completions', { model: 'here', messages: [{ role: 'user', content: 'Where?' }] }, key)
    expect((await chat()).status).toBe(200) // a question, too
    const third = await ask(key)
    expect([third.status, third.body.code, third.body.limit, third.body.value, third.headers.get('retry-after')]).toEqual([
      429,
      'key_limit',
      'questions_a_minute',
      2,
      '65',
    ])
    expect((await send('GET', '/v1/corpora', undefined, key)).status).toBe(200)
    const fifth = await send('GET', '/v1/corpora', undefined, key)
    expect([fifth.status, fifth.body.limit, fifth.headers.get('retry-after')]).toEqual([429, 'requests_a_minute', '65'])
    world.clock.now += 64_000
    expect((await chat()).status).toBe(429)
    world.clock.now += 1000
    expect((await ask(key)).status).toBe(200)
    expect((await send('GET', '/v1/corpora')).headers.get('ratelimit')).toBeNull()
    expect((await send('PATCH', '/v1/keys/x', { limits: { requests_a_minute: -1 } })).status).toBe(422)
  })

  it('[H170] whose tokens are used up asks no model: 429, streamed or not; what costs nothing goes on', async () => {
    const { send, mint, ask } = await service()
    const { key } = await mint({ tokens_a_day: 0 })
    for (const refused of [
      await ask(key),
      await send('POST', '/v1/corpora/here/query', { query: 'Where?', stream: true }, key),
      await send('POST', '/v1/corpora/here/compare', { query: 'Where?', strategies: ['vector', 'hybrid'] }, key),
      await send('POST', '/v1/corpora/here/classify', { text: 'a mill' }, key),
      await send('PUT', '/v1/corpora/here/documents/a', { text: 'The mill grinds.' }, key),
      await send('PUT', '/v1/corpora/here/probes', { probes: [{ query: 'q', expect: ['a'] }] }, key),
    ]) {
      expect([refused.status, refused.body?.code, refused.body?.limit]).toEqual([429, 'key_limit', 'tokens_a_day'])
    }
    expect((await ask(key, { strategy: 'keyword' })).status).toBe(200)
    expect((await send('DELETE', '/v1/corpora/here/documents/a', undefined, key)).status).toBe(202)
  })

  it('[H170] a question does without a call that is not covered; documents count by their estimate', async () => {
    const { world, send, mint, ask } = await service()
    const { id, key } = await mint({ tokens_a_day: 100 })
    expect((await ask(key, { query: 'mill '.repeat(300) })).body.degraded).toEqual(['budget'])
    expect((await ask(key)).body.degraded).toEqual([])
    const long = await send('PUT', '/v1/corpora/here/documents/a', { text: 'The mill grinds. '.repeat(200) }, key)
    expect([long.status, long.body.code]).toEqual([402, 'over_budget'])
    expect((await send('PUT', '/v1/corpora/here/documents/a', { text: 'The mill grinds.' }, key)).status).toBe(202)
    const used = await eventually('what was set aside to be settled', async () => {
      const day = await world.wired.keyUsage(id).today()
      return day.held.tokens === 0 ? day : undefined
    })
    expect([used.requests, used.tokens > 4, used.tokens < 100]).toEqual([4, true, true])
  })

  it('[H171] sees its own day; an admin key the days of the keys it could make', async () => {
    const { send, mint, ask } = await service()
    await send('PUT', '/v1/corpora/there', {})
    const [reader, writer] = [await mint({ requests_a_day: 9 }, ['read']), await mint({ tokens_a_day: 500 }, ['write'])]
    const elsewhere = await mint({ requests_a_day: 2 }, ['read'], ['there'])
    const plain = (await send('POST', '/v1/keys', { name: 'p', scopes: ['read'], corpora: ['here'] })).body
    const admin = (await send('POST', '/v1/keys', { name: 'a', scopes: ['admin'], corpora: ['here'] })).body
    await ask(reader.key)
    const own = await send('GET', '/v1/usage', undefined, reader.key)
    const day = { id: reader.id, day: '2024-10-04', limits: { requests_a_day: 9 }, requests: 2, resets_at: '2024-10-05T00:00:00.000Z' }
    expect(own.body).toMatchObject({ key: day, data: [], next_cursor: null })
    expect((await send('GET', '/v1/corpora/here/usage', undefined, writer.key)).body).toMatchObject({
      key: { id: writer.id, limits: { tokens_a_day: 500 }, requests: 1 },
      data: [],
    })
    expect((await send('GET', '/v1/usage', undefined, plain.key)).body).toEqual({ key: null, data: [], next_cursor: null })
    const ids = async (key?: string) =>
      (await send('GET', '/v1/usage', undefined, key)).body.data.map((one: { id: string }) => one.id).sort()
    expect(await ids()).toEqual([reader.id, writer.id, elsewhere.id].sort())
    expect(await ids(admin.key)).toEqual([reader.id, writer.id].sort())
  })

  it('[H181] makes no keys and changes none', async () => {
    const { send, mint } = await service()
    const { id, key } = await mint({ requests_a_day: 100 }, ['admin'])
    for (const tried of [
      await send('POST', '/v1/keys', { name: 'k', scopes: ['read'], corpora: ['here'] }, key),
      await send('PATCH', `/v1/keys/${id}`, { limits: null }, key),
    ]) {
      expect([tried.status, tried.body.code]).toEqual([403, 'forbidden'])
    }
  })
})
