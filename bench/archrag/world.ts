/** What ArchRAG's benches share: the paper's measures of communities, and a corpus indexed without sentence vectors. */

import { nearness } from '../../src/core/algorithms/nearness'
import { links } from '../../src/core/builders/links'
import { mentions } from '../../src/core/builders/mentions'
import type { GraphReader } from '../../src/core/graph/reader'
import type { Vector } from '../../src/core/graph/types'
import type { Settings } from '../../src/core/settings'
import { archBuilder } from '../../src/core/strategies/archrag/archrag'
import { archBuilderOf } from '../../src/core/strategies/archrag/build'
import { parentOf } from '../../src/core/strategies/archrag/clustering-state'
import { type ClusteringSteps, paperSteps } from '../../src/core/strategies/archrag/clustering-steps'
import { drift } from '../../src/core/strategies/archrag/drift'
import { rowsIn, vectorsIn } from '../../src/core/strategies/archrag/rows'
import { compareDown } from '../../src/core/strategies/archrag/search'
import type { ArchSettings } from '../../src/core/strategies/archrag/settings'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { knowledge, senses } from '../../src/core/strategies/shared-builders'
import type { Builder } from '../../src/core/strategy'
import { cosine } from '../../src/core/vectors'
import { round } from '../erarag/world'
import type { Corpus, Question } from '../quality/corpora'
import { type Asking, type Index, indexed } from '../quality/memory'

export function archSettings(arch: Partial<ArchSettings>, more: Partial<Settings> = {}): Settings {
  return { ...defaultSettings, ...more, archrag: { ...defaultSettings.archrag, ...arch } }
}

/** Without sentence vectors: an entity is then the mean of the passages that name it, and a corpus is embedded five times as fast. */
export const coarse: Builder = { ...archBuilder, unitVectors: false }

export function archIndexed(set: Corpus, sentences = false, steps: ClusteringSteps = paperSteps): Promise<Index> {
  const builder = archBuilderOf(steps)
  const own = sentences ? builder : { ...builder, unitVectors: false }
  return indexed(set, 'use-lite', [mentions, links, knowledge, senses, own], archSettings({}))
}

/** The paper's B.2: CHI = (N − C)/(C − 1) · Σ nᵢ|cᵢ − c|² / ΣΣ|x − cᵢ|², and Sim = mean cos(x, cᵢ). Vectors are taken at unit length. */
export function quality(vectors: readonly ArrayLike<number>[], communities: ArrayLike<number>): { chi: number; sim: number } {
  const size = vectors.length
  const count = Math.max(-1, ...Array.from(communities)) + 1
  const dimensions = vectors[0]?.length ?? 0
  const sums = Array.from({ length: count }, () => new Float64Array(dimensions))
  const sizes = new Int32Array(count)
  const centre = new Float64Array(dimensions)
  const units = vectors.map((vector) => {
    const all = Array.from(vector)
    const length = Math.sqrt(all.reduce((sum, x) => sum + x * x, 0)) || 1
    return Float64Array.from(all, (x) => x / length)
  })
  units.forEach((vector, u) => {
    const own = communities[u] as number
    sizes[own] = (sizes[own] as number) + 1
    vector.forEach((x, d) => {
      ;(sums[own] as Float64Array)[d] = ((sums[own] as Float64Array)[d] as number) + x
      centre[d] = (centre[d] as number) + x / size
    })
  })
  let between = 0
  sums.forEach((sum, i) => {
    sum.forEach((x, d) => {
      between += (sizes[i] as number) * (x / (sizes[i] as number) - (centre[d] as number)) ** 2
    })
  })
  let within = 0
  let sim = 0
  units.forEach((vector, u) => {
    const own = communities[u] as number
    const sum = sums[own] as Float64Array
    vector.forEach((x, d) => {
      within += (x - (sum[d] as number) / (sizes[own] as number)) ** 2
    })
    sim += cosine(vector, sum)
  })
  return { chi: (((size - count) / (count - 1)) * between) / within, sim: sim / size }
}

export interface Measured {
  readonly entities: number
  readonly communities: number
  readonly modularity: number
  readonly chi: number
  readonly sim: number
}

/** Of the lowest communities of a graph. */
export function measured(graph: GraphReader, settings: ArchSettings, steps: ClusteringSteps = paperSteps): Measured {
  const rows = rowsIn(graph)
  const ids = rows.ids(0)
  const numbers = new Map<string, number>()
  const communities = ids.map((id) => {
    const key = parentOf(graph, id) ?? id
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  })
  const vectors = ids.map((id) => rows.read(0, id)?.vector ?? new Int8Array(graph.dimensions))
  return {
    entities: ids.length,
    communities: numbers.size,
    modularity: drift(graph, settings, steps).modularity,
    ...quality(vectors, communities),
  }
}

/** Share of the gold documents among the first two, five and ten, in per cent. */
export async function recallAt(
  index: Index,
  strategy: Parameters<Index['ask']>[0],
  questions: readonly Question[],
  asking: Asking,
): Promise<{ readonly 'R@2': number; readonly 'R@5': number; readonly 'R@10': number; readonly ms: number }> {
  const sums = { 2: 0, 5: 0, 10: 0 }
  let ms = 0
  for (const question of questions) {
    const found = await index.ask(strategy, question.text, { topK: 20, ...asking })
    ms += found.ms / questions.length
    for (const k of [2, 5, 10] as const) {
      const top = new Set(found.documents.slice(0, k))
      sums[k] += (100 * question.gold.filter((id) => top.has(id)).length) / question.gold.length / questions.length
    }
  }
  return { 'R@2': round(sums[2], 1), 'R@5': round(sums[5], 1), 'R@10': round(sums[10], 1), ms: round(ms, 1) }
}

/** Of entities near passages, by the best communities, against comparing all. */
export function recallByCommunities(graph: GraphReader): number {
  const rows = rowsIn(graph)
  const asked = graph.page('chunk', '', 60).flatMap((id) => graph.vector(graph.chunk(id)?.passages[0]?.id ?? '') ?? [])
  const best = (layer: number, vector: Vector, k: number): { id: string; score: number }[] => {
    const all = [...vectorsIn(graph, layer)].map(([id, own]) => ({ id, score: nearness(vector, own) }))
    return all.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, k)
  }
  const shares = asked.map((vector) => {
    const [lowest = []] = compareDown(graph, rows, vector, { wide: 10, counters: [] })
    const near = new Set(lowest.map((one) => one.id))
    return best(0, vector, 10).filter((one) => near.has(one.id)).length / 10
  })
  return shares.reduce((sum, one) => sum + one, 0) / Math.max(1, shares.length)
}
