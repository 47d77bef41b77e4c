/**
 * Edge weights (GORAG Eq. 4, 6 and 7), computed on read. Raw scores of Eq. 2 lie so close to 0 that all weights 1 − CS would be all but equal, so
 * each label's scores are scaled by its largest; shorter means closer. Labels are connected through one hub: Eq. 7 gives two labels the
 * weight m(y)/4 + m(y′)/4, which is the way through a hub at m(y)/4 from each, without an edge for every two labels.
 */
import type { GoragSettings } from './settings'
import type { View } from './view'

/** What the strongest keyword of a label leaves of its weight: no edge is free. */
const LEAST = 0.05

export interface Weights {
  /** Keyword → number of label → weight, in [LEAST, 1]. */
  readonly edges: ReadonlyMap<string, ReadonlyMap<number, number>>
  /** From each label to the hub; without keywords a quarter. */
  readonly hub: Float64Array
}

export function weightsOf(view: View, settings: GoragSettings): Weights {
  const labels = view.labelled.labels.length
  const scores = correlations(view)
  const most = new Float64Array(labels)
  for (const row of scores.values()) for (const [label, score] of row) most[label] = Math.max(most[label] ?? 0, score)
  const sums = new Float64Array(labels)
  const counts = new Float64Array(labels)
  const edges = new Map<string, Map<number, number>>()
  for (const [keyword, row] of scores) {
    const weights = new Map<number, number>()
    for (const [label, score] of row) {
      const largest = most[label] ?? 0
      const weight = settings.weights === 'unit' || largest === 0 ? 1 : 1 - ((1 - LEAST) * score) / largest
      weights.set(label, weight)
      sums[label] = (sums[label] ?? 0) + weight
      counts[label] = (counts[label] ?? 0) + 1
    }
    edges.set(keyword, weights)
  }
  const hub = Float64Array.from({ length: labels }, (_, y) => (counts[y] ? (sums[y] ?? 0) / (counts[y] ?? 1) / 4 : 1 / 4))
  return { edges, hub }
}

/** Mean of CS(v, t) over the texts of a label that have the keyword: 1 − Eq. 4. A learned text counts fully in the number and by its weight in the sum. */
function correlations(view: View): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const out = new Map<string, Map<number, number>>()
  for (const [keyword, row] of view.cells) {
    const rarity = view.size > 1 ? view.rarity(keyword) : 0
    out.set(keyword, new Map([...row].map(([label, cell]) => [label, (cell.share / (cell.texts + cell.learned.length)) * rarity])))
  }
  return out
}
