/**
 * Edge weights (GORAG Eq. 4, 6 and 7), computed on read. Raw scores of Eq. 2 lie so close to 0 that all weights 1 − CS would be all but equal, so
 * each label's scores are scaled by its largest; shorter means closer. Labels are connected through one hub: Eq. 7 gives two labels the
 * weight m(y)/4 + m(y′)/4, which is the way through a hub at m(y)/4 from each, without an edge for every two labels.
 */
import type { GoragSettings } from './settings'
import type { Cell, View } from './view'

/** What the strongest keyword of a label leaves of its weight: no edge is free. */
const LEAST = 0.05

export interface Weights {
  /** Of a keyword's edges, in their order; in [LEAST, 1]. */
  row(keyword: string): readonly number[]
  /** From each label to the hub; of a label without keywords a quarter. */
  readonly hub: Float64Array
}

export function weightsOf(view: View, settings: GoragSettings): Weights {
  const labels = view.labelled.labels.length
  const most = new Float64Array(labels)
  for (const [keyword, row] of view.cells) {
    const rarity = rarityOf(view, keyword)
    for (const cell of row) most[cell.label] = Math.max(most[cell.label] ?? 0, correlation(cell, rarity))
  }
  const weigh = (cell: Readonly<Cell>, rarity: number): number => {
    const largest = most[cell.label] ?? 0
    return settings.weights === 'unit' || largest === 0 ? 1 : 1 - ((1 - LEAST) * correlation(cell, rarity)) / largest
  }
  const sums = new Float64Array(labels)
  const counts = new Float64Array(labels)
  for (const [keyword, row] of view.cells) {
    const rarity = rarityOf(view, keyword)
    for (const cell of row) {
      sums[cell.label] = (sums[cell.label] ?? 0) + weigh(cell, rarity)
      counts[cell.label] = (counts[cell.label] ?? 0) + 1
    }
  }
  return {
    row: (keyword) => {
      const rarity = rarityOf(view, keyword)
      return (view.cells.get(keyword) ?? []).map((cell) => weigh(cell, rarity))
    },
    hub: sums.map((sum, y) => (counts[y] ? sum / (counts[y] ?? 1) : 1) / 4),
  }
}

/** Mean of CS(v, t) over the texts of a label that have the keyword: 1 − Eq. 4. A learned text counts fully in the number and by its weight in the sum. */
function correlation(cell: Readonly<Cell>, rarity: number): number {
  return (cell.share / (cell.texts + cell.learned.length)) * rarity
}

function rarityOf(view: View, keyword: string): number {
  return view.size > 0 ? view.rarity(keyword) : 0
}
