/** What a model has called an entity stands in the list of a document's chunks. */
import { afterEach, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { listChunks } from '../../../durable-objects/corpus/query/chunks'
import { KNOWLEDGE, packedKnowledge } from '../../../src/core/builders/knowledge-row'
import { mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
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
