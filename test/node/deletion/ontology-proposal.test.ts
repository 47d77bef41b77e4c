/** An ontology proposed over HTTP: from what the asker may read, is switched on and is still there; and nothing is set. */
import { expect, it } from 'vitest'
import { deployment } from './deployment'

const world = deployment()
const AT = '/v1/corpora/guilds'

const crew = (who: string, where: string) => `${who} was an engineer of the guild. ${who} sailed to ${where}. Every harbour knows ${who}.`

interface Proposal {
  readonly by: string
  readonly ontology: unknown
  readonly types: readonly { readonly name: string; readonly count: number; readonly examples: readonly string[] }[]
  readonly relations: readonly { readonly name: string; readonly examples: readonly { readonly document: string }[] }[]
  readonly sample: object
  readonly degraded: readonly string[]
}

it('[V1635] is proposed from documents that the asker may read and that are switched on, and sets nothing', async () => {
  await call('PUT', '', { strategies: [] })
  expect(await proposed()).toMatchObject({ by: 'counts', ontology: null, types: [], sample: { documents: 0, chunks: 0 } })
  for (const [id, who, where, more] of [
    ['a', 'Anna Berg', 'Oslo', {}],
    ['b', 'Karl Stone', 'Bergen', {}],
    ['off', 'Nora Falk', 'Aarhus', { active: false }],
    ['secret', 'Olga Sund', 'Malmo', { access: ['group:crew'] }],
  ] as const)
    await call('PUT', `/documents/${id}`, { text: crew(who, where), ...more })
  await world.ring()
  const open = await call<{ key: string; id: string }>('POST', '/v1/keys', { name: 'open', scopes: ['read'], corpora: ['guilds'] }, '')
  const { ontology, types, relations, sample } = await proposed({}, open.body.key)
  expect(ontology).toEqual({ mode: 'open', types: [{ name: 'engineer' }], relations: [{ name: 'sailed to', subjects: ['engineer'] }] })
  expect(types).toEqual([{ name: 'engineer', count: 2, examples: ['Anna Berg', 'Karl Stone'] }])
  expect([relations[0]?.examples.map(({ document }) => document), sample]).toEqual([['a', 'b'], { documents: 2, chunks: 2 }])
  const crewed = await call<{ key: string }>(
    'POST',
    '/v1/keys',
    { name: 'crew', scopes: ['read'], corpora: ['guilds'], principals: ['group:crew'] },
    '',
  )
  expect((await proposed({}, crewed.body.key)).types[0]?.examples).toEqual(['Anna Berg', 'Karl Stone', 'Olga Sund'])
  expect((await call<{ settings: { extraction: { ontology: unknown } } }>('GET', '')).body.settings.extraction.ontology).toBeNull()
})

it('[V1637] what is proposed can be set as it stands', async () => {
  const { ontology } = await proposed({ by: 'counts' })
  expect((await call('PUT', '', { settings: { extraction: { ontology } } })).status).toBe(200)
})

it('[V1635] says nothing of what was deleted, hidden or is switched off, and all of it again of what is restored', async () => {
  const { body } = await call<{ data: { id: string; text: string }[] }>('GET', '/entities?q=karl')
  await call('POST', `/entities/${body.data[0]?.id}:hide`, {})
  expect(JSON.stringify(await proposed())).not.toContain('Karl Stone')
  await call('DELETE', '/documents/a')
  await world.ring()
  expect(JSON.stringify(await proposed())).not.toMatch(/Anna Berg|Nora Falk/)
  await call('PATCH', '/documents/off', { active: true })
  await call('PUT', '/documents/a', { text: crew('Anna Berg', 'Oslo') })
  await world.ring()
  expect((await proposed()).types).toMatchObject([{ name: 'engineer', examples: ['Anna Berg', 'Nora Falk', 'Olga Sund'] }])
})

it('[V1635] refuses what it does not know, and asks for a key', async () => {
  expect((await call('POST', '/ontology:propose', { by: 'guessing' })).status).toBe(422)
  expect((await call('POST', '/ontology:propose', { documents: 4 })).status).toBe(422)
  expect((await world.send('POST', `${AT}/ontology:propose`, {}, 'no key')).status).toBe(401)
})

async function proposed(body: object = {}, key?: string): Promise<Proposal> {
  return (await call<Proposal>('POST', '/ontology:propose', body, AT, key)).body
}

async function call<T>(method: string, path: string, body?: object, at = AT, key?: string): Promise<{ status: number; body: T }> {
  const answer = await world.send(method, at + path, body, key)
  return { status: answer.status, body: answer.body as T }
}
