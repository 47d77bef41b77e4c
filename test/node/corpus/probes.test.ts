/** Pinned questions as the object keeps them: on condition, and with what each found. Rules V102 and V103. */
import { afterEach, expect, it } from 'vitest'
import { maintain } from '../../../durable-objects/corpus/care/maintain'
import { examine } from '../../../durable-objects/corpus/care/survey'
import { measured, pin, pinned } from '../../../durable-objects/corpus/gate/probes'
import { accept } from '../../../durable-objects/corpus/intake/accept'
import type { Ledger } from '../../../durable-objects/corpus/store'
import { type Mortal, mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

function born(): { readonly world: World; readonly mortal: Mortal; readonly ledger: Ledger } {
  const world = mortalWorld(['ketrag'])
  worlds.push(world)
  const mortal = world.wake()
  return { world, mortal, ledger: mortal.ledger }
}

const BOUNDS = { k: 5, tolerance: 0.02 }
const probe = (query: string) => ({ query, expect: ['a'] })

it('[V102] what is pinned on condition is pinned only where nobody has pinned others; the same pinned again is the same', () => {
  const { ledger } = born()
  const { revision: none } = pinned(ledger)
  expect([pin(ledger, [probe('one?')], BOUNDS, none), pin(ledger, [probe('two?')], BOUNDS, none)]).toEqual([true, false])
  const one = pinned(ledger)
  expect(one.probes).toEqual([probe('one?')])
  expect(pin(ledger, [probe('one?')], BOUNDS, one.revision)).toBe(true)
  expect(pinned(ledger).revision).toBe(one.revision)
  pin(ledger, [probe('one?')], { ...BOUNDS, tolerance: 0.1 })
  expect([pinned(ledger).revision === one.revision, pin(ledger, [], BOUNDS, one.revision), pin(ledger, [], BOUNDS)]).toEqual([
    false,
    false,
    true,
  ])
})

it('[V103] each probe says what was found for it last, by the schedule and at the last gate, as long as it is asked the same', async () => {
  const { world, mortal, ledger } = born()
  const texts = { mill: 'Otto Brandt grinds rye in the old mill of Vell.', port: 'Ada Quill counts ships from the tower of Arbor.' }
  const upserts = Object.entries(texts).map(([id, text]) => ({ id, text, title: '', url: null, metadata: {} }))
  accept(ledger, { kind: 'batch', upserts, deletes: [] })
  await finish(mortal, world, noBill())
  const one = { k: 1, tolerance: 0.02 }
  const found = { query: 'What does Otto Brandt grind in the mill?', expect: ['mill'] }
  const missed = { query: 'What does Otto Brandt grind in the old mill?', expect: ['port'] }
  const of = (query: string) => measured(ledger).probes.find((probe) => probe.query === query)
  pin(ledger, [found, missed], one)
  expect([of(found.query)?.last, of(found.query)?.gate]).toEqual([null, null])
  for (let slice = 0; slice < 2; slice++) ledger.atomically(() => examine(ledger))
  expect(of(found.query)?.last).toEqual({ at: world.clock.now, found: expect.objectContaining({ ketrag: { recall: 1, rank: 1 } }) })
  expect(of(missed.query)?.last?.found.ketrag).toEqual({ recall: 0, rank: null })
  maintain(ledger, 'reindex')
  await finish(mortal, world, noBill())
  const gate = of(missed.query)?.gate
  expect([gate?.kind, gate?.found.ketrag]).toEqual(['reindex', { before: { recall: 0, rank: null }, after: { recall: 0, rank: null } }])
  // What is pinned beside it, or not any more, changes nothing of what was found for it; what is asked otherwise has not been asked.
  const more = { query: 'Who counts ships?', expect: ['port'] }
  const before = of(found.query)
  pin(ledger, [more, found], one)
  expect([of(found.query), of(more.query)?.last, of(more.query)?.gate]).toEqual([before, null, null])
  ledger.atomically(() => examine(ledger))
  expect(of(more.query)?.last?.found.ketrag?.rank).toBe(1)
  pin(ledger, [more, { ...found, expect: ['mill', 'port'] }], one)
  expect([of(more.query)?.last === null, of(found.query)?.last]).toEqual([false, null])
  pin(ledger, [more], { ...one, k: 2 })
  expect(of(more.query)?.last).toBeNull()
})

it('[V103] probes that were never asked come first, one a slice', () => {
  const { ledger } = born()
  const queries = ['a?', 'b?', 'c?', 'd?', 'e?', 'f?']
  const asked = () => measured(ledger).probes.flatMap(({ query, last }) => (last ? [query] : []))
  pin(ledger, queries.map(probe), BOUNDS)
  ledger.atomically(() => examine(ledger))
  expect(asked()).toEqual(queries.slice(0, 1))
  pin(ledger, ['new?', ...queries].map(probe), BOUNDS)
  for (let slice = 0; slice < 5; slice++) ledger.atomically(() => examine(ledger))
  expect(asked()).toHaveLength(6)
})
