/** Settings, options and the variants of the paper's Table 4, one by one: each changes what it names. Those of a corpus first, then those of a question. */
import { describe, expect, it } from 'vitest'
import { clusteringVariants, direct } from '../../../bench/variants/archrag'
import { draftOf } from '../../../src/core/graph/draft'
import { chunkOf, kindOf } from '../../../src/core/ids'
import { archrag } from '../../../src/core/strategies/archrag/archrag'
import { clusteringOf, linksOf } from '../../../src/core/strategies/archrag/clustering-state'
import { paperSteps } from '../../../src/core/strategies/archrag/clustering-steps'
import { communityOf } from '../../../src/core/strategies/archrag/community'
import { mergeEntities } from '../../../src/core/strategies/archrag/entity-merge'
import { rowsIn } from '../../../src/core/strategies/archrag/rows'
import type { ArchSettings } from '../../../src/core/strategies/archrag/settings'
import type { Found } from '../../../src/core/strategy'
import { distinct, terms } from '../../../src/core/text/terms'
import { cosine } from '../../../src/core/vectors'
import { communitiesIn, docs, settingsWith, vectorFor, type World, world } from './worlds'

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

  it('[A20] augment: links by likeness, none of them, or only the best links of each node', () => {
    const none = built({}, clusteringVariants.unaugmented)
    expect([near(plain) > 0, near(none)]).toEqual([true, 0])
    for (const id of ids) {
      const stated = plain.graph.edges('relates', id).length
      expect(links(none, id).size).toBe(stated)
      const all = links(plain, id)
      const best = [...all].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, Math.ceil(Math.sqrt(all.size)))
      expect(links({ ...plain, steps: clusteringVariants.codicil }, id)).toEqual(new Map(best))
    }
  })

  it.each([0.8, 0])(
    '[A20] augment: a node is linked to those above a percentile of the stated pairs, about as many as it has relations: %d',
    (percentile) => {
      const one = percentile === plain.settings.archrag.percentile ? plain : built({ percentile })
      const rows = rowsIn(one.graph)
      const vector = (id: string): ArrayLike<number> => rows.read(0, id)?.vector ?? []
      const related = ids.map((id) => one.graph.edges('relates', id)).filter((edges) => edges.length > 0)
      const pairs = new Map(related.flat().map(({ source, target }) => [`${source} ${target}`, cosine(vector(source), vector(target))]))
      const threshold = [...pairs.values()].sort((a, b) => a - b)[Math.floor(percentile * pairs.size)] ?? 0
      const cap = Math.floor((2 * pairs.size) / related.length)
      for (const id of ids) {
        if (one.graph.edges('relates', id).length === 0) continue
        for (const other of rows.read(0, id)?.near ?? []) expect(cosine(vector(id), vector(other))).toBeGreaterThan(threshold)
      }
      // Each link was made by one of its ends, and no end makes more than the cap.
      expect(near(one)).toBeGreaterThan(0)
      expect(near(one) / 2).toBeLessThanOrEqual(cap * ids.length)
    },
  )

  it('[A20] weights: likeness, how strongly the texts relate, or all the same; whichever end a relation was written from', () => {
    const strong = built({}, clusteringVariants.unaugmentedByStrength)
    const flat = built({}, clusteringVariants.plain)
    const alike = built({}, clusteringVariants.unaugmented)
    const strengths = new Set<number>()
    for (const id of ids) {
      for (const { source, target, weight } of plain.graph.edges('relates', id)) {
        const other = source === id ? target : source
        strengths.add(weight)
        expect([links(strong, id).get(other), links(flat, id).get(other)]).toEqual([weight, 1])
        const rows = rowsIn(alike.graph)
        const likeness = cosine(rows.read(0, id)?.vector ?? [], rows.read(0, other)?.vector ?? [])
        expect(links(alike, id).get(other)).toBeCloseTo(Math.max(0.01, likeness), 9)
      }
    }
    expect(strengths.size).toBeGreaterThan(1) // several texts relate some pairs
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
