/** Pinned questions as the object keeps them: on condition, and with what each found. */
import { afterEach, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { health } from '../../../durable-objects/corpus/maintenance/health'
import { startMaintenance } from '../../../durable-objects/corpus/maintenance/maintain'
import { surveySlice } from '../../../durable-objects/corpus/maintenance/survey'
import { missingOf, pinnedProbes, pinProbes, probesWithResults } from '../../../durable-objects/corpus/quality-gate/probes'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
import { type Mortal, mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

function born(): { readonly world: World; readonly mortal: Mortal; readonly context: CorpusContext } {
  const world = mortalWorld(['ketrag'])
  worlds.push(world)
  const mortal = world.wake()
  return { world, mortal, context: mortal.context }
}

const BOUNDS = { k: 5, tolerance: 0.02 }
const probe = (query: string) => ({ query, expect: ['a'] })

it('[V102] what is pinned on condition is pinned only where nobody has pinned others; the same pinned again has the same revision', () => {
  const { context } = born()
  const { revision: none } = pinnedProbes(context)
  expect([pinProbes(context, [probe('one?')], BOUNDS, none), pinProbes(context, [probe('two?')], BOUNDS, none)]).toEqual([true, false])
  const one = pinnedProbes(context)
  expect(one.probes).toEqual([probe('one?')])
  expect(pinProbes(context, [probe('one?')], BOUNDS, one.revision)).toBe(true)
  expect(pinnedProbes(context).revision).toBe(one.revision)
  pinProbes(context, [probe('one?')], { ...BOUNDS, tolerance: 0.1 })
  expect([
    pinnedProbes(context).revision === one.revision,
    pinProbes(context, [], BOUNDS, one.revision),
    pinProbes(context, [], BOUNDS),
  ]).toEqual([false, false, true])
})

it('[V1929] documents that are expected and not there, or not for who asks, are named', async () => {
  const { world, mortal, context } = born()
  const document = (id: string, access: readonly string[] = []) => ({
    id,
    text: `The mill of ${id}.`,
    title: '',
    url: null,
    metadata: {},
    access,
  })
  accept(context, { kind: 'batch', upserts: [document('mill'), document('secret', ['group:a'])], deletes: [] })
  await finish(mortal, world, noBill())
  const expected = ['mill', 'secret', 'none']
  expect([missingOf(context, expected, 'all'), missingOf(context, expected, [])]).toEqual([['none'], ['secret', 'none']])
})

it('[V102] each probe shows what was found for it last, by the schedule and at the last gate, as long as it is the same', async () => {
  const { world, mortal, context } = born()
  const texts = { mill: 'Otto Brandt grinds rye in the old mill of Vell.', port: 'Ada Quill counts ships from the tower of Arbor.' }
  const upserts = Object.entries(texts).map(([id, text]) => ({ id, text, title: '', url: null, metadata: {} }))
  accept(context, { kind: 'batch', upserts, deletes: [] })
  await finish(mortal, world, noBill())
  const one = { k: 1, tolerance: 0.02 }
  const found = { query: 'What does Otto Brandt grind in the mill?', expect: ['mill'] }
  const missed = { query: 'What does Otto Brandt grind in the old mill?', expect: ['port'] }
  const of = (query: string) => probesWithResults(context).probes.find((probe) => probe.query === query)
  pinProbes(context, [found, missed], one)
  expect([of(found.query)?.last, of(found.query)?.gate]).toEqual([null, null])
  for (let slice = 0; slice < 2; slice++) context.atomically(() => surveySlice(context))
  expect(of(found.query)?.last).toEqual({ at: world.clock.now, found: expect.objectContaining({ ketrag: { recall: 1, rank: 1 } }) })
  expect(of(missed.query)?.last?.found.ketrag).toEqual({ recall: 0, rank: null })
  startMaintenance(context, 'reindex')
  await finish(mortal, world, noBill())
  const gate = of(missed.query)?.gate
  expect([gate?.kind, gate?.found.ketrag]).toEqual(['reindex', { before: { recall: 0, rank: null }, after: { recall: 0, rank: null } }])
  // What is pinned beside it, or not any more, changes nothing of what was found for it; what is asked otherwise has not been asked.
  const more = { query: 'Who counts ships?', expect: ['port'] }
  const before = of(found.query)
  pinProbes(context, [more, found], one)
  expect([of(found.query), of(more.query)?.last, of(more.query)?.gate]).toEqual([before, null, null])
  context.atomically(() => surveySlice(context))
  expect(of(more.query)?.last?.found.ketrag?.rank).toBe(1)
  pinProbes(context, [more, { ...found, expect: ['mill', 'port'] }], one)
  expect([of(more.query)?.last === null, of(found.query)?.last]).toEqual([false, null])
  pinProbes(context, [more], { ...one, k: 2 })
  expect(of(more.query)?.last).toBeNull()
})

it('[E1776] health tells of a graph whose names are of an earlier release’s rules, until it is made anew', async () => {
  const { world, mortal, context } = born() // by no release that counted its rules
  expect(health(context).names).toBe('current') // nothing is in it
  accept(context, {
    kind: 'batch',
    upserts: [{ id: 'a', text: 'Otto Brandt grinds rye in Vell.', title: '', url: null, metadata: {} }],
    deletes: [],
  })
  await finish(mortal, world, noBill())
  expect(health(context).names).toBe('outdated')
  startMaintenance(context, 'reindex')
  await finish(mortal, world, noBill())
  expect(health(context).names).toBe('current')
})

it('[V102] probes that were never asked come first, one a slice', () => {
  const { context } = born()
  const queries = ['a?', 'b?', 'c?', 'd?', 'e?', 'f?']
  const asked = () => probesWithResults(context).probes.flatMap(({ query, last }) => (last ? [query] : []))
  pinProbes(context, queries.map(probe), BOUNDS)
  context.atomically(() => surveySlice(context))
  expect(asked()).toEqual(queries.slice(0, 1))
  pinProbes(context, ['new?', ...queries].map(probe), BOUNDS)
  for (let slice = 0; slice < 5; slice++) context.atomically(() => surveySlice(context))
  expect(asked()).toHaveLength(6)
})
