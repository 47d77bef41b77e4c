/** Fills a token budget in order of rank: what does not fit is skipped, and smaller items after it still get their chance. */

/** Items keep their order; together their tokens are at most the budget. */
export function pack<T>(items: readonly T[], tokens: (item: T) => number, budget: number): T[] {
  let left = budget
  return items.filter((item) => {
    const cost = tokens(item)
    if (!(cost <= left)) return false
    left -= cost
    return true
  })
}
