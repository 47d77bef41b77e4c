/**
 * How strongly the edges between a text's keywords and a label speak for it: the cosine between the text and the label in the
 * space of keywords, each side weighted by rarity. Summed over edges of the graph, so every part of the score can be shown.
 * 0 where they share no keyword, which then says nothing either way.
 */
import type { Counts } from './keywords'
import type { KeptText } from './labelled-view'
import { normOf, type View } from './view'

const norms = new WeakMap<View, Float64Array>()

/** One score per label, 0 to 1. `without` leaves one labelled text out, as if it had never been given. */
export function keywordEvidence(view: View, counts: Counts, without?: KeptText): Float64Array {
  const scores = new Float64Array(view.labelled.labels.length)
  const own = without && normOf(without.kept)
  let length = 0
  for (const [keyword, count] of counts) {
    const salience = view.salience(keyword)
    length += (count * salience) ** 2
    for (const { label, strength } of view.cells.get(keyword) ?? []) {
      const held = own && without.label === label ? (without.kept.get(keyword) ?? 0) / own : 0
      scores[label] = (scores[label] ?? 0) + count * salience ** 2 * Math.max(0, strength - held)
    }
  }
  const lengths = normsOf(view)
  for (let y = 0; y < scores.length; y++) {
    const norm = without?.label === y ? normWithout(view, without) : (lengths[y] ?? 0)
    scores[y] = norm > 0 && length > 0 ? (scores[y] ?? 0) / norm / Math.sqrt(length) : 0
  }
  return scores
}

/** Length of each label's vector of weighted edges. */
function normsOf(view: View): Float64Array {
  const known = norms.get(view)
  if (known) return known
  const squares = new Float64Array(view.labelled.labels.length)
  for (const [keyword, row] of view.cells) {
    const salience = view.salience(keyword)
    for (const { label, strength } of row) squares[label] = (squares[label] ?? 0) + (salience * strength) ** 2
  }
  const made = squares.map(Math.sqrt)
  norms.set(view, made)
  return made
}

/** Only the left-out text's own keywords change. */
function normWithout(view: View, { kept, label }: KeptText): number {
  const own = normOf(kept)
  let square = (normsOf(view)[label] ?? 0) ** 2
  for (const [keyword, count] of kept) {
    const salience = view.salience(keyword)
    const strength = view.cells.get(keyword)?.find((cell) => cell.label === label)?.strength ?? 0
    square += (salience * (strength - count / own)) ** 2 - (salience * strength) ** 2
  }
  return square > 1e-9 ? Math.sqrt(square) : 0
}
