/** Objects that share an isolate's memory with others, down to nothing. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { runMaintenanceSlice, startMaintenance } from '../../../durable-objects/corpus/maintenance/maintain'
import { nearestUnindexed, newReadAllowance } from '../../../durable-objects/corpus/outbox/nearest-unindexed'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import type { CorpusContext, Store } from '../../../durable-objects/corpus/store'
import { Cache } from '../../../durable-objects/graph/cache'
import type { Asker } from '../../../src/core/access/labels'
import { keywords } from '../../../src/core/strategies/ketrag/published-keywords'
import { strategies } from '../../../src/core/strategies/registry'
import { type Forgetful, IsolateMemory, occupantOf } from '../../../src/isolate-memory'
import type { DocumentInput } from '../../../src/ports/documents'
import { until } from '../../core/until'
import { type Mortal, mortalWorld, type World } from './mortal-object'
import { answered, embed, finish, noBill } from './working'

const SYSTEMS = ['erarag', 'cluerag', 'ketrag', 'archrag']
const MUCH = 64 * 1024 * 1024

const worlds: World[] = []
afterEach(() => {
  vi.restoreAllMocks()
  for (const world of worlds.splice(0)) world.close()
})

function begun(memory: IsolateMemory, part?: number, systems = SYSTEMS): { readonly world: World; readonly mortal: Mortal } {
  const small = { chunking: { chunk: 60, overlap: 0, passage: 30 } }
  const world = mortalWorld(systems, small, { memory, ...(part === undefined ? {} : { part }) })
  worlds.push(world)
  return { world, mortal: world.wake() }
}

const textOf = (n: number): string =>
  `Captain Bar${n % 15} met Pilot Tor${(n + 3) % 7} at the harbour and wrote of it. They spoke of lantern ${n % 15} and of letter ${n}.`

const note = (n: number): DocumentInput => ({
  id: `note-${n}`,
  text: textOf(n),
  title: `Note ${n}`,
  url: null,
  metadata: {},
  access: n % 3 === 0 ? ['group:a'] : [],
})

function found(context: CorpusContext): string[] {
  const askers: readonly Asker[] = [[], ['group:a'], 'all']
  return [...strategies.values()].flatMap(({ name }) =>
    askers.map((asker) => {
      const text = 'What did Captain Bar3 and Pilot Tor6 say of lantern 3?'
      const request = {
        strategy: name,
        text,
        vector: embed(text),
        near: {},
        topK: 20,
        budget: 4000,
        trace: true,
        options: {},
        asker,
      } as const
      return JSON.stringify(retrieve(context, request))
    }),
  )
}

/** Documents that come, are replaced and go, one by one and by parts, and the whole graph made anew. */
async function lived(memory: IsolateMemory, part?: number) {
  const { world, mortal } = begun(memory, part)
  const { context } = mortal
  const settled = () => finish(mortal, world, noBill())
  accept(context, { kind: 'batch', upserts: Array.from({ length: 24 }, (_, n) => note(n)), deletes: [] })
  await settled()
  accept(context, { kind: 'batch', upserts: [{ ...note(3), text: textOf(40) }], deletes: ['note-5', 'note-6'] })
  await settled()
  startMaintenance(context, 'consolidate')
  await settled()
  const answers = found(context)
  startMaintenance(context, 'rebuild')
  await settled()
  return { context, told: [answers, found(context), context.graph.state, world.told()] }
}

describe('an object among others', () => {
  it.each([undefined, 8])('[G1941] that may remember nothing answers and commits as one that remembers all (parts of %s)', async (part) => {
    const memory = new IsolateMemory(MUCH)
    const one = await lived(memory, part)
    const none = new IsolateMemory(0)
    const other = await lived(none, part)
    expect(other.told).toEqual(one.told)
    expect([memory.bytes > 100_000, none.bytes, other.context.unindexed.bytes]).toEqual([true, 0, 0])
  })

  it('[G1940] vectors the index does not show give way as well, and are found in rows from then on', async () => {
    const memory = new IsolateMemory(MUCH)
    const { world, mortal } = begun(memory)
    world.index.delay = Number.MAX_SAFE_INTEGER / 2
    const { context } = mortal
    accept(context, { kind: 'batch', upserts: Array.from({ length: 20 }, (_, n) => note(n)), deletes: [] })
    await finish(mortal, world, noBill())
    const asked = (n: number) => {
      const text = context.graph.chunk(context.graph.document(`note-${n}`)?.chunks[0]?.chunk ?? '')
      const vector = context.graph.vector(text?.passages[0]?.id ?? '') ?? embed('')
      return nearestUnindexed(context, { kind: 'passage', vector, k: 5 }, newReadAllowance())
    }
    const before = [0, 7, 19].map(asked)
    const unindexed = context.unindexed as Store['unindexed'] & Forgetful
    const { bytes } = unindexed
    while (unindexed.bytes > bytes / 2) unindexed.forgetOldest()
    expect([0, 7, 19].map(asked)).toEqual(before)
    memory.lendTo(MUCH, () => {
      expect([unindexed.bytes, memory.bytes]).toEqual([0, 0])
      expect([0, 7, 19].map(asked)).toEqual(before)
      expect(memory.bytes).toBe(0)
    })
    expect(new Set(before.flatMap((hits) => hits.map(({ id }) => id))).size).toBeGreaterThan(5)
  })

  it('[G1942] is lent what a change takes by its chunks, and a clustering by its entities: others remember so much less', async () => {
    const memory = new IsolateMemory(MUCH)
    const others = new Cache(MUCH, occupantOf(memory))
    const fill = (): number => {
      for (let n = 0; n < 62; n++) others.set(String(n), n, 1024 * 1024)
      return others.bytes
    }
    const { world, mortal } = begun(memory)
    const { context } = mortal
    expect(fill()).toBeGreaterThan(0.9 * MUCH)
    accept(context, { kind: 'batch', upserts: Array.from({ length: 60 }, (_, n) => note(n)), deletes: [] })
    await finish(mortal, world, noBill())
    expect(others.bytes).toBeLessThanOrEqual(MUCH - 160 * 1024 * 60)
    expect(fill()).toBeGreaterThan(0.9 * MUCH)
    startMaintenance(context, 'consolidate')
    await finish(mortal, world, noBill())
    expect(context.graph.count('entity')).toBeGreaterThan(15)
    expect(others.bytes).toBeLessThanOrEqual(MUCH - 11 * 1024 * context.graph.count('entity'))
    expect(others.bytes).toBeGreaterThan(MUCH / 2)
  })

  it('[G1943] drafts in steps what it cannot remember between them three times, then in one', async () => {
    const memory = new IsolateMemory(MUCH)
    const { world, mortal } = begun(memory, undefined, ['ketrag'])
    const { context } = mortal
    const long = (n: number): DocumentInput => ({ ...note(n), text: Array.from({ length: 24 }, (_, i) => textOf(24 * n + i)).join(' ') })
    accept(context, { kind: 'batch', upserts: Array.from({ length: 40 }, (_, n) => long(n)), deletes: [] })
    await finish(mortal, world, noBill())
    const wanted = keywords.consolidate?.(context.graph, context.config.settings).patch ?? []
    const ids = wanted.flatMap((one) => (one.op === 'put-node' ? [one.node.id] : [])).sort()
    startMaintenance(context, 'consolidate')
    const inSteps = vi.spyOn(keywords as Required<typeof keywords>, 'consolidating')
    const inOne = vi.spyOn(keywords as Required<typeof keywords>, 'consolidate')
    memory.lend(MUCH, Number.POSITIVE_INFINITY)
    until(
      () => context.graph.count('keyword') > 0,
      () => {
        if (runMaintenanceSlice(context)) return
        const round = openTasks(context, 'one', 64)
        if (round) commitRound(context, 'one', answered(round, noBill()))
      },
    )
    expect([inSteps.mock.calls.length, inOne.mock.calls.length]).toEqual([3, 1])
    expect([context.graph.page('keyword', '', 1000), ids.length > 3]).toEqual([ids, true])
  })
})
