/** The tree of summaries: structure under any sequence of changes, in every mode. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fittedPlanes } from '../../../bench/variants/erarag'
import { memberEdges } from '../../../src/core/graph/members'
import { eraBuilder } from '../../../src/core/strategies/erarag/build'
import { type EraSettings, eraDefaults } from '../../../src/core/strategies/erarag/settings'
import { shapeOf, storedShape } from '../../../src/core/strategies/erarag/shape'
import { bucketOf, parentOf } from '../../../src/core/strategies/erarag/tree'
import { D, type Doc, doc, docs, faults, settingsWith, treeIn, type World, world } from './worlds'

const small = { min: 2, max: 4 } as const // three and more layers with a hundred documents
const modes: readonly { readonly name: string; readonly era: Partial<EraSettings>; readonly writer: boolean; readonly exact: boolean }[] = [
  { name: 'the default', era: small, writer: false, exact: true },
  { name: 'a writer', era: small, writer: true, exact: true },
  { name: 'lazy writing', era: { ...small, writing: 'lazy' }, writer: true, exact: true },
  { name: 'lazy extraction', era: { ...small, writing: 'lazy' }, writer: false, exact: true },
  { name: "the paper's regrouping by text", era: { ...small, regroup: 'summary' }, writer: true, exact: true },
  { name: "the paper's split and merge", era: { ...small, segmentation: 'split-merge' }, writer: false, exact: false },
  { name: 'the paper throughout', era: { ...small, segmentation: 'split-merge', regroup: 'summary' }, writer: true, exact: false },
  {
    name: 'split and merge of the official code’s few planes',
    era: { ...small, segmentation: 'split-merge', planes: 8 },
    writer: false,
    exact: false,
  },
  {
    name: 'the nearest bucket by Hamming distance',
    era: { ...small, segmentation: 'split-merge', planes: 8, merge: 'hamming' },
    writer: false,
    exact: false,
  },
  { name: 'few planes', era: { ...small, planes: 4 }, writer: false, exact: true },
]
/** Summaries of one layer that one chunk may touch. These tests' writer gives a changed text any vector at all, so with `summary` each leaves one group and enters another. */
const touched = { members: { mean: 2, max: 4 }, summary: { mean: 4, max: 8 } } as const
const pool = docs('pool', 160)

/** Batches of additions and removals of the pool's documents, by index. */
const steps = fc.array(
  fc.record({ add: fc.array(fc.nat(pool.length - 1), { maxLength: 40 }), remove: fc.array(fc.nat(pool.length - 1), { maxLength: 15 }) }),
  {
    minLength: 1,
    maxLength: 6,
  },
)

/** Of each summary its members. */
function membersOf(one: World): ReadonlyMap<string, string> {
  return new Map(
    treeIn(one.graph).summaries.map(({ id }) => [
      id,
      memberEdges(one.graph, id)
        .map((edge) => edge.source)
        .sort()
        .join(),
    ]),
  )
}

/** Of each layer that has any, the number of its summaries of which `is` holds. */
function layerCounts(one: World, is: (id: string, members: string) => boolean): number[] {
  const counts = new Map<number, number>()
  for (const [id, members] of membersOf(one)) {
    const layer = one.graph.node(id)?.layer ?? 0
    if (is(id, members)) counts.set(layer, (counts.get(layer) ?? 0) + 1)
  }
  return [...counts.values()]
}

function run(
  one: World,
  sequence: readonly { readonly add: readonly number[]; readonly remove: readonly number[] }[],
  after: () => void,
): Set<Doc> {
  const held = new Set<Doc>()
  const pick = (indexes: readonly number[]): Doc[] => indexes.flatMap((index) => pool[index] ?? [])
  for (const { add, remove } of sequence) {
    one.change({ add: pick(add), remove: pick(remove) })
    for (const gone of pick(remove)) held.delete(gone)
    for (const come of pick(add)) held.add(come)
    after()
  }
  return held
}

describe.each(modes)('with $name', ({ era, writer, exact }) => {
  const settings = settingsWith(era, writer)

  it('[E8] after any changes, settled or not, bounds hold, every chunk has one path to the top, and there are no orphans', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (sequence, settle) => {
        const one = world(settings)
        run(one, sequence, () => {
          expect(faults(one.graph, settings)).toEqual([])
          if (settle) one.settle(3)
          expect(faults(one.graph, settings)).toEqual([])
        })
      }),
      { seed: 31, numRuns: 20 },
    )
  })

  it('[E460] one chunk that comes or goes makes few summaries of each layer anew, in a large tree as in a small one', () => {
    const bound = touched[settings.erarag.regroup]
    for (const size of [40, 150]) {
      const one = world(settings)
      one.change({ add: pool.slice(10, 10 + size) })
      one.settle()
      const counts: number[] = []
      for (const doc of pool.slice(0, 10)) {
        for (const change of [{ add: [doc] }, { remove: [doc] }]) {
          const before = membersOf(one)
          one.change(change)
          one.settle()
          counts.push(...layerCounts(one, (id, members) => before.get(id) !== members))
        }
      }
      expect(Math.max(...counts)).toBeLessThanOrEqual(bound.max)
      expect(counts.reduce((sum, n) => sum + n, 0) / counts.length).toBeLessThanOrEqual(bound.mean)
    }
  })

  it('[E11] what was deleted leaves nothing behind', () => {
    const one = world(settings)
    const empty = one.hash()
    one.change({ add: pool.slice(0, 60) })
    one.settle()
    one.change({ remove: pool.slice(0, 60) })
    expect(one.hash()).toBe(empty)
    expect(one.tasks.size).toBe(0)
  })

  it('[E10] a healthy tree is left alone by consolidation', () => {
    const one = world(settings)
    one.change({ add: pool.slice(0, 90) })
    one.settle()
    one.change({ add: pool.slice(90, 120), remove: pool.slice(0, 20) })
    one.settle()
    expect(eraBuilder.consolidate?.(one.graph, settings)).toEqual({ patch: [], tasks: [] })
  })

  if (!exact) return

  it('[E11] order of arrival and batching do not matter: settled, the graph is that of a clean build', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (sequence, between) => {
        const one = world(settings)
        const held = run(one, sequence, () => {
          if (between) one.settle(2)
        })
        one.settle(5)
        const clean = world(settings)
        clean.change({ add: [...held] })
        clean.settle()
        expect(one.hash()).toBe(clean.hash())
      }),
      { seed: 32, numRuns: 20 },
    )
  })

  it('[E11] inserting and deleting again gives back the same graph', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 1, max: 30 }), (base, more) => {
        const one = world(settings)
        one.change({ add: pool.slice(0, base) })
        one.settle()
        const before = one.hash()
        one.change({ add: pool.slice(base, base + more) })
        one.settle()
        one.change({ remove: pool.slice(base, base + more) })
        one.settle()
        expect(one.hash()).toBe(before)
      }),
      { seed: 33, numRuns: 6 },
    )
  })
})

describe('in particular', () => {
  it('[E8] an empty corpus has no tree, and one of at most S_max chunks has no summary', () => {
    const settings = settingsWith({})
    const one = world(settings)
    one.change({ add: docs('tiny', 12) })
    one.settle()
    expect(treeIn(one.graph).layers.map((ids) => ids.length)).toEqual([12])
    one.change({ add: docs('more', 1) })
    expect(faults(one.graph, settings)).toEqual([])
    expect(treeIn(one.graph).layers.length).toBe(2)
    one.change({ remove: docs('more', 1) })
    expect(treeIn(one.graph).layers.length).toBe(1)
  })

  it('[E2] equal vectors, and chunks without any, are cut like others', () => {
    const settings = settingsWith(small)
    const one = world(settings)
    const same = new Int8Array(D).fill(20)
    one.change({ add: Array.from({ length: 50 }, (_, i) => doc(`same-${i}`, `Number ${i}. Text.`, same)) })
    one.change({ add: Array.from({ length: 50 }, (_, i) => doc(`none-${i}`, `Nothing ${i}. Text.`, undefined)) })
    expect(faults(one.graph, settings)).toEqual([])
  })

  it('[E8] the tree has at most the layers asked for', () => {
    const settings = settingsWith({ ...small, layers: 2 })
    const one = world(settings)
    one.change({ add: pool })
    expect(treeIn(one.graph).layers.length).toBe(3)
    expect(faults(one.graph, settings)).toEqual([])
  })

  it('[E6] there are as many hyperplanes as asked for, and a tree made before there was a choice has its 64', () => {
    const codes = (planes: number): Set<number> => {
      const one = world(settingsWith({ ...small, planes }))
      one.change({ add: pool.slice(0, 20) })
      return new Set(one.graph.order('erarag/0', { limit: 20 }).map(({ key }) => bucketOf(key).length))
    }
    expect([codes(64), codes(20), codes(4)]).toEqual([new Set([16]), new Set([5]), new Set([1])])
    const one = world(settingsWith(small))
    one.change({ add: pool.slice(0, 20) })
    const { planes: _, merge: __, min, max, ...shape } = one.graph.value('erarag/shape', 'tree') as { [name: string]: string | number }
    one.graph.apply([{ op: 'put-value', space: 'erarag/shape', key: 'tree', value: { ...shape, least: min ?? 0, most: max ?? 0 } }])
    expect(storedShape(one.graph, { ...eraDefaults, planes: 20 })).toEqual(shapeOf({ ...eraDefaults, ...small }))
  })

  it('[E40] a segment of split and merge is a bucket wherever that is within the bounds, when built at once and when documents come one by one', () => {
    const settings = settingsWith({ min: 2, max: 24, segmentation: 'split-merge', planes: 8 })
    const few = pool.slice(0, 60)
    for (const batches of [[few], few.map((one) => [one])]) {
      const one = world(settings)
      for (const add of batches) one.change({ add })
      const sizes = new Map<string, number>()
      const segments = new Map<string, Set<string>>()
      for (const { key, id } of one.graph.order('erarag/0', { limit: 100 })) {
        const bucket = bucketOf(key)
        sizes.set(bucket, (sizes.get(bucket) ?? 0) + 1)
        segments.set(bucket, (segments.get(bucket) ?? new Set()).add(parentOf(one.graph, id) ?? ''))
      }
      const legal = [...sizes].filter(([, size]) => size >= 2 && size <= 24)
      expect(legal.length).toBeGreaterThan(5)
      expect(legal.filter(([bucket]) => segments.get(bucket)?.size !== 1)).toEqual([])
    }
  })

  it('[E6] planes stored beside a tree are obeyed until it is consolidated, which hashes it by those of its seed', () => {
    const settings = settingsWith(small)
    const [stored, seeded] = [world(settings), world(settings)]
    stored.graph.apply(
      fittedPlanes(
        docs('sample', 256).flatMap((one) => one.vectors.passages),
        settings.erarag,
        settings.dimensions,
      ),
    )
    for (const one of [stored, seeded]) {
      one.change({ add: docs('early', 100) })
      one.change({ add: docs('late', 40), remove: docs('early', 20) })
      one.settle()
    }
    expect(faults(stored.graph, settings)).toEqual([])
    expect(treeIn(stored.graph).layers).not.toEqual(treeIn(seeded.graph).layers)
    const rebuilt = eraBuilder.consolidate?.(stored.graph, settings)
    stored.graph.apply(rebuilt?.patch ?? [])
    for (const task of rebuilt?.tasks ?? []) stored.tasks.set(task.node, task)
    stored.settle()
    expect(stored.hash()).toEqual(seeded.hash())
  })

  it('[E10] consolidation puts a damaged tree right, and rebuilds one whose shape was changed', () => {
    const settings = settingsWith(small)
    const one = world(settings)
    one.change({ add: pool.slice(0, 80) })
    one.settle()
    const healthy = one.hash()
    const { summaries, layers } = treeIn(one.graph)
    const [a, b] = summaries
    const leaf = layers[0]?.[7] ?? ''
    const parent = one.graph.edges('member', leaf)[0]?.target ?? ''
    one.graph.apply([
      { op: 'drop-node', id: a?.id ?? '' },
      { op: 'drop-edge', kind: 'member', source: leaf, target: parent },
      { op: 'put-edge', edge: { kind: 'member', source: leaf, target: b?.id ?? '', weight: 1 } },
      { op: 'put-place', space: 'erarag/0', key: '0'.repeat(32), id: 'c_gone' },
      { op: 'drop-place', space: 'erarag/1', key: String(b?.data.key) },
    ])
    expect(one.hash()).not.toBe(healthy)
    const repaired = eraBuilder.consolidate?.(one.graph, settings)
    one.graph.apply(repaired?.patch ?? [])
    for (const task of repaired?.tasks ?? []) one.tasks.set(task.node, task)
    one.settle()
    expect(one.hash()).toBe(healthy)
    const other = settingsWith({ ...small, seed: 7 })
    const rebuilt = eraBuilder.consolidate?.(one.graph, other)
    one.graph.apply(rebuilt?.patch ?? [])
    const clean = world(other)
    clean.change({ add: pool.slice(0, 80) })
    expect(treeIn(one.graph).layers).toEqual(treeIn(clean.graph).layers)
    expect(faults(one.graph, other)).toEqual([])
  })
})
