/**
 * How near the keyword–label graph brings a text to each label: along the edges of its keywords, the closeness 1 − w of Eq. 4, each keyword
 * weighted by how often the text has it and how rare it is. A sum over edges, so every part of it can be shown; 0 if no edge leads there.
 */
import type { Counts } from './keywords'
import type { KeptText } from './labelled-view'
import type { Cell, View } from './view'
import { correlation, MIN, weightsOf } from './weights'

/** One score per label. `without` leaves one labelled text out, as if it had never been given. */
export function keywordEvidence(view: View, counts: Counts, without?: KeptText): Float64Array {
  const scores = new Float64Array(view.labelled.labels.length)
  const { rows } = weightsOf(view)
  const left = without && closenessWithout(view, without)
  for (const [keyword, count] of counts) {
    const row = rows.get(keyword)
    if (!row) continue
    const weight = (1 + Math.log(count)) * view.salience(keyword)
    for (const [i, cell] of (view.cells.get(keyword) ?? []).entries()) {
      const near = left && without.label === cell.label ? left(keyword, cell) : 1 - (row[i] ?? 1)
      scores[cell.label] = (scores[cell.label] ?? 0) + weight * near
    }
  }
  return scores
}

/** Closeness along a label's edges without one of its texts: that text's keywords count less, and another may be the label's strongest. */
function closenessWithout(view: View, without: KeptText): (keyword: string, cell: Readonly<Cell>) => number {
  const { label, kept, length } = without
  const rest = (keyword: string, cell: Readonly<Cell>): number => {
    const count = kept.get(keyword)
    if (count === undefined) return correlation(cell, view.rarity(keyword))
    const less = { ...cell, texts: cell.texts - 1, share: cell.share - count / length }
    return less.texts + less.learned.length > 0 ? Math.max(0, correlation(less, view.rarity(keyword))) : 0
  }
  const largest = (strongestOf(view)[label] ?? []).find(({ keyword }) => !kept.has(keyword))?.value ?? 0
  let max = largest
  for (const keyword of kept.keys()) {
    const cell = view.cells.get(keyword)?.find((one) => one.label === label)
    if (cell) max = Math.max(max, rest(keyword, cell))
  }
  return (keyword, cell) => (max > 0 ? ((1 - MIN) * rest(keyword, cell)) / max : 0)
}

const strongest = new WeakMap<View, readonly (readonly { readonly keyword: string; readonly value: number }[])[]>()

/** Each label's keywords by correlation, strongest first. */
function strongestOf(view: View) {
  const known = strongest.get(view)
  if (known) return known
  const made: { keyword: string; value: number }[][] = view.labelled.labels.map(() => [])
  for (const [keyword, cells] of view.cells) {
    const rarity = view.rarity(keyword)
    for (const cell of cells) made[cell.label]?.push({ keyword, value: correlation(cell, rarity) })
  }
  for (const one of made) one.sort((a, b) => b.value - a.value || (a.keyword < b.keyword ? -1 : 1))
  strongest.set(view, made)
  return made
}
