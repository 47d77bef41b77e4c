/** Corpora in partitions at the HTTP face: made, shown, and refused by name where they do not do what another does. */
import { describe, expect, it } from 'vitest'
import { partitionsOf } from '../../../src/corpus-uid'
import { createApp } from '../../../src/http/app'
import { dividedOperations } from '../../../src/http/divided'
import { operations } from '../../../src/http/routes'
import { partitionLimits } from '../../../src/platform-limits'
import { ADMIN, fakeWorld } from './world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }

function house() {
  const world = fakeWorld()
  const app = createApp(() => world.wired)
  const send = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${ADMIN}`, ...(body ? { 'content-type': 'application/json' } : {}) }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const response = await app.fetch(new Request(`https://loam.test${path}`, init), {}, context)
    const text = await response.text()
    const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, body: isJson && text ? JSON.parse(text) : null }
  }
  return { send, world }
}

describe('a corpus in partitions', () => {
  it('[P1229] is made with a number of partitions that is shown and stays, and says by name what it cannot have', async () => {
    const { send, world } = house()
    const made = await send('PUT', '/v1/corpora/large', { partitions: 8 })
    expect([made.status, made.body.partitions, made.body.strategies]).toEqual([201, 8, []])
    expect(partitionsOf(world.corpora.get('large')?.uid ?? '')).toBe(8)
    expect((await send('PUT', '/v1/corpora/large', { partitions: 8, public: true })).body.partitions).toBe(8)
    expect((await send('PUT', '/v1/corpora/small', {})).body.partitions).toBe(1)
    const fieldsOf = async (name: string, body: object) => {
      const { status, body: problem } = await send('PUT', `/v1/corpora/${name}`, body)
      return [status, problem.code, (problem.errors ?? []).map((one: { path: string }) => one.path).join()]
    }
    expect(await fieldsOf('large', { partitions: 4 })).toEqual([422, 'invalid', 'partitions'])
    expect(await fieldsOf('small', { partitions: 2 })).toEqual([422, 'invalid', 'partitions'])
    expect(await fieldsOf('other', { partitions: partitionLimits.max + 1 })).toEqual([422, 'invalid', 'partitions'])
    expect(await fieldsOf('other', { partitions: 3, strategies: ['archrag'] })).toEqual([422, 'invalid', 'strategies'])
    expect((await send('PUT', '/v1/corpora/large', { budget: { usd: 3 } })).body.budget).toEqual({ usd: 3 })
    expect((await send('PUT', '/v1/corpora/large', { audit: { questions: 'full' } })).body.audit.questions).toBe('full')
  })

  it('[P1229] answers every route of a corpus or refuses it as `partitioned`', async () => {
    const { send } = house()
    await send('PUT', '/v1/corpora/large', { partitions: 2 })
    await send('PUT', '/v1/corpora/small', {})
    const ofCorpus = operations.filter(
      ({ path, id }) => path.includes('{corpus}') && !['deleteCorpus', 'putCorpus', 'restoreCorpus'].includes(id),
    ) // a restore reads the first part of its body before
    const codes = new Map<string, boolean>()
    for (const { id, method, path } of ofCorpus) {
      const { body } = await send(
        method.toUpperCase(),
        path.replace('{corpus}', 'large').replace(/\{\w+\}/g, 'x1'),
        method === 'get' || method === 'delete' ? undefined : {},
      )
      codes.set(id, body?.code === 'partitioned')
    }
    expect([...codes].filter(([id, refused]) => refused === dividedOperations.has(id)).map(([id]) => id)).toEqual([])
    expect([...codes.values()].filter(Boolean).length).toBeGreaterThan(10)
    expect((await send('GET', '/v1/corpora/small/receipts')).status).toBe(200)
  })
})
