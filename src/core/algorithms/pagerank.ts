/**
 * Personalised PageRank by local push (Andersen, Chung, Lang 2006): only the neighbourhood that matters is read.
 * Mass that reaches a node without neighbours is lost, which scales all scores alike and so changes no order.
 * Reads through the function it is given; at most `pushes` calls to it.
 */

export interface Neighbour {
  readonly id: string
  /** Only positive ones count; only proportions within one node's list matter. */
  readonly weight: number
}

export interface Walk {
  /** Chance of jumping back to the seeds at each step, in (0, 1]. */
  readonly restart: number
  /** Residual mass, as a share of all seed mass, below which a node is not pushed. */
  readonly tolerance: number
  /** Most nodes expanded. */
  readonly pushes: number
}

/** Scores sum to at most 1; what each lacks is at most the residual left, below `tolerance` per node unless `pushes` ran out. */
export function pagerank(
  seeds: ReadonlyMap<string, number>,
  neighbours: (id: string) => readonly Neighbour[],
  walk: Walk,
): Map<string, number> {
  const total = [...seeds.values()].reduce((sum, mass) => sum + mass, 0)
  const scores = new Map<string, number>()
  if (!(total > 0)) return scores
  let front = new Map([...seeds].filter(([, mass]) => mass > 0).map(([id, mass]) => [id, mass / total]))
  const read = new Map<string, readonly Neighbour[]>()
  // In rounds, heaviest first: the order of the seeds does not matter, and the budget goes where the mass is.
  while (front.size > 0) {
    const next = new Map<string, number>()
    for (const [id, mass] of [...front].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))) {
      scores.set(id, (scores.get(id) ?? 0) + walk.restart * mass)
      if (mass < walk.tolerance || (!read.has(id) && read.size >= walk.pushes)) continue
      const around = read.get(id) ?? neighbours(id)
      read.set(id, around)
      spread(around, (1 - walk.restart) * mass, next)
    }
    front = next
  }
  return scores
}

function spread(around: readonly Neighbour[], mass: number, into: Map<string, number>): void {
  const usable = around.filter((one) => one.weight > 0)
  const weight = usable.reduce((sum, one) => sum + one.weight, 0)
  for (const one of usable) into.set(one.id, (into.get(one.id) ?? 0) + (mass * one.weight) / weight)
}
