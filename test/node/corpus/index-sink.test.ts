/** The vector index as a sink, and what a question does about what it does not show. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { dropSlice } from '../../../durable-objects/corpus/maintenance/drop'
import { startMaintenance } from '../../../durable-objects/corpus/maintenance/maintain'
import { drain } from '../../../durable-objects/corpus/outbox/drain'
import { drainIndex } from '../../../durable-objects/corpus/outbox/index-sink'
import { nearestUnindexed, newReadAllowance } from '../../../durable-objects/corpus/outbox/nearest-unindexed'
import { countUnsentRows, cursorOf } from '../../../durable-objects/corpus/outbox/outbox'
import { faultOf, refusedOf } from '../../../durable-objects/corpus/outbox/slice-sender'
import { createUnindexedVectors, MAX_BYTES } from '../../../durable-objects/corpus/outbox/unindexed-vectors'
import { entryPoints } from '../../../durable-objects/corpus/query/entry-points'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import { metaKeys, readMeta, writeMeta } from '../../../durable-objects/corpus/tables/meta'
import { lastSeq } from '../../../durable-objects/corpus/tables/outbox'
import { strategies } from '../../../src/core/strategies/registry'
import { vectorizeLimits as limits } from '../../../src/platform-limits'
import type { DocumentInput } from '../../../src/ports/documents'
import { begun, closeAll, letters, name, put, shown, textOf } from './letters'
import type { Mortal, World } from './mortal-object'
import { answered, embed, finish, noBill } from './working'

afterEach(closeAll)

/** All model work, short of the sinks. */
async function takeIn({ context }: Mortal): Promise<void> {
  for (let round = openTasks(context, 'one', 1024); round && round.tasks.length > 0; round = openTasks(context, 'one', 1024)) {
    commitRound(context, 'one', answered(round, noBill()))
    while (commitNext(context)) {} // a commit each
  }
}

/** The documents whose own text leads to them first, asked as the Worker asks. */
async function recalled({ context, sinks }: Mortal, documents: readonly DocumentInput[]): Promise<number> {
  let found = 0
  for (const { id, text } of documents) {
    const vector = embed(text)
    const hits = await sinks.index.query(context.config.uid, vector, { kind: 'passage', k: 5 })
    const near = { passage: hits.map((hit) => ({ ...hit })) }
    const request = { strategy: 'vector', text, vector, near, topK: 1, budget: 1000, trace: false, options: {} }
    const result = retrieve(context, request)
    if (result.kind === 'evidence' && result.evidence[0]?.document === id && hits.length > 0) found++
  }
  return found
}

it('[J541] the nodes whose vectors are sent are read together, and the index holds the same', async () => {
  const { world, mortal } = begun(['erarag'])
  put(mortal, letters(80))
  await takeIn(mortal)
  const { graph } = mortal.context
  const together = vi.spyOn(graph, 'preload')
  await drainIndex(mortal.context, mortal.sinks.index, Number.POSITIVE_INFINITY)
  const read = new Set(together.mock.calls.flatMap(([{ nodes = [] }]) => nodes))
  const nodes = graph.page('summary', '', 100)
  expect(nodes.length).toBeGreaterThan(2)
  expect(nodes.filter((id) => !read.has(id))).toEqual([])
  expect(shown(world)).toHaveLength(graph.count('passage') + nodes.length)
})

describe('ids', () => {
  it('[F38] two corpora with the same documents: one is changed and deleted, the other keeps its vectors and finds as before', async () => {
    const first = begun([], { uid: 'first' })
    const second = begun([], { uid: 'second', index: first.world.index, clock: first.world.clock })
    for (const { mortal, world } of [first, second]) {
      put(mortal, letters(12))
      await finish(mortal, world, noBill())
    }
    const before = second.world.told()
    expect([await recalled(first.mortal, letters(12)), await recalled(second.mortal, letters(12))]).toEqual([12, 12])
    accept(first.mortal.context, { kind: 'delete', upserts: [], deletes: letters(6).map((one) => one.id) })
    await finish(first.mortal, first.world, noBill())
    expect([await recalled(second.mortal, letters(12)), second.world.told()]).toEqual([12, before])
    startMaintenance(first.mortal.context, 'drop')
    expect(await dropSlice(first.mortal.context, first.mortal.sinks, first.world.clock.now + 1)).toBe('gone')
    expect(shown(first.world, 'first')).toEqual([])
    expect([await recalled(second.mortal, letters(12)), second.world.told()]).toEqual([12, before])
  })

  it('[F38] what an earlier release wrote under ids without a corpus is found until a rebuild, which removes it, and nothing of another corpus', async () => {
    const { world, mortal } = begun(['erarag', 'archrag'])
    put(mortal, letters(12))
    await finish(mortal, world, noBill())
    const own = shown(world)
    const rows = world.index.rows as Map<string, object>
    const bare = own.map((id) => id.slice('mortal:'.length))
    const entities = mortal.context.graph.page('entity', '', 3)
    for (const id of own) {
      rows.set(id.slice('mortal:'.length), { ...rows.get(id), id: id.slice('mortal:'.length) })
      rows.delete(id)
    }
    for (const id of entities) rows.set(id, { id, namespace: 'mortal', values: new Float32Array(16), metadata: { kind: 'entity' } })
    rows.set(bare[0] ?? '', { ...rows.get(bare[0] ?? ''), namespace: 'other' })
    writeMeta(mortal.context.sql, metaKeys.unnamedVectors, 'yes')
    expect(await recalled(mortal, letters(12))).toBeGreaterThanOrEqual(11)
    startMaintenance(mortal.context, 'rebuild')
    await finish(mortal, world, noBill())
    expect(shown(world).sort()).toEqual(own.sort())
    expect(shown(world, 'other')).toEqual([bare[0]])
    expect(readMeta(mortal.context.sql, metaKeys.unnamedVectors)).toBeUndefined()
  })
})

describe('what is sent', () => {
  it('[J20] a change of more than a hundred nodes and more than two hundred vectors is written in slices, and removed in slices', async () => {
    const { world, mortal } = begun(['cluerag', 'erarag'], { part: 400 })
    put(mortal, letters(400))
    await finish(mortal, world, noBill())
    expect(mortal.context.graph.count('entity')).toBeGreaterThan(100)
    expect(shown(world).filter((id) => id.includes(':p_')).length).toBe(mortal.context.graph.count('passage'))
    const { calls } = world.index
    const largest = Math.max(...calls.filter((one) => one.op === 'upsert').map((one) => one.count))
    expect([largest <= limits.safeUpsertVectors, largest > 150]).toEqual([true, true])
    // No strategy enters by entities, and what the index never had is not removed from it.
    expect(shown(world).some((id) => id.includes(':e_'))).toBe(false)
    const removed = calls.filter((one) => one.op === 'delete').flatMap((one) => one.ids)
    expect(removed.filter((id) => id.includes(':e_'))).toEqual([])
    accept(mortal.context, { kind: 'delete', upserts: [], deletes: letters(399).map((one) => one.id) })
    await finish(mortal, world, noBill())
    expect(Math.max(...calls.filter((one) => one.op === 'delete').map((one) => one.count))).toBe(limits.maxDeleteIds)
    expect(shown(world).filter((id) => id.includes(':p_')).length).toBe(mortal.context.graph.count('passage'))
  })

  it('[J21] one vector the index refuses is set aside and shown with its code; all others are there', async () => {
    const { world, mortal } = begun()
    put(mortal, letters(300))
    const bad: string[] = []
    world.index.poison = (op, ids) => {
      if (op !== 'upsert') return undefined
      if (bad.length === 0) bad.push(ids[77] ?? '')
      return ids.includes(bad[0] ?? '') ? 40_012 : undefined
    }
    await finish(mortal, world, noBill())
    expect(shown(world).length).toBe(mortal.context.graph.count('passage') - 1)
    expect(shown(world)).not.toContain(bad[0])
    expect(refusedOf(mortal.context)).toMatchObject({ count: 1, code: 40_012 })
    expect([countUnsentRows(mortal.context), faultOf(mortal.context, 'index')]).toEqual([0, undefined])
  })

  it('[J21] an outage keeps the place that was reached, whatever code it has, and nothing is sent twice', async () => {
    const { world, mortal } = begun()
    put(mortal, letters(500))
    let upserts = 0
    world.index.poison = (op) => (op === 'upsert' && ++upserts > 1 ? 40_041 : undefined)
    await finish(mortal, world, noBill()).catch(() => undefined)
    for (let i = 0; i < 20; i++) await drain(mortal.context, mortal.sinks).catch(() => undefined)
    expect(shown(world).length).toBe(limits.safeUpsertVectors - 1)
    expect(faultOf(mortal.context, 'index')).toMatchObject({ code: 40_041, tries: 21 })
    expect(refusedOf(mortal.context)).toBeUndefined()
    world.index.poison = () => undefined
    const before = new Set(shown(world))
    const { length } = world.index.calls
    await finish(mortal, world, noBill())
    const again = world.index.calls.slice(length).filter((one) => one.op === 'upsert')
    expect(again.flatMap((one) => one.ids).filter((id) => before.has(id))).toEqual([])
    expect(shown(world).length).toBe(mortal.context.graph.count('passage'))
  })

  it('[J21] a slice that fails again and again for no given reason, while others pass, is searched for the bad vector', async () => {
    const { world, mortal } = begun()
    put(mortal, letters(300))
    world.index.poison = (op, ids) => (op === 'upsert' && ids.some((id) => id === shownBad) ? 10_000 : undefined)
    const shownBad = await firstPassage(mortal, world)
    for (let i = 0; i < 12; i++) await drain(mortal.context, mortal.sinks).catch(() => undefined)
    expect([countUnsentRows(mortal.context), refusedOf(mortal.context)?.count]).toEqual([0, 1])
    expect(shown(world).length).toBe(mortal.context.graph.count('passage') - 1)
  })
})

/** Works up to the outbox, and names a vector that is waiting in it. */
async function firstPassage(mortal: Mortal, world: World): Promise<string> {
  const { poison } = world.index
  world.index.poison = () => 10_000
  await finish(mortal, world, noBill()).catch(() => undefined)
  world.index.poison = poison
  const [chunk = ''] = mortal.context.graph.page('chunk', '', 1)
  return `mortal:${mortal.context.graph.chunk(chunk)?.passages[0]?.id}`
}

describe('what is not visible yet', () => {
  it('[J22] a write counts as visible when the mark behind it is, whatever others write and whatever clocks say', async () => {
    const first = begun([], { uid: 'first' })
    const { world } = first
    const second = begun([], { uid: 'second', index: world.index, clock: world.clock })
    world.index.delay = limits.visibleAfterMs
    put(first.mortal, letters(3))
    await finish(first.mortal, world, noBill())
    world.clock.now += 20_000
    put(second.mortal, letters(3))
    await finish(second.mortal, second.world, noBill())
    const sent = world.clock.now
    world.clock.now = sent + limits.visibleAfterMs - 1
    await drain(first.mortal.context, first.mortal.sinks)
    await drain(second.mortal.context, second.mortal.sinks)
    const isSeen = ({ mortal }: typeof first) => cursorOf(mortal.context, 'visible') === lastSeq(mortal.context)
    expect([isSeen(first), isSeen(second)]).toEqual([true, false])
    expect(second.mortal.context.unindexed.bytes).toBeGreaterThan(0)
    world.clock.now++
    await drain(second.mortal.context, second.mortal.sinks)
    expect([isSeen(second), second.mortal.context.unindexed.bytes]).toEqual([true, 0])
  })

  it('[J22] a mark that was lost is sent again', async () => {
    const { world, mortal } = begun()
    put(mortal, letters(1))
    world.index.lost = 1
    await finish(mortal, world, noBill())
    expect(cursorOf(mortal.context, 'visible')).toBeLessThan(lastSeq(mortal.context))
    world.clock.now += 600_001
    await drain(mortal.context, mortal.sinks)
    await drain(mortal.context, mortal.sinks)
    expect(cursorOf(mortal.context, 'visible')).toBe(lastSeq(mortal.context))
  })

  it('[J23] an object that wakes reads no unindexed vector; a question brings them into memory and finds them, within the bounds', async () => {
    const { world, mortal } = begun()
    world.index.delay = Number.MAX_SAFE_INTEGER / 2
    put(mortal, letters(60))
    await finish(mortal, world, noBill())
    const { context } = world.wake()
    expect([context.unindexed.bytes, context.unindexed.floor]).toEqual([0, lastSeq(context)])
    const nearest = (text: string) =>
      nearestUnindexed(context, { kind: 'passage', vector: embed(text), k: 1 }, newReadAllowance())[0]?.score
    expect(nearest(textOf(17))).toBeCloseTo(1, 6)
    expect([context.unindexed.bytes > 0, context.unindexed.bytes <= MAX_BYTES, context.unindexed.floor]).toEqual([true, true, 0])
  })

  it('[J23] memory is bounded whatever comes in, no document waits for it, and what it has no room for is found in rows', async () => {
    const { world, mortal } = begun()
    world.index.delay = Number.MAX_SAFE_INTEGER / 2
    const max = 3000 // bytes: some twenty of these vectors
    const context = { ...mortal.context, unindexed: createUnindexedVectors(0, max) }
    for (const from of [0, 30, 60]) {
      put({ ...mortal, context }, letters(30, from))
      expect(openTasks(context, 'one', 1024)?.tasks.length).toBe(30)
      await finish({ ...mortal, context }, world, noBill())
    }
    expect(context.unindexed.bytes).toBeLessThanOrEqual(max)
    expect(context.unindexed.floor).toBeGreaterThan(0)
    const asked = (n: number, left: number) => {
      const allowed = { left, isExceeded: false }
      return { score: nearestUnindexed(context, { kind: 'passage', vector: embed(textOf(n)), k: 1 }, allowed)[0]?.score ?? 0, allowed }
    }
    for (const n of [0, 31, 89]) expect(asked(n, 1000).score).toBeCloseTo(1, 6)
    expect(asked(0, 1000).allowed.isExceeded).toBe(false)
    const bounded = asked(0, 10)
    expect([bounded.allowed, bounded.score < 0.999]).toEqual([{ left: 0, isExceeded: true }, true])
  })

  it('[J24] without the index every vector is compared where they are few, and those that share words where they are many', async () => {
    const { world, mortal } = begun()
    put(mortal, letters(60))
    await finish(mortal, world, noBill())
    const { context } = mortal
    const strategy = strategies.get('vector')
    if (!strategy) throw new Error('no strategy')
    const asked = (n: number, left: number) => {
      const allowed = { left, isExceeded: false }
      const terms = ['pilot', name(n).toLowerCase()]
      const hits = entryPoints(context, strategy, {
        vector: embed(textOf(n)),
        terms,
        shown: {},
        documents: undefined,
        allowed,
        graph: context.graph,
        sight: undefined,
      })
      return { allowed, best: hits.passage?.[0]?.score ?? 0, count: hits.passage?.length ?? 0 }
    }
    expect(asked(7, 1000)).toMatchObject({ allowed: { left: 1000 - context.graph.count('passage'), isExceeded: false }, count: 60 })
    const many = asked(7, 5)
    expect([many.allowed.isExceeded, many.best > 0.999]).toEqual([true, true])
  })
})

describe('a corpus that is forgotten', () => {
  it('[J161] is removed in slices that keep their place, waits until the index shows nothing of it, and removes again what the index lost', async () => {
    const { world, mortal } = begun()
    put(mortal, letters(700))
    await finish(mortal, world, noBill())
    world.index.delay = limits.visibleAfterMs
    accept(mortal.context, { kind: 'delete', upserts: [], deletes: ['letter-1'] })
    startMaintenance(mortal.context, 'drop')
    const slice = () => dropSlice(mortal.context, mortal.sinks, world.clock.now)
    expect(await slice()).toBe('more')
    const places = new Set<string | undefined>()
    let said = 'more'
    world.index.lost = 1
    for (let i = 0; i < 50 && said === 'more'; i++) {
      places.add(JSON.stringify(readMeta(mortal.context.sql, metaKeys.dropPlace)))
      said = await slice()
    }
    expect([said, places.size > 4, shown(world).length > 0]).toEqual(['waiting', true, true])
    for (let i = 0; i < 50 && said !== 'gone'; i++) {
      world.clock.now += limits.visibleAfterMs
      said = await slice()
    }
    expect(said).toBe('gone')
    world.clock.now += limits.visibleAfterMs
    expect([...world.index.rows.values()]).toEqual([])
  })

  it('[J161] is removed, too, where the index has other dimensions and never took anything', async () => {
    const { world, mortal } = begun()
    world.index.poison = (op) => (op === 'upsert' ? 40_012 : undefined)
    put(mortal, letters(30))
    await finish(mortal, world, noBill()).catch(() => undefined)
    expect([shown(world), countUnsentRows(mortal.context) > 0]).toEqual([[], true])
    startMaintenance(mortal.context, 'drop')
    let said = 'more'
    for (let i = 0; i < 50 && said !== 'gone'; i++) said = await dropSlice(mortal.context, mortal.sinks, world.clock.now)
    expect(said).toBe('gone')
  })
})
