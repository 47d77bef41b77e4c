/** What a model has called an entity stands in the list of a document's chunks. */
import { afterEach, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { listChunks } from '../../../durable-objects/corpus/query/chunks'
import { entityDetails } from '../../../durable-objects/corpus/query/entity'
import { KNOWLEDGE, packedKnowledge } from '../../../src/core/builders/knowledge-row'
import { mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

it('[V1931] an entity is told with its types, descriptions and documents, of what the asker may read', async () => {
  const world = mortalWorld([])
  worlds.push(world)
  const mortal = world.wake()
  const { context } = mortal
  const document = (id: string, text: string, access: readonly string[] = []) => ({ id, text, title: '', url: null, metadata: {}, access })
  const upserts = [
    document('a', 'Anna Berg met Karl Stone in Oslo.'),
    document('b', 'Anna Berg lives in Bergen.', ['group:b']),
    document('c', 'Only Vera Holm is named here.', ['group:b']),
  ]
  accept(context, { kind: 'batch', upserts, deletes: [] })
  await finish(mortal, world, noBill())
  const named = (name: string) => context.graph.page('entity', '', 99).find((id) => context.graph.node(id)?.text === name) ?? ''
  const anna = named('Anna Berg')
  const told = (id: string, type: string, description: string) => {
    const chunk = listChunks(context, id, { from: 0, limit: 1 }, 'all')?.data[0]?.chunk ?? ''
    const value = packedKnowledge({ by: 'model', entities: [{ entity: anna, type, description }], relations: [] })
    context.atomically(() => context.graph.apply([{ op: 'put-value', space: KNOWLEDGE, key: chunk, value }], context.graph.version))
    return chunk
  }
  const [first, second] = [told('a', 'person', 'met Karl Stone'), told('b', 'person', 'lives in Bergen')]
  const all = entityDetails(context, anna, 'all')
  expect(all).toMatchObject({ id: anna, name: 'Anna Berg', types: [{ type: 'person', chunks: 2 }], chunks: 2 })
  expect([[...(all?.documents ?? [])].sort(), [...(all?.descriptions ?? [])].sort((x, y) => (x.document < y.document ? -1 : 1))]).toEqual([
    ['a', 'b'],
    [
      { text: 'met Karl Stone', chunk: first, document: 'a', by: 'model' },
      { text: 'lives in Bergen', chunk: second, document: 'b', by: 'model' },
    ],
  ])
  const few = entityDetails(context, anna, [])
  expect([few?.documents, few?.descriptions.map(({ text }) => text), few?.chunks]).toEqual([['a'], ['met Karl Stone'], 1])
  expect([entityDetails(context, named('Vera Holm'), []), entityDetails(context, first, 'all')]).toEqual([null, null])
})

it('[V1639] a chunk’s listing says the type of an entity where a model has told one, and of no other', async () => {
  const world = mortalWorld([])
  worlds.push(world)
  const mortal = world.wake()
  const { context } = mortal
  accept(context, {
    kind: 'batch',
    upserts: [{ id: 'a', text: 'Anna Berg met Karl Stone in Oslo.', title: '', url: null, metadata: {} }],
    deletes: [],
  })
  await finish(mortal, world, noBill())
  const listed = () => listChunks(context, 'a', { from: 0, limit: 1 })?.data[0]
  const { chunk: id = '', entities = [] } = listed() ?? {}
  expect(entities.map((one) => 'type' in one)).toEqual(entities.map(() => false))
  const [anna] = entities.filter(({ name }) => name === 'Anna Berg')
  const value = packedKnowledge({ by: 'model', entities: [{ entity: anna?.id ?? '', type: 'person', description: '' }], relations: [] })
  context.atomically(() => context.graph.apply([{ op: 'put-value', space: KNOWLEDGE, key: id, value }], context.graph.version))
  expect(listed()?.entities.map(({ name, type }) => [name, type])).toContainEqual(['Anna Berg', 'person'])
  expect(listed()?.entities.filter(({ type }) => type).length).toBe(1)
})
