/** An estimate over HTTP: what comes with a document is counted as it will be. */
import { expect, it } from 'vitest'
import { createApp } from '../../../src/http/app'
import { ADMIN, fakeWorld } from './world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' }
const text = 'Ada Holm works for Tidewater, a shipyard of the old port.'

it('[V2140] a document whose graph comes with it is not counted as read by a model for its entities', async () => {
  const { wired } = fakeWorld()
  const models = { ...wired.models, text: { id: 'writer', window: 8000 } }
  const app = createApp(() => ({ ...wired, models }))
  const call = async (method: string, path: string, body: object) => {
    const request = new Request(`https://loam.test/v1/corpora/port${path}`, { method, headers, body: JSON.stringify(body) })
    return (await app.fetch(request, {}, context)).json()
  }
  await call('PUT', '', { strategies: ['archrag'] })
  const reads = async (document: object): Promise<number | undefined> => {
    const { strategies } = (await call('POST', '/estimate', { documents: [document] })) as {
      strategies: { archrag: { calls: { extract?: number } } }
    }
    return strategies.archrag.calls.extract
  }
  expect(await reads({ text })).toBeGreaterThan(0)
  expect(await reads({ text, graph: { entities: [{ name: 'Ada Holm' }] } })).toBe(0)
  expect(await reads({ text, graph: { entities: [{ name: 'Nell Farrow' }] } })).toBeGreaterThan(0)
})
