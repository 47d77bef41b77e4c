/**
 * Personalised PageRank by local push (Andersen, Chung, Lang 2006): only the neighbourhood that matters is read.
 * Mass that reaches a node without neighbours is lost, which scales all scores alike and so changes no order.
 * Reads through the function it is given; at most `pushes` calls to it.
 */

export interface Neighbour {
  readonly id: string
  /** Only positive weights count; only proportions within one node's list matter. */
  readonly weight: number
}

export interface Walk {
  /** Probability of jumping back to the seeds at each step, in (0, 1]. */
  readonly restart: number
  /** Residual mass, as a share of all seed mass, below which a node is not pushed. */
  readonly tolerance: number
  /** The most nodes expanded. */
  readonly pushes: number
}

/** Where the mass of a node goes: nodes by their numbers, the weight of each, and the total. */
interface Around {
  readonly nodes: readonly number[]
  readonly weights: readonly number[]
  readonly weight: number
}

/**
 * Scores sum to at most 1; each is too low by at most the residual left, below `tolerance` per node unless `pushes` ran out. `expect` is told
 * before each round which nodes' neighbours will be asked for, in that order.
 */
export function pagerank(
  seeds: ReadonlyMap<string, number>,
  neighbours: (id: string) => readonly Neighbour[],
  walk: Walk,
  expect?: (ids: readonly string[]) => void,
): Map<string, number> {
  const total = [...seeds.values()].reduce((sum, mass) => sum + mass, 0)
  if (!(total > 0)) return new Map()
  // Mass goes over the same edges round after round: nodes have numbers, so that an id is looked up only once for each edge.
  const numbers = new Map<string, number>()
  const ids: string[] = []
  const scores: number[] = []
  const numberOf = (id: string): number => {
    const known = numbers.get(id)
    if (known !== undefined) return known
    numbers.set(id, ids.length)
    scores.push(0)
    return ids.push(id) - 1
  }
  const read = new Map<number, Around>()
  const around = (node: number): Around | undefined => {
    const known = read.get(node)
    if (known || read.size >= walk.pushes) return known
    const usable = neighbours(ids[node] as string).filter((one) => one.weight > 0)
    const weights = usable.map((one) => one.weight)
    const made = { nodes: usable.map((one) => numberOf(one.id)), weights, weight: weights.reduce((sum, one) => sum + one, 0) }
    read.set(node, made)
    return made
  }
  let front = new Masses()
  let next = new Masses()
  for (const [id, mass] of seeds) if (mass > 0) front.add(numberOf(id), mass / total)
  // In rounds, heaviest first: the order of the seeds does not matter, and the budget goes where the mass is.
  while (front.nodes.length > 0) {
    const heavy: number[] = []
    for (const node of front.nodes) {
      const mass = front.of(node)
      scores[node] = (scores[node] as number) + walk.restart * mass
      if (mass >= walk.tolerance) heavy.push(node)
    }
    heavy.sort((a, b) => front.of(b) - front.of(a) || ((ids[a] as string) < (ids[b] as string) ? -1 : 1))
    if (expect)
      expect(
        heavy
          .filter((node) => !read.has(node))
          .slice(0, walk.pushes - read.size)
          .map((node) => ids[node] as string),
      )
    for (const node of heavy) {
      const to = around(node)
      if (to) spread(to, (1 - walk.restart) * front.of(node), next)
    }
    front.clear()
    ;[front, next] = [next, front]
  }
  const out = new Map<string, number>()
  for (const [node, id] of ids.entries()) if ((scores[node] as number) > 0) out.set(id, scores[node] as number)
  return out
}

/** Mass by node. */
class Masses {
  /** Nodes that have any, in the order in which they got it. */
  readonly nodes: number[] = []
  #masses = new Float64Array(256)

  add(node: number, mass: number): void {
    if (node >= this.#masses.length) this.#widen(node)
    const known = this.#masses[node] as number
    if (known === 0) this.nodes.push(node)
    this.#masses[node] = known + mass
  }

  of(node: number): number {
    return this.#masses[node] ?? 0
  }

  clear(): void {
    for (const node of this.nodes) this.#masses[node] = 0
    this.nodes.length = 0
  }

  #widen(node: number): void {
    const wider = new Float64Array(2 * Math.max(node, this.#masses.length))
    wider.set(this.#masses)
    this.#masses = wider
  }
}

function spread({ nodes, weights, weight }: Around, mass: number, into: Masses): void {
  for (let i = 0; i < nodes.length; i++) into.add(nodes[i] as number, (mass * (weights[i] as number)) / weight)
}
