/**
 * ForceAtlas2 outside the page's main thread: receives edges as pairs of indices, sends positions as they settle, stops when they have. The
 * start is fixed (a spiral in breadth-first order), so the same graph is drawn the same way each time.
 */
import iterate from 'graphology-layout-forceatlas2/iterate'

/** Sent by the page. */
export interface Order {
  readonly nodes: number
  /** Two places per edge. */
  readonly edges: Uint32Array
  /** Initial x and y of each node, if the graph has grown. */
  readonly start?: Float32Array
  /** 1 for nodes that stay where they are. */
  readonly fixed?: Uint8Array
}

/** Sent back repeatedly. */
export interface Settled {
  /** x and y of each node. */
  readonly positions: Float32Array
  readonly done: boolean
  readonly steps: number
  readonly ms: number
}

const NODE = 10 // numbers a node takes in the matrix: x, y, dx, dy, old dx, old dy, mass, convergence, size, fixed
const EDGE = 3 // source, target, weight
const SLICE = { small: 80, large: 400 } // ms of steps between two messages: each is drawn
const LARGE = 2000 // nodes from which forces are approximated
const MOST_STEPS = { small: 600, large: 300 }
const LEAST_STEPS = 120
const STILL = 0.0004 // of the graph's extent: a step that moves nodes by less on average is the last
const GOLDEN = Math.PI * (3 - Math.sqrt(5))

addEventListener('message', ({ data }: MessageEvent<Order>) => layOut(data))

function layOut({ nodes: count, edges: pairs, start, fixed }: Order): void {
  const began = performance.now()
  const large = count > LARGE
  const { nodes, edges } = matrices(count, pairs)
  for (let node = 0; start && node < count; node++) {
    nodes.set(start.subarray(2 * node, 2 * node + 2), node * NODE)
    nodes[node * NODE + NODE - 1] = fixed?.[node] ?? 0
  }
  const settings = {
    linLogMode: false,
    outboundAttractionDistribution: false,
    adjustSizes: false,
    edgeWeightInfluence: 0,
    scalingRatio: 10,
    strongGravityMode: true,
    gravity: 0.05,
    slowDown: 1 + Math.log(Math.max(1, count)),
    barnesHutOptimize: large,
    barnesHutTheta: 0.8,
  }
  const most = large ? MOST_STEPS.large : MOST_STEPS.small
  let steps = 0
  const slice = () => {
    const before = places(nodes, count)
    const since = performance.now()
    const first = steps
    while (steps < most && performance.now() - since < (large ? SLICE.large : SLICE.small)) {
      iterate(settings, nodes, edges)
      steps += 1
    }
    const positions = places(nodes, count)
    const done = steps >= most || count < 2 || (steps > LEAST_STEPS && meanShift(before, positions) < STILL * (steps - first))
    const told: Settled = { positions, done, steps, ms: performance.now() - began }
    postMessage(told, { transfer: [positions.buffer] })
    if (!done) setTimeout(slice)
  }
  slice()
}

function matrices(count: number, pairs: Uint32Array): { nodes: Float32Array; edges: Float32Array } {
  const nodes = new Float32Array(count * NODE)
  const edges = new Float32Array((pairs.length / 2) * EDGE)
  const near: number[][] = Array.from({ length: count }, () => [])
  for (let i = 0; i * 2 < pairs.length; i++) {
    const [a, b] = [pairs[2 * i] ?? 0, pairs[2 * i + 1] ?? 0]
    edges.set([a * NODE, b * NODE, 1], i * EDGE)
    near[a]?.push(b)
    near[b]?.push(a)
  }
  for (const [place, node] of breadthFirst(near).entries()) {
    const far = 10 * Math.sqrt(place + 0.5)
    nodes.set([far * Math.cos(place * GOLDEN), far * Math.sin(place * GOLDEN)], node * NODE)
    nodes.set([1 + (near[node]?.length ?? 0), 1, 1, 0], node * NODE + 6)
  }
  return { nodes, edges }
}

/** Neighbours start close to each other. */
function breadthFirst(near: readonly (readonly number[])[]): number[] {
  const order: number[] = []
  const seen = new Set<number>()
  const roots = [...near.keys()].sort((a, b) => (near[b]?.length ?? 0) - (near[a]?.length ?? 0) || a - b)
  for (const root of roots) {
    if (seen.has(root)) continue
    seen.add(root)
    let at = order.push(root) - 1
    for (; at < order.length; at++) {
      for (const next of near[order[at] ?? 0] ?? []) {
        if (seen.has(next)) continue
        seen.add(next)
        order.push(next)
      }
    }
  }
  return order
}

function places(nodes: Float32Array, count: number): Float32Array<ArrayBuffer> {
  const found = new Float32Array(count * 2)
  for (let i = 0; i < count; i++) found.set(nodes.subarray(i * NODE, i * NODE + 2), i * 2)
  return found
}

/** Mean movement, in shares of the extent. */
function meanShift(before: Float32Array, after: Float32Array): number {
  let [sum, extent] = [0, 1]
  for (const [i, value] of after.entries()) {
    sum += Math.abs(value - (before[i] ?? 0))
    extent = Math.max(extent, Math.abs(value))
  }
  return sum / Math.max(1, after.length) / extent
}
