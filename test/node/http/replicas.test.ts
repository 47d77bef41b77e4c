/** Replicas at the HTTP face: where a deployment can have none, it says so. */
import { expect, it } from 'vitest'
import { createApp } from '../../../src/http/app'
import { ADMIN, fakeWorld } from './world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }

it('[S1583] without the bucket REPLICATION replicas are refused by field, and a corpus that has some is answered as any other', async () => {
  const { wired, corpora } = fakeWorld()
  const send = async (has: boolean, body: object) => {
    const app = createApp(() => ({ ...wired, hasReplication: has }))
    const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' }
    const request = new Request('https://loam.test/v1/corpora/followed', { method: 'PUT', headers, body: JSON.stringify(body) })
    const response = await app.fetch(request, {}, context)
    return { status: response.status, body: (await response.json()) as { code?: string; errors?: { path: string; message: string }[] } }
  }
  const two = { settings: { replicas: { count: 2, locations: ['weur'] } } }
  const refused = await send(false, two)
  expect([refused.status, refused.body.code, refused.body.errors?.[0]?.path]).toEqual([422, 'invalid', 'settings.replicas.count'])
  expect(refused.body.errors?.[0]?.message).toContain('REPLICATION')
  expect([(await send(true, two)).status, corpora.get('followed')?.settings.replicas]).toEqual([
    201,
    { count: 2, least: null, locations: ['weur'] },
  ])
  expect((await send(true, { settings: { replicas: { count: 2, locations: ['moon'] } } })).body.errors?.[0]?.path).toBe(
    'settings.replicas.locations.0',
  )
  // The bucket was taken away: other settings may change all the same, and so may the number, to none.
  expect((await send(false, { public: true })).status).toBe(200)
  expect((await send(false, { settings: { replicas: { count: 0 } } })).status).toBe(200)
  expect(corpora.get('followed')?.settings.replicas).toEqual({ count: 0, least: null, locations: ['weur'] })
})
