/**
 * Edge weights (GORAG Eq. 4, 6 and 7), computed on read. Raw scores of Eq. 2 lie so close to 0 that all weights 1 − CS would be almost equal, so
 * each label's scores are scaled by its largest; shorter means closer. Labels are connected through one hub: Eq. 7 gives two labels the weight
 * m(y)/4 + m(y′)/4, which is the path through a hub at m(y)/4 from each, without an edge for every two labels.
 */
import type { Cell, View } from './view'

/** The weight left to a label's strongest keyword: no edge is free. */
export const MIN = 0.05

export interface Weights {
  /** By keyword: the weights of its edges in their order; in [MIN, 1]. */
  readonly rows: ReadonlyMap<string, Float64Array>
  /** From each label to the hub; a quarter for a label without keywords. */
  readonly hub: Float64Array
}

const known = new WeakMap<View, Weights>()

export function weightsOf(view: View): Weights {
  const made = known.get(view) ?? weigh(view)
  known.set(view, made)
  return made
}

function weigh(view: View): Weights {
  const max = new Float64Array(view.labelled.labels.length)
  const rows = new Map<string, Float64Array>()
  for (const [keyword, cells] of view.cells) {
    const rarity = view.size > 0 ? view.rarity(keyword) : 0
    const row = new Float64Array(cells.length)
    for (const [i, cell] of cells.entries()) {
      row[i] = correlation(cell, rarity)
      max[cell.label] = Math.max(max[cell.label] ?? 0, row[i] ?? 0)
    }
    rows.set(keyword, row)
  }
  const sums = new Float64Array(max.length)
  const counts = new Float64Array(max.length)
  for (const [keyword, cells] of view.cells) {
    const row = rows.get(keyword) ?? new Float64Array()
    for (const [i, { label }] of cells.entries()) {
      const largest = max[label] ?? 0
      row[i] = largest === 0 ? 1 : 1 - ((1 - MIN) * (row[i] ?? 0)) / largest
      sums[label] = (sums[label] ?? 0) + (row[i] ?? 0)
      counts[label] = (counts[label] ?? 0) + 1
    }
  }
  return { rows, hub: sums.map((sum, y) => (counts[y] ? sum / (counts[y] ?? 1) : 1) / 4) }
}

/** Mean of CS(v, t) over a label's texts that have the keyword: 1 − Eq. 4. A learned text counts fully in the number and by its weight in the sum. */
export function correlation(cell: Readonly<Cell>, rarity: number): number {
  return (cell.share / (cell.texts + cell.learned.length)) * rarity
}
