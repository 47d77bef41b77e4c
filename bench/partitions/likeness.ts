/** How alike are one question's evidence from one object and from partitions? */
import type { Evidence } from '../../src/core/evidence'

interface Likeness {
  /** The same pieces in the same order with the same scores, to nine places. */
  readonly isSame: boolean
  readonly isOrdered: boolean
  /** The same pieces in any order. */
  readonly isSet: boolean
  /** Of a piece that both have: by what share of the larger its scores differ, at most. */
  readonly apart: number
}

export function likeness(one: readonly Evidence[], other: readonly Evidence[]): Likeness {
  const ids = (all: readonly Evidence[]): string[] => all.map(({ id }) => id)
  const scored = (all: readonly Evidence[]): string => all.map(({ id, score }) => `${id} ${score.toFixed(9)}`).join()
  const scores = new Map(one.map(({ id, score }) => [id, score]))
  const shares = other.map(({ id, score }) => {
    const known = scores.get(id) ?? score
    return known === score ? 0 : Math.abs(score - known) / Math.max(Math.abs(score), Math.abs(known))
  })
  return {
    isSame: scored(one) === scored(other),
    isOrdered: ids(one).join() === ids(other).join(),
    isSet: ids(one).sort().join() === ids(other).sort().join(),
    apart: Math.max(0, ...shares),
  }
}
