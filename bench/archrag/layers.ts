/**
 * C-HNSW layer by layer: recall@10 against comparing every vector of a layer, and which share of that layer's nodes is compared; fresh, and after 30 % of every
 * layer were deleted and as many inserted. `pyramid`: 10,000, 1,000 and 100 nodes, higher ones the centres of lower ones; `even`: three layers of 10,000 around
 * the same centres, fifteen of a layer around each; `spread`: three of 10,000, the top in no clusters at all, below it one around each.
 * `[--layouts pyramid,even] [--dimensions 128] [--links 16] [--ef 16,48,64,100]`
 */
import { insert, remove } from '../../src/core/algorithms/c-hnsw'
import { type Counter, hierarchical, nearness } from '../../src/core/algorithms/c-hnsw-search'
import { random } from '../../src/core/random'
import { quantize } from '../../src/core/vectors'
import { type Index, index } from '../../test/core/algorithms/layered'
import { option, type Row, report, round } from '../erarag/world'

const SIZES: { readonly [layout: string]: readonly number[] } = { pyramid: [10_000, 1000, 100] }
const EVEN = [10_000, 10_000, 10_000]
const GROUPED = 15 // of a layer around a centre
const SPREADS = [0.8, 0.9, 1] // of a layer's vectors around those of the layer above, from the lowest
const D = Number(option('dimensions') ?? 128)
const K = 10
const QUESTIONS = 100
const CHURN = 0.3
const shape = { links: Number(option('links') ?? 16), candidates: 40 }
const widths = (option('ef') ?? '16,48,64,100').split(',').map(Number)
let numbers = random('layers')
const rows: Row[] = []

/** A new vector of a layer around one of those above it. */
function near(above: readonly number[][], i: number, layer: number): number[] {
  const centre = above[i % above.length]
  return Array.from({ length: D }, (_, d) => (centre?.[d] ?? 0) + numbers.normal() * (SPREADS[layer] ?? 1))
}

/** The nearest of a layer by comparing all: the score of the last of them. */
function bound(one: Index, layer: number, question: Int8Array): number {
  const scores = [...(one.maps[layer]?.values() ?? [])].map((node) => nearness(question, node.vector))
  return scores.sort((a, b) => b - a)[K - 1] ?? Number.NEGATIVE_INFINITY
}

/** Nodes as near as the k-th nearest are as good as it. */
function measure(one: Index, questions: readonly Int8Array[], layout: string, when: string): void {
  const bounds = questions.map((question) => one.maps.map((_, layer) => bound(one, layer, question)))
  for (const ef of widths) {
    const recall = one.maps.map(() => 0)
    const share = one.maps.map(() => 0)
    for (const [q, question] of questions.entries()) {
      const counters: Counter[] = []
      const found = hierarchical(one, question, K, ef, counters)
      for (const [layer, map] of one.maps.entries()) {
        const min = (bounds[q]?.[layer] ?? 0) - 1e-12
        recall[layer] = (recall[layer] ?? 0) + (found[layer] ?? []).filter((hit) => hit.score >= min).length / K / questions.length
        share[layer] = (share[layer] ?? 0) + (counters[layer]?.distances ?? 0) / map.size / questions.length
      }
    }
    const told = (values: readonly number[]): string => values.map((value) => round(value, 3)).join(' · ')
    rows.push({ layout, when, ef, nodes: one.maps.map((map) => map.size).join(' · '), 'recall@10': told(recall), share: told(share) })
    console.log(JSON.stringify(rows.at(-1)))
  }
}

for (const layout of (option('layouts') ?? 'pyramid,even').split(',')) {
  numbers = random('layers') // the same vectors, whichever layouts are asked for
  const sizes = SIZES[layout] ?? EVEN
  const one = index()
  const placed: number[][][] = [[], [], [], []]
  const tops = Array.from({ length: 20 }, () => near([], 0, 2))
  const centres = Array.from({ length: Math.ceil((sizes[0] ?? 0) / GROUPED) }, (_, i) => near(tops, i, 2))
  const around = (layer: number): readonly number[][] => (layout === 'even' ? centres : (placed[layer + 1] ?? []))
  for (let layer = sizes.length - 1; layer >= 0; layer--) {
    for (let i = 0; i < (sizes[layer] ?? 0); i++) {
      const vector = near(around(layer), i, layer)
      placed[layer]?.push(vector)
      insert(one, layer, `${layer}-${i}`, quantize(vector), shape)
    }
  }
  const questions = Array.from({ length: QUESTIONS }, () => quantize(near(around(0), numbers.below(sizes[1] ?? 1), 0)))
  measure(one, questions, layout, 'fresh')
  for (const [layer, size] of sizes.entries()) {
    const leaving = random(`leaving ${layer}`).shuffle([...(one.maps[layer]?.keys() ?? [])])
    for (const id of leaving.slice(0, CHURN * size)) remove(one, layer, id, shape)
    for (let i = 0; i < CHURN * size; i++) insert(one, layer, `new ${layer}-${i}`, quantize(near(around(layer), i, layer)), shape)
  }
  measure(one, questions, layout, '30 % churned')
}
report('archrag-layers', `C-HNSW by layer, lowest first, ${D} dimensions, M ${shape.links}`, rows)
