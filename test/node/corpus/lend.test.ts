/** Which tasks a round is lent, and what it is told of them. */
import { afterEach, expect, it } from 'vitest'
import { openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { type Mortal, mortalWorld, type World } from './mortal-object'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

function begun(tokens: number, shared: Parameters<typeof mortalWorld>[2] = {}): Mortal {
  const world = mortalWorld([], { chunking: { chunk: tokens, overlap: 0, passage: tokens }, models: 'none' }, shared)
  worlds.push(world)
  return world.wake()
}

function put({ context }: Mortal, ...texts: string[]): void {
  accept(context, {
    kind: 'batch',
    upserts: texts.map((text) => ({ id: text.slice(0, 20), text, title: '', url: null, metadata: {} })),
    deletes: [],
  })
}

it('[F2180] a task is marked if those lent after it are another job’s', () => {
  const mortal = begun(60)
  put(mortal, 'The heron waits at the pond.', 'The bittern booms in the reeds.')
  put(mortal, 'The stork nests on the roof.')
  put(mortal, 'The ibis probes the mud.', 'The spoonbill sweeps the water.')
  const tasks = openTasks(mortal.context, 'one', 1000)?.tasks
  expect(tasks?.map(({ isLastOfJob = false }) => isLastOfJob)).toEqual([false, true, true, false, false])
})

it('[F431] texts lent at once have no more than four million characters', () => {
  const mortal = begun(4000)
  for (let n = 0; n < 12; n++) put(mortal, Array.from({ length: 20_000 }, (_, i) => `Heron ${n * 20_000 + i} waits.`).join(' '))
  const chars =
    openTasks(mortal.context, 'one', 1_000_000)?.tasks.map(({ brief }) => ('texts' in brief ? brief.texts.join('').length : 0)) ?? []
  const [sum, last] = [chars.reduce((a, b) => a + b, 0), chars.at(-1) ?? 0]
  expect(sum).toBeGreaterThanOrEqual(4_000_000)
  expect(sum - last).toBeLessThan(4_000_000)
})

it('[F2181] a round is lent few texts while the corpus is being asked', () => {
  const [clock, asked] = [{ now: 1_000_000 }, { at: 0 }]
  const mortal = begun(60, { clock, asked })
  const herons = Array.from({ length: 600 }, (_, n) => `Heron ${n} waits at pond ${n}.`)
  put(mortal, ...herons)
  asked.at = clock.now - 9999
  expect(openTasks(mortal.context, 'one', 1000)?.tasks).toHaveLength(512)
  clock.now++
  expect(openTasks(mortal.context, 'one', 1000)?.tasks).toHaveLength(600)
})
