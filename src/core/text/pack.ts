/** Fills a token budget in order of rank: what does not fit is skipped, and smaller things behind it still get their chance. */

/** Items keep their order; their tokens add up to at most the budget. */
export function pack<T>(items: readonly T[], tokens: (item: T) => number, budget: number): T[] {
  let left = budget
  return items.filter((item) => {
    const cost = tokens(item)
    if (!(cost <= left)) return false
    left -= cost
    return true
  })
}
