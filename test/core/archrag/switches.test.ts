/** Settings, options and the variants of the paper's Table 4, one by one: each changes what it names. Those of a corpus first, then those of a question. */
import { describe, expect, it } from 'vitest'
import { clusteringVariants, direct } from '../../../bench/variants/archrag'
import { draftOf } from '../../../src/core/graph/draft'
import type { Vector } from '../../../src/core/graph/types'
import { chunkOf, kindOf } from '../../../src/core/ids'
import { archrag } from '../../../src/core/strategies/archrag/archrag'
import { clusteringOf } from '../../../src/core/strategies/archrag/clustering-state'
import { paperSteps } from '../../../src/core/strategies/archrag/clustering-steps'
import { communityOf } from '../../../src/core/strategies/archrag/community'
import { rowsIn } from '../../../src/core/strategies/archrag/rows'
import type { ArchSettings } from '../../../src/core/strategies/archrag/settings'
import { linksOf } from '../../../src/core/strategies/archrag/weighted-links'
import type { Found } from '../../../src/core/strategy'
import { distinct, terms } from '../../../src/core/text/terms'
import { quantize } from '../../../src/core/vectors'
import { mergeEntities } from './merged'
import { communitiesIn, D, type Doc, doc, docs, settingsWith, vectorFor, type World, world } from './worlds'

const pool = docs('pool', 70)
const built = (arch: Partial<ArchSettings> = {}, steps = paperSteps): World => {
  const one = world(settingsWith({ max: 8, min: 2, ...arch }), steps)
  one.change({ add: pool })
  return one
}
const plain = built()
const grouped = ({ graph }: World): string =>
  communitiesIn(graph)
    .map((node) => communityOf(node).members.join())
    .join('\n')

/** Names, and texts that point along one axis each: what their likeness is can be told by hand. */
const A = ['Zyxland', 'Quorwick', 'Vexham', 'Jolborg', 'Wupton']
const B = ['Ferbrook', 'Galmoor', 'Hestead', 'Lundale', 'Morcrest']
const K = [2, 3, 4, 5, 1]
type Said = readonly [sentence: string, vector: Vector]
const axis = (n: number): Vector => quantize(Array.from({ length: D }, (_, i) => (i === n ? 1 : 0)))
const stated = (id: string, said: readonly Said[]): Doc =>
  doc(
    id,
    said.map(([sentence]) => sentence),
    said.map(([, vector]) => vector),
  )
const idOf = ({ graph }: World, name: string): string => graph.page('entity', '', 1000).find((id) => graph.node(id)?.text === name) ?? name
function knowing(arch: Partial<ArchSettings>, add: readonly Doc[], steps = paperSteps): World {
  const one = world(settingsWith({ max: 8, min: 2, ...arch }), steps)
  one.change({ add })
  return one
}

describe('of a corpus', () => {
  const links = (one: World, id: string): ReadonlyMap<string, number> => {
    const field = clusteringOf(draftOf(one.graph), one.settings.archrag, false, one.steps)
    return linksOf(field, 0, id)
  }
  const near = (one: World): number =>
    rowsIn(one.graph)
      .ids(0)
      .reduce((sum, id) => sum + (rowsIn(one.graph).read(0, id)?.near.length ?? 0), 0)
  const ids = rowsIn(plain.graph).ids(0)

  it('[A20] cluster: three ways to find communities find three sets of them', () => {
    const { scan, spectral } = clusteringVariants
    expect(new Set([paperSteps, scan, spectral].map((steps) => grouped(built({}, steps)))).size).toBe(3)
  })

  it('[A20] augment: links by likeness, none of them, or only the best links of each node: three of nine, four of ten', () => {
    const none = built({}, clusteringVariants.unaugmented)
    expect([near(plain) > 0, near(none)]).toEqual([true, 0])
    for (const id of ids) expect(links(none, id).size).toBe(plain.graph.edges('relates', id).length)
    for (const [count, strengths] of [[9, [9, 8, 7]] as const, [10, [10, 9, 8, 7]] as const]) {
      const others = [...A, ...B].slice(0, count)
      const star = others.map((name, i) => stated(name, Array(i + 1).fill([`There stood Hubland beside ${name}.`, axis(i)])))
      const hub = knowing({}, star, clusteringVariants.codicilByStrength)
      const kept = new Map([...links(hub, idOf(hub, 'Hubland'))].map(([id, weight]) => [hub.graph.node(id)?.text, weight]))
      expect(kept).toEqual(new Map(strengths.map((strength) => [others[strength - 1], strength])))
    }
  })

  // A[i] is stated beside B[i] once, where the text points along axis i, and K[i] times alone, where it points along axis i + 1. So the cosine
  // of a stated pair is 1 / √(1 + K²): 0.45, 0.32, 0.24, 0.20 and 0.71. A[i] and B[i + 1] are never stated together: K / √(1 + K²), 0.89 and more.
  it.each([
    [0.8, 'above all but one of them, 0.45, lies the fifth, 0.71', []],
    [0, 'above the least of them, 0.20', ['Jolborg Wupton']], // 5 / (√26 √2) = 0.69
  ])(
    '[A20] augment: a node is linked to those above a percentile of the stated pairs, as many as it has relations: %d, %s',
    (percentile, _, also) => {
      const one = knowing(
        { percentile },
        A.map((name, i) => {
          const alone = Array(K[i]).fill([`There stood ${name}.`, axis(i + 1)])
          return stated(name, [[`There stood ${name} beside ${B[i]}.`, axis(i)], ...alone])
        }),
      )
      const rows = rowsIn(one.graph)
      const name = (id: string): string => one.graph.node(id)?.text ?? ''
      const made = rows.ids(0).flatMap((id) => (rows.read(0, id)?.near ?? []).map((other) => [name(id), name(other)].sort().join(' ')))
      const across = A.slice(0, 4).map((own, i) => [own, B[i + 1] ?? ''].sort().join(' '))
      expect([...new Set(made)].sort()).toEqual([...across, ...also].sort())
    },
  )

  it('[A20] weights: likeness, how strongly the texts relate, or all the same; whichever end a relation was written from', () => {
    const against = axis(2).map((x) => -x)
    const all = [
      stated('half', [
        ['There stood Zyxland beside Quorwick.', axis(0)],
        ['There stood Zyxland.', axis(1)],
      ]), // 45° apart
      stated('against', [['There stood Ferbrook beside Galmoor.', axis(2)], ...Array(3).fill(['There stood Galmoor.', against])]), // 180°
      stated('often', Array(4).fill(['There stood Lundale beside Morcrest.', axis(3)])), // 0°
    ]
    const pairs = [
      ['Zyxland', 'Quorwick'],
      ['Ferbrook', 'Galmoor'],
      ['Lundale', 'Morcrest'],
    ] as const
    const weights = (steps: typeof paperSteps) => {
      const one = knowing({}, all, steps)
      const weight = (a: string, b: string): number => links(one, idOf(one, a)).get(idOf(one, b)) ?? Number.NaN
      return pairs.map(([a, b]) => [weight(a, b), weight(b, a)])
    }
    expect(weights(clusteringVariants.unaugmentedByStrength)).toEqual([
      [1, 1],
      [1, 1],
      [4, 4],
    ])
    expect(weights(clusteringVariants.plain)).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ])
    const expected = [Math.SQRT1_2, 0.01, 1] // the least weight of a link is 0.01
    weights(clusteringVariants.unaugmented).forEach((both, i) => {
      for (const weight of both) expect(weight).toBeCloseTo(expected[i] ?? Number.NaN, 2)
    })
  })

  it('[A20] levels, least and most: so many layers, no layer of few, no community of many', () => {
    const layers = (one: World): number => Math.max(...communitiesIn(one.graph).map((node) => node.layer))
    expect(layers(plain)).toBeGreaterThan(1)
    expect(layers(built({ levels: 1 }))).toBe(1)
    for (const min of [3, 4, 5, 6]) {
      const one = built({ min, max: 15 })
      expect(Math.max(...communitiesIn(one.graph).map((node) => communityOf(node).members.length))).toBeLessThanOrEqual(15)
      for (let layer = 2; layer <= layers(one); layer++) expect(one.graph.count('community', layer)).toBeGreaterThanOrEqual(min)
    }
  })
})

describe('of a question', () => {
  const ask = (
    own: { readonly [key: string]: string | number | boolean },
    one = plain,
    text = 'What stood beside Belaavon?',
    strategy = archrag,
  ) => {
    const query = { text, terms: distinct(terms(text)), near: {}, vector: vectorFor(text) }
    const out = strategy.retrieve(one.graph, query, new Map(), { topK: 12, budget: 4000, trace: true, own }, one.settings)
    if (out.kind !== 'evidence') throw new Error('wanted a reranker')
    const trace = out.trace as unknown as { relations: number; searched: string; found: { distances: number; best: { id: string }[] }[] }
    return { found: out.found, trace }
  }
  const via = (found: readonly Found[]): Set<string> => new Set(found.map((one) => one.via))

  it('[A20] k: so many nearest of each layer', () => {
    const counts = (k: number): number =>
      Math.min(
        ...ask({ k }, plain, 'nothing known')
          .trace.found.slice(0, 2)
          .map((one) => one.best.length),
      )
    expect([1, 3, 7].map(counts)).toEqual([1, 3, 7])
  })

  it('[A20] filter: unfiltered, what is nearest comes first, whatever the question says', () => {
    const { found } = ask({}, plain, undefined, direct)
    expect([...via(found)].every((one) => one.startsWith('layer '))).toBe(true)
    expect(found.some((one) => kindOf(one.id) === 'entity')).toBe(true)
    expect(found.map((one) => one.score)).toEqual(found.map((one) => one.score).sort((a, b) => b - a))
    const filtered = ask({})
    expect(filtered.found.some((one) => kindOf(one.id) === 'entity')).toBe(false)
    expect(plain.graph.chunk(chunkOf(filtered.found.find((one) => kindOf(one.id) === 'passage')?.id ?? ''))?.text).toContain('Belaavon')
  })

  it('[A20] relations: so many, among the entities found or also around them; without the passage channel only what they lead to', () => {
    expect(ask({ relations: 3 }).trace.relations).toBe(3)
    const [among, around] = [ask({ around: false, relations: 100 }), ask({ relations: 100 })].map((one) => one.trace.relations)
    expect(among).toBeLessThan(around ?? 0)
    expect(via(ask({ k: 1, passages: false }, plain, 'the matter of pool 43').found).has('passage')).toBe(false)
    expect(via(ask({ k: 1 }, plain, 'the matter of pool 43').found).has('passage')).toBe(true)
  })

  it('[A20] ef: the search is as wide as it was asked to be', () => {
    const linked = built({ exact: 20, links: 4 })
    const distances = [5, 60].map((ef) => ask({ ef, k: 3 }, linked))
    expect(distances.map((one) => one.trace.searched)).toEqual(['links', 'links'])
    const [narrow = 0, wide = 0] = distances.map((one) => one.trace.found[0]?.distances)
    expect(wide).toBeGreaterThan(1.5 * narrow)
  })

  it('[A20] communities take at most half of the places, each with what supports it', () => {
    const { found } = ask({ k: 50 })
    expect(found.filter((one) => kindOf(one.id) === 'community').length).toBe(3)
  })

  it('[A38] an entity the question names is found under the names it was merged with', () => {
    const one = built()
    const ids = one.graph.page('entity', '', 1000)
    const [a = '', b = ''] = ['Belaavon', 'Jorfcrest'].map((name) => ids.find((id) => one.graph.node(id)?.text === name))
    const named = () => (ask({}, one, 'Where is Belaavon?').trace as unknown as { named: string[] }).named
    expect(named()).toEqual([a])
    const decided = mergeEntities(one.graph, a, b, 1)
    if (decided.kind === 'done') one.graph.apply(decided.patch)
    expect(named().sort()).toEqual([a, b].sort())
  })
})
