/** An entity that a person adds to a corpus too large for one commit: the object may die anywhere. */
import { afterEach, expect, it } from 'vitest'
import { processBacklog } from '../../../durable-objects/corpus/indexing/backlog'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { hasBacklog } from '../../../durable-objects/corpus/jobs/builders'
import { listDecisions, makeDecision, undoDecision } from '../../../durable-objects/corpus/query/decisions'
import type { Wish } from '../../../src/contract/decisions'
import type { Asker } from '../../../src/core/access/labels'
import { nameId } from '../../../src/core/builders/sense-list'
import type { DocumentInput } from '../../../src/ports/documents'
import { Death, type Mortal, mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

const letters = Array.from({ length: 540 }, (_, i): DocumentInput => {
  return { id: `letter-${i}`, text: `Letter ${i} says that the ferry was late.`, title: '', url: null, metadata: {} }
})
const wish: Wish = { op: 'add', entity: nameId('ferry'), text: 'ferry', type: 'ship' }

async function begun(): Promise<{ readonly world: World; readonly mortal: Mortal }> {
  const world = mortalWorld(['cluerag'], { models: 'none' })
  worlds.push(world)
  const mortal = world.wake()
  accept(mortal.context, { kind: 'ingest', upserts: letters, deletes: [] })
  await finish(mortal, world, noBill())
  return { world, mortal }
}

it('[V2135] of an added entity nothing is lost and nothing done twice wherever the object dies, nor of its undoing', async () => {
  const calm = (await begun()).mortal.context
  const empty = calm.graph.state
  expect(makeDecision(calm, wish, 'key')).toEqual({ kind: 'done', n: 1 })
  expect(hasBacklog(calm)).toBe(true)
  while (hasBacklog(calm)) processBacklog(calm)
  const added = calm.graph.state
  expect(calm.graph.degreeTo('mentions', wish.entity)).toBe(letters.length)

  const { world, mortal } = await begun()
  let [now, deaths] = [mortal, 0]
  const dying = (work: () => unknown, at: number): void => {
    now.doom({ write: at })
    try {
      work()
    } catch (error) {
      if (!(error instanceof Death)) throw error
      deaths++
      now = world.wake()
    }
  }
  for (let at = 1; listDecisions(now.context, null, 9).data.length === 0; at += 3) dying(() => makeDecision(now.context, wish, 'key'), at)
  for (let at = 1; hasBacklog(now.context); at += 3) dying(() => processBacklog(now.context), at)
  expect(deaths).toBeGreaterThan(2)
  expect(now.context.graph.state).toBe(added)
  for (let at = 1; listDecisions(now.context, null, 9).data.length > 0; at += 3) dying(() => undoDecision(now.context, 1), at)
  for (let at = 1; hasBacklog(now.context); at += 3) dying(() => processBacklog(now.context), at)
  expect([now.context.graph.node(wish.entity), now.context.graph.state]).toEqual([undefined, empty])
})

it('[V2134] whether a text says a name is judged by what the asker may read: nothing is told of the others', async () => {
  const world = mortalWorld(['cluerag'], { models: 'none' })
  worlds.push(world)
  const mortal = world.wake()
  const { context } = mortal
  const document = (id: string, text: string, access: string): DocumentInput => ({
    id,
    text,
    title: '',
    url: null,
    metadata: {},
    access: [access],
  })
  const upserts = [document('a', 'Ada Holm hid the ferry in Oslo.', 'group:a'), document('b', 'Bela Corvin rowed to Riga.', 'group:b')]
  accept(context, { kind: 'ingest', upserts, deletes: [] })
  await finish(mortal, world, noBill())
  const say = (name: string, asker: Asker) =>
    makeDecision(context, { op: 'add', entity: nameId(name.toLowerCase()), text: name }, 'key', asker)
  expect([say('ferry', ['group:b']), say('Oslo', ['group:b'])]).toEqual([{ kind: 'unsaid' }, { kind: 'unsaid' }])
  expect([say('Oslo', ['group:a']), say('rowed', ['group:b'])]).toEqual([
    { kind: 'unchanged', n: null },
    { kind: 'done', n: 1 },
  ])
  expect(say('rowed', ['group:a'])).toEqual({ kind: 'unsaid' })
})
