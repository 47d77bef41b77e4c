/** Communities over a graph that changes: what holds after any changes, what a change costs, and what deletion leaves. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clusteringVariants } from '../../../bench/variants/archrag'
import { connectedParts } from '../../../src/core/algorithms/connected-parts'
import { draftOf } from '../../../src/core/graph/draft'
import { archBuilder, clusterAnew } from '../../../src/core/strategies/archrag/build'
import { clusteringOf, parentOf } from '../../../src/core/strategies/archrag/clustering-state'
import { type ClusteringSteps, paperSteps } from '../../../src/core/strategies/archrag/clustering-steps'
import { communityOf } from '../../../src/core/strategies/archrag/community'
import { drift } from '../../../src/core/strategies/archrag/drift'
import { graphOf } from '../../../src/core/strategies/archrag/regroup'
import type { ArchSettings } from '../../../src/core/strategies/archrag/settings'
import { communitiesIn, type Doc, doc, docs, faults, settingsWith, type World, world } from './worlds'

const small = { max: 6, min: 2 } as const
const pool = docs('pool', 120)
const modes: readonly {
  readonly name: string
  readonly arch: Partial<ArchSettings>
  readonly writer: boolean
  readonly variant?: ClusteringSteps
}[] = [
  { name: 'the default', arch: small, writer: false },
  { name: 'pieces', arch: { ...small, piece: 7 }, writer: true },
  { name: 'pieces of linked layers', arch: { ...small, piece: 9, exact: 20, links: 4 }, writer: false },
  { name: 'a writer', arch: small, writer: true },
  { name: 'layers linked by reports', arch: { ...small, layerVectors: 'reports' }, writer: true },
  { name: 'lazy writing', arch: { ...small, writing: 'lazy' }, writer: true },
  { name: 'links to follow', arch: { ...small, exact: 20, links: 4 }, writer: false },
  { name: 'neither likeness nor weights', arch: small, writer: false, variant: clusteringVariants.plain },
  { name: 'SCAN', arch: small, writer: false, variant: clusteringVariants.scan },
  { name: 'spectral clustering', arch: small, writer: false, variant: clusteringVariants.spectral },
  { name: 'the best links alone, by strength', arch: small, writer: true, variant: clusteringVariants.codicilByStrength },
]
const index = fc.nat(pool.length - 1)
const steps = fc.array(fc.record({ add: fc.array(index, { maxLength: 25 }), remove: fc.array(index, { maxLength: 10 }) }), {
  minLength: 1,
  maxLength: 5,
})
const pick = (indexes: readonly number[]): Doc[] => indexes.flatMap((at) => pool[at] ?? [])

/** Is each community of entities one piece of the graph it was found in? */
function pieces({ graph, settings, steps }: World): string[] {
  const field = clusteringOf(draftOf(graph), settings.archrag, false, steps)
  return communitiesIn(graph).flatMap((node) => {
    if (node.layer !== 1) return []
    const { members } = communityOf(node)
    const parts = connectedParts(graphOf(field, 0, members).graph, new Int32Array(members.length))
    return Math.max(...parts) === 0 ? [] : [`${node.id} is in pieces`]
  })
}

describe.each(modes)('with $name', ({ arch, writer, variant }) => {
  const settings = settingsWith(arch, writer)

  it('[A11] after any changes, settled or not, every node has one home within the bound, and the index holds exactly what there is', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (sequence, settled) => {
        const one = world(settings, variant)
        for (const { add, remove } of sequence) {
          one.change({ add: pick(add), remove: pick(remove) })
          expect(faults(one)).toEqual([])
          if (settled) one.settle(3)
          expect([...faults(one), ...pieces(one)]).toEqual([])
        }
      }),
      { seed: 71, numRuns: 8 },
    )
  })

  it('[A11] what was deleted leaves nothing behind', () => {
    const one = world(settings, variant)
    const empty = one.hash()
    one.change({ add: pool.slice(0, 60) })
    one.settle()
    one.change({ remove: pool.slice(0, 60) })
    expect(one.hash()).toBe(empty)
    expect(one.tasks.size).toBe(0)
  })
})

describe('in particular', () => {
  it('[A13] a settled corpus has several layers, each report written, and no entity counted twice', () => {
    const one = world(settingsWith(small, true))
    one.change({ add: pool })
    one.settle()
    const communities = communitiesIn(one.graph)
    const layers = new Set(communities.map((node) => node.layer))
    expect(layers.size).toBeGreaterThanOrEqual(2)
    expect(communities.filter((node) => node.stale || node.text === '')).toEqual([])
    const lowest = communities.filter((node) => node.layer === 1)
    expect(lowest.reduce((sum, node) => sum + communityOf(node).leaves, 0)).toBe(one.graph.count('entity'))
  })

  it('[A14] one more document asks for the reports of what it touched and of what is above, and of nothing else', () => {
    const one = world(settingsWith(small, true))
    one.change({ add: pool.slice(0, 100) })
    one.settle()
    const before = new Set(communitiesIn(one.graph).map((node) => node.id))
    const from = one.asked.length
    one.change({ add: pool.slice(100, 101) })
    one.settle()
    const after = communitiesIn(one.graph)
    const asked = new Set(one.asked.slice(from))
    const fresh = after.filter((node) => !before.has(node.id)).map((node) => node.id)
    for (const id of fresh) if (communityOf(one.graph.node(id) ?? fail(id)).members.length > 1) expect(asked.has(id)).toBe(true)
    expect(asked.size).toBeLessThan(0.35 * after.length)
  })

  it('[A14] a community of one entity has its report without a call', () => {
    const one = world(settingsWith(small, true), clusteringVariants.unaugmented)
    const lonely = docs('lonely', 4).map((each, i) =>
      doc(`lonely-${i}`, [`Here stood Zyx${'abcd'[i]}land.`], each.vectors.units.slice(0, 1)),
    )
    one.change({ add: [...pool.slice(0, 20), ...lonely] })
    one.settle()
    const alone = communitiesIn(one.graph).filter((node) => communityOf(node).members.length === 1)
    expect(alone.length).toBeGreaterThanOrEqual(4)
    expect(alone.filter((node) => node.stale || node.text === '' || one.asked.includes(node.id))).toEqual([])
    expect(one.asked.length).toBeGreaterThan(0)
  })

  it('[A15] a deletion asks no model for what it takes away: what is touched is the only thing written again, and no report repeats what was deleted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 79 }), (at) => {
        const one = world(settingsWith(small, true))
        one.change({ add: pool.slice(0, 80) })
        one.settle()
        const from = one.asked.length
        const gone = pool[at] as Doc
        const name = gone.record.id.replace('-', ' ')
        one.change({ remove: [gone] })
        const telling = communitiesIn(one.graph).filter((node) => new RegExp(`matter ${name}\\b`).test(node.text))
        expect(telling.map((node) => node.id)).toEqual([])
        one.settle()
        expect(one.asked.length - from).toBeLessThan(0.4 * communitiesIn(one.graph).length)
        expect(faults(one)).toEqual([])
      }),
      { seed: 72, numRuns: 8 },
    )
  })

  it('[A16] clustered anew, two histories of the same documents give the same communities and reports', () => {
    const settings = settingsWith(small, true)
    const [grown, built] = [world(settings), world(settings)]
    for (let at = 0; at < 100; at += 10) grown.change({ add: pool.slice(at, at + 10), remove: pool.slice(100 + at / 10, 101 + at / 10) })
    grown.change({ add: pool.slice(100, 105) })
    grown.change({ remove: pool.slice(100, 105) })
    built.change({ add: pool.slice(0, 100) })
    for (const one of [grown, built]) {
      one.settle()
      one.take(clusterAnew(one.graph, settings))
      one.settle()
    }
    const told = ({ graph }: World): readonly string[] =>
      communitiesIn(graph).map((node) => `${node.layer} ${node.id} ${communityOf(node).members.join()}`)
    expect(told(grown)).toEqual(told(built))
  })

  it('[A16] grown whole, the same documents give the same state, whatever came and went before', () => {
    const settings = settingsWith({ ...small, growth: 'whole' })
    fc.assert(
      fc.property(steps, (sequence) => {
        const [one, fresh] = [world(settings), world(settings)]
        for (const { add, remove } of sequence) one.change({ add: pick(add), remove: pick(remove) })
        const left = pool.filter((doc) => one.graph.document(doc.record.id))
        fresh.change({ add: left })
        expect(faults(one)).toEqual([])
        expect(one.hash()).toBe(fresh.hash())
      }),
      { seed: 73, numRuns: 15 },
    )
  })

  it.each([
    ['leiden', paperSteps],
    ['scan', clusteringVariants.scan],
    ['spectral', clusteringVariants.spectral],
  ] as const)('[A18] inserting and deleting again leaves the quality as it was, within 2 %: %s', (_, variant) => {
    const settings = settingsWith(small)
    const one = world(settings, variant)
    one.change({ add: pool.slice(0, 80) })
    const before = drift(one.graph, settings.archrag, variant)
    one.change({ add: pool.slice(80, 100) })
    one.change({ remove: pool.slice(80, 100) })
    const after = drift(one.graph, settings.archrag, variant)
    expect(one.graph.count('entity')).toBe(
      communitiesIn(one.graph).reduce((sum, node) => sum + (node.layer === 1 ? communityOf(node).leaves : 0), 0),
    )
    expect(after.modularity).toBeGreaterThan(0.98 * before.modularity)
    expect(after.likeness).toBeGreaterThan(0.98 * before.likeness)
  })

  it('[A18] a full clustering is due only when quality has been lost, and a corpus that has not drifted is left alone', () => {
    const settings = settingsWith(small)
    const one = world(settings)
    one.change({ add: pool })
    expect(drift(one.graph, settings.archrag).due).toBe(false)
    expect(archBuilder.drift?.(one.graph, settings)).toEqual([
      { measure: 'modularity', lost: 0, bound: settings.archrag.drift },
      { measure: 'likeness', lost: 0, bound: settings.archrag.drift },
    ])
    expect(archBuilder.consolidate?.(one.graph, settings)).toEqual({ patch: [], tasks: [] })
    expect(drift(one.graph, { ...settings.archrag, drift: -1 }).due).toBe(true)
  })

  it('[A18] a corpus with more entities than one transaction has memory for is neither measured nor clustered anew', () => {
    const settings = settingsWith({ ...small, drift: -1 })
    const one = world(settings)
    one.change({ add: pool })
    const entities = one.graph.count('entity')
    const bounded = (anew: number) => ({ ...settings, archrag: { ...settings.archrag, anew } })
    expect(drift(one.graph, bounded(entities).archrag).due).toBe(true)
    expect(archBuilder.consolidate?.(one.graph, bounded(entities - 1))).toEqual({ patch: [], tasks: [] })
    expect(archBuilder.drift?.(one.graph, bounded(entities - 1)).map((one) => one.lost)).toEqual([])
  })

  it('[A11] an entity without any relation is at home beside what it is most like', () => {
    const settings = settingsWith({})
    const one = world(settings)
    one.change({ add: pool.slice(0, 40) })
    const { vectors } = pool[0] as Doc
    const { doc } = { doc: docs('alone', 1)[0] as Doc }
    const lonely: Doc = {
      ...doc,
      chunk: {
        ...doc.chunk,
        text: 'Here stood Zyxland.',
        units: [{ ...(doc.chunk.units[0] as Doc['chunk']['units'][number]), start: 0, end: 19 }],
      },
      vectors: { passages: vectors.passages, units: vectors.units.slice(0, 1) },
    }
    one.change({ add: [lonely] })
    const id = one.graph.page('entity', '', 1000).find((entity) => one.graph.node(entity)?.text === 'Zyxland')
    const home = one.graph.node(parentOf(one.graph, id ?? '') ?? '')
    expect(communityOf(home ?? fail('no home')).members.length).toBeGreaterThan(1)
  })
})

function fail(what: string): never {
  throw new Error(what)
}
