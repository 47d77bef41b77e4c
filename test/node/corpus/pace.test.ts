/** How much of the corpus a slice of deriving anew takes in. */
import { afterEach, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { runMaintenanceSlice, startMaintenance } from '../../../durable-objects/corpus/maintenance/maintain'
import { FIRST_TOKENS, nextPace, SLICE_MS } from '../../../durable-objects/corpus/maintenance/pace'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
import { stateHash } from '../../../src/core/graph/fingerprint'
import { mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

/** Notes of some 500 tokens, and a book of many chunks among them. */
async function corpus() {
  const world = mortalWorld(['erarag'])
  worlds.push(world)
  const mortal = world.wake()
  const text = (from: number, count: number) =>
    Array.from(
      { length: count },
      (_, n) => `we saw ${from + n} herons of the ${(from * 7 + n) % 41}th brood on a pond, and then ${n} more.`,
    ).join(' ')
  const notes = Array.from({ length: 26 }, (_, n) => ({ id: `n${String(n).padStart(2, '0')}`, text: text(30 * n, 30) }))
  const upserts = [...notes, { id: 'n10 book', text: text(5000, 600) }].map((one) => ({ ...one, title: '', url: null, metadata: {} }))
  accept(mortal.context, { kind: 'batch', upserts, deletes: [] })
  await finish(mortal, world, noBill())
  const tokens = (id: string) =>
    (mortal.context.graph.document(id)?.chunks ?? []).reduce((sum, { chunk }) => sum + (mortal.context.graph.chunk(chunk)?.tokens ?? 0), 0)
  return { world, mortal, context: mortal.context, note: tokens('n00'), book: tokens('n10 book') }
}

const fedTo = ({ sql }: CorpusContext): string[] =>
  sql.all<{ id: string }>(`SELECT id FROM fed WHERE id LIKE 'd %' ORDER BY id`).map(({ id }) => id.slice(2))

/** Derives anew where a token takes so many ms; the documents of each slice that fed any. */
async function derived(ms: number) {
  const { world, mortal, context, note, book } = await corpus()
  startMaintenance(context, 'reindex')
  const slices: string[][] = []
  for (let before: string[] = []; runMaintenanceSlice(context); ) {
    const now = fedTo(context)
    const own = now.filter((id) => !before.includes(id))
    if (own.length > 0) slices.push(own)
    world.clock.now += 20 + ms * own.reduce((sum, id) => sum + (id === 'n10 book' ? book : note), 0)
    before = now.length > 0 ? now : before
  }
  await finish(mortal, world, noBill())
  return { slices, state: stateHash(context.graph.lines()), note, book }
}

it('[V104] a slice is what takes about a seventh of a second, in whole documents, and what is derived is the same', async () => {
  const [quick, slow] = [await derived(0.01), await derived(SLICE_MS / 2000)]
  const first = Math.floor(FIRST_TOKENS / quick.note)
  const sizes = (slices: readonly (readonly string[])[]) => slices.map((one) => one.length)
  expect([first > 1, first < 5, quick.book > 8000]).toEqual([true, true, true])
  const second = Math.floor((2 * FIRST_TOKENS) / quick.note)
  expect(sizes(quick.slices).slice(0, 3)).toEqual([first, second, 11 - first - second]) // beside the notes before it there is no room for the book
  expect(quick.slices[3]?.[0]).toBe('n10 book')
  expect(slow.slices[0]).toHaveLength(first)
  expect(slow.slices.filter((one) => one.includes('n10 book'))).toEqual([['n10 book']])
  expect(Math.max(...sizes(slow.slices.slice(1)))).toBe(Math.floor(2000 / slow.note))
  expect(slow.state).toBe(quick.state)
})

it('[V104] the pace follows the clock: at most twice as much as before, and at least something', () => {
  const at = (tokens: number, took: number, taken = tokens) => nextPace({ tokens, open: { taken, began: 1000 } }, 1000 + took).tokens
  expect([at(800, 0), at(800, SLICE_MS), at(800, 2 * SLICE_MS), at(8, 60_000), at(80_000, 10), at(400, 12 * SLICE_MS, 5000)]).toEqual([
    1600, 800, 400, 1, 80_000, 416,
  ])
  expect(nextPace({ tokens: 500 }, 1e9)).toEqual({ tokens: 500 }) // other slices in between are not counted
})
