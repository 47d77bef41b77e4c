/**
 * 0-1 knapsack by value density: O(n log n), without an n×W table. The chosen items and the first one that did not fit are together worth at least
 * the optimum, so the loss is less than the most valuable item; if items are tiny beside the capacity it is negligible.
 */

export interface Item {
  readonly id: string
  /** Not negative. */
  readonly value: number
  /** Positive. */
  readonly cost: number
}

/** Ids of the chosen items, densest first; their cost never exceeds the capacity. Equal densities go by id. */
export function knapsack(items: readonly Item[], capacity: number): string[] {
  const order = [...items].sort((a, b) => b.value / b.cost - a.value / a.cost || (a.id < b.id ? -1 : 1))
  const chosen: Item[] = []
  let left = capacity
  for (const item of order) {
    if (item.cost > left) continue
    chosen.push(item)
    left -= item.cost
  }
  return better(chosen, order, capacity).map((item) => item.id)
}

/** One large item may be worth more than everything that fitted before it: with this the choice is worth at least half the optimum. */
function better(chosen: readonly Item[], all: readonly Item[], capacity: number): readonly Item[] {
  const worth = chosen.reduce((sum, item) => sum + item.value, 0)
  const single = all.reduce<Item | undefined>(
    (best, item) => (item.cost <= capacity && item.value > (best?.value ?? worth) ? item : best),
    undefined,
  )
  return single ? [single] : chosen
}
