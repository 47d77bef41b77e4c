/** How much of the corpus a slice of deriving anew takes in. Rule V104. */
import { afterEach, expect, it } from 'vitest'
import { maintain, workOnce } from '../../../durable-objects/corpus/care/maintain'
import { paced } from '../../../durable-objects/corpus/care/pace'
import { accept } from '../../../durable-objects/corpus/intake/accept'
import type { Ledger } from '../../../durable-objects/corpus/store'
import { stateHash } from '../../../src/core/graph/fingerprint'
import { mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

/** Forty notes of a chunk, and a book of many among them. */
async function corpus() {
  const world = mortalWorld(['ketrag'])
  worlds.push(world)
  const mortal = world.wake()
  const note = (n: number) => `Anna Berg counted ${n} herons at Port Ellis on day ${n}.`
  const notes = Array.from({ length: 40 }, (_, n) => ({ id: `n${String(n).padStart(2, '0')}`, text: note(n) }))
  const book = { id: 'n10 book', text: Array.from({ length: 1000 }, (_, n) => note(1000 + n)).join(' ') }
  const upserts = [...notes, book].map((one) => ({ ...one, title: '', url: null, metadata: {} }))
  accept(mortal.ledger, { kind: 'batch', upserts, deletes: [] })
  await finish(mortal, world, noBill())
  return { world, mortal, ledger: mortal.ledger }
}

const fedTo = ({ sql }: Ledger): number => sql.one<{ n: number }>(`SELECT count(*) AS n FROM fed WHERE id NOT LIKE 'd %'`)?.n ?? 0

/** Derives anew where a chunk takes so many ms; chunks of each slice that fed any. */
async function derived(ms: number): Promise<{ readonly slices: readonly number[]; readonly state: string; readonly book: number }> {
  const { world, mortal, ledger } = await corpus()
  maintain(ledger, 'reindex')
  const slices: number[] = []
  for (let before = 0; workOnce(ledger); ) {
    const now = fedTo(ledger)
    if (now > before) slices.push(now - before)
    world.clock.now += 20 + ms * Math.max(0, now - before)
    before = now
  }
  await finish(mortal, world, noBill())
  return { slices, state: stateHash(ledger.graph.lines()), book: ledger.graph.document('n10 book')?.chunks.length ?? 0 }
}

it('[V104] a slice takes in what takes about half a second, a document whole, and what is derived is the same', async () => {
  const [quick, slow] = [await derived(1), await derived(150)]
  expect(quick.slices.slice(0, 3)).toEqual([8, 3, 32]) // the book does not fit beside the notes before it, and does beside those behind
  expect(slow.book).toBeGreaterThan(8)
  const alone = slow.slices.filter((one) => one === slow.book)
  expect([slow.slices[0], alone.length, Math.max(...slow.slices.slice(1).filter((one) => one !== slow.book))]).toEqual([8, 1, 3])
  expect(slow.slices.length).toBeGreaterThan(quick.slices.length)
  expect(slow.state).toBe(quick.state)
})

it('[V104] the pace follows the clock: at most twice as much as before, at least one chunk', () => {
  const at = (chunks: number, took: number, taken = chunks) => paced({ chunks, open: { taken, began: 1000 } }, 1000 + took).chunks
  expect([at(8, 0), at(8, 500), at(8, 1000), at(8, 60_000), at(64, 10), at(4, 6000, 50)]).toEqual([16, 8, 4, 1, 64, 4])
  expect(paced({ chunks: 5 }, 1e9)).toEqual({ chunks: 5 }) // other slices in between are not counted
})
