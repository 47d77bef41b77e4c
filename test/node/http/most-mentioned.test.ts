/** Entities by how many chunks mention them: for all, and for those who may read only a part. */
import { expect, it } from 'vitest'
import type { ListedNode, MentionPlace } from '../../../src/core/graph/listed'
import { createApp } from '../../../src/http/app'
import { deployment } from '../deletion/deployment'
import { ADMIN, fakeWorld } from './world'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const at = '/v1/corpora/town'

it('[V2080] entities come by mentions, then by name, pinned ones first, and for each asker by what they may read', async () => {
  const world = deployment()
  const send = async (path: string, key?: string) =>
    (await world.send('GET', `${at}${path}`, undefined, key)).body as { data: { id: string; text: string }[]; next_cursor: string | null }
  await world.send('PUT', at, { strategies: [] })
  const upserts = [
    { id: 'a', text: 'Ada Brant met Karl Vossel in Porto.' },
    { id: 'b', text: 'Ada Brant wrote to Karl Vossel.' },
    { id: 'c', text: 'Ada Brant stayed in Oslo.', access: ['group:crew'] },
    { id: 'd', text: 'Ada Brant sold a boat to Maud Lind.', access: ['group:crew'] },
    { id: 'e', text: 'Maud Lind saw Porto and Maud Lind liked it.', access: ['group:crew'] },
    { id: 'f', text: 'Karl Vossel came home.' },
  ]
  await world.send('POST', `${at}/documents:batch`, { upserts })
  await world.ring()
  const { key: secret } = (await world.send('POST', '/v1/keys', { name: 'a', corpora: ['town'], scopes: ['read'], principals: [] }))
    .body as {
    key: string
  }
  const listed = async (limit: number, key?: string) => {
    const names: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await send(`/entities?sort=mentions&limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`, key)
      names.push(...page.data.map(({ text }) => text))
      cursor = page.next_cursor
    }
    return names
  }
  const all = ['Ada Brant', 'Karl Vossel', 'Maud Lind', 'Porto', 'Oslo']
  for (const limit of [1, 2, 50]) {
    expect(await listed(limit)).toEqual(all)
    expect(await listed(limit, secret)).toEqual(['Karl Vossel', 'Ada Brant', 'Porto'])
  }
  const { data } = await send('/entities?q=oslo')
  await world.send('POST', `${at}/entities/${data[0]?.id}:pin`, {})
  await world.ring()
  expect(await listed(50)).toEqual(['Oslo', 'Ada Brant', 'Karl Vossel', 'Maud Lind', 'Porto'])
  expect((await send('/entities?sort=mentions&q=BRA')).data.map(({ text }) => text)).toEqual(['Ada Brant'])
}, 30_000)

it('[V2080] an unknown order and a cursor of the other order are refused', async () => {
  const { get } = town(entities(5, 3), () => undefined)
  const cursorOf = async (query: string) => (await get(query)).body.next_cursor
  const [mentions, id] = [await cursorOf('sort=mentions&limit=2'), await cursorOf('limit=2')]
  expect([mentions, id]).toEqual([expect.any(String), expect.any(String)])
  const wrong = ['sort=size', `sort=mentions&cursor=${id}`, `cursor=${mentions}`, `sort=mentions&cursor=${btoa('~x:')}`]
  for (const query of wrong) expect([query, (await get(query)).status]).toEqual([query, 422])
})

it('[V2080] where too many names would have to be counted, each that may be seen still comes once', async () => {
  const names = entities(15_700, 40)
  const own = (node: ListedNode) =>
    Number(node.id.slice(2)) % 3 === 0 ? undefined : Math.ceil(chunksOf(node) / (1 + (Number(node.id.slice(2)) % 7)))
  const { get, calls } = town(names, own)
  const seen: { id: string; data: { chunks: number } }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    calls.most = Math.max(calls.most, calls.now)
    calls.now = 0
    const { status, body } = await get(`sort=mentions&limit=200&cursor=${cursor}`)
    expect(status).toBe(200)
    seen.push(...body.data)
    cursor = seen.length > 12_000 ? null : body.next_cursor
  }
  const counts = new Map(names.flatMap((node) => (own(node) === undefined ? [] : [[node.id, own(node) ?? 0] as const])))
  expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(counts.keys()))
  expect(seen.length).toBe(counts.size)
  const left = chunksOf(names[14_999] as ListedNode)
  const sure = seen.filter(({ data }) => data.chunks > left)
  expect(sure.length).toBeGreaterThan(1000)
  expect(seen.slice(0, sure.length)).toEqual(sure)
  expect(sure.map(({ data }) => data.chunks)).toEqual(sure.map(({ data }) => data.chunks).sort((a, b) => b - a))
  expect(calls.most).toBeLessThanOrEqual(31)
}, 60_000)

/** In D1's order. */
function entities(many: number, most: number): ListedNode[] {
  const node = (n: number): ListedNode => {
    const chunks = 1 + Math.floor((most * (many - n - 1)) / many)
    return {
      id: `e_${String(n).padStart(6, '0')}`,
      kind: 'entity',
      layer: 0,
      text: `Name ${String(n).padStart(6, '0')}`,
      tokens: 1,
      data: { chunks },
    }
  }
  return Array.from({ length: many }, (_, n) => node(n))
}

const chunksOf = ({ data }: ListedNode): number => (data as { chunks: number }).chunks

/** A corpus with these entities. `own`: in how many chunks the asker finds one; for nobody: all see everything. */
function town(names: readonly ListedNode[], own: (node: ListedNode) => number | undefined) {
  const { wired } = fakeWorld()
  const all = own(names[1] as ListedNode) === undefined
  const byId = new Map(names.map((node) => [node.id, node]))
  const place = new Map(names.map((node, i) => [node.id, i]))
  const calls = { now: 0, most: 0 }
  const after = (from: MentionPlace | null): number => (from === null ? 0 : (place.get(from.id) ?? 0) + 1)
  const seen = async ({ nodes = [] }: { nodes?: readonly string[] }) => ({
    documents: {},
    inactive: [],
    dates: {},
    chunks: [],
    edges: [],
    all,
    nodes: nodes.flatMap((id) => {
      const node = byId.get(id)
      const chunks = node && own(node)
      return node && chunks !== undefined ? [{ ...node, data: { chunks } }] : []
    }),
  })
  const app = createApp(() => ({
    ...wired,
    corpus: (uid: string) => ({ ...wired.corpus(uid), seen, pinned: async () => [] }) as never,
    listings: {
      ...wired.listings,
      version: async () => 1e9,
      nodes: async (_, __, { after: id, limit }) => {
        calls.now++
        const from = id === '' ? 0 : names.findIndex((node) => node.id > id)
        return from < 0 ? [] : names.slice(from, from + limit)
      },
      mentioned: async (_, __, { after: from, limit }) => {
        calls.now++
        const several = names.filter((node) => chunksOf(node) > 1)
        return several.slice(after(from), after(from) + limit)
      },
    },
  }))
  const made = app.fetch(
    new Request(`https://loam.test${at}`, {
      method: 'PUT',
      body: '{}',
      headers: { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' },
    }),
    {},
    context,
  )
  const get = async (query: string) => {
    await made
    const request = new Request(`https://loam.test${at}/entities?${query}`, { headers: { authorization: `Bearer ${ADMIN}` } })
    const response = await app.fetch(request, {}, context)
    // biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions
    return { status: response.status, body: (await response.json()) as any }
  }
  return { get, calls }
}
