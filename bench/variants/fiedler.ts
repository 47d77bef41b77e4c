/**
 * The second eigenvector of a graph's normalised Laplacian 1 − D^−½ W D^−½, by restarted Lanczos with full reorthogonalisation: sparse, seeded,
 * deterministic. Of npm's packages none finds eigenvectors of sparse symmetric matrices (ml-matrix and `eigen` are dense, ml-sparse-matrix
 * has none), so it is our own.
 *
 * It is not taken to convergence. A sweep over any vector, not only the eigenvector, finds a cut that is good for that vector's own Rayleigh quotient (Mihail
 * 1989), and more steps hardly bettered the communities (docs/archrag.md).
 */

import { strengthsOf } from '../../src/core/algorithms/modularity'
import type { WeightedGraph } from '../../src/core/algorithms/weighted-graph'
import { random } from '../../src/core/random'
import { largestEigenvector } from './tridiagonal'

const STEPS = 20 // vectors kept at once: 16 MB for 100,000 nodes
const RUNS = 2 // each from the best vector of the one before
const CLOSE = 1e-4 // length of the residual at which it is near enough
const NOTHING = 1e-10 // a new direction this short is rounding

/** A value for each node of a connected graph; those of one side of the best cut are small, those of the other large. O((edges + STEPS · nodes) · STEPS). */
export function fiedler(graph: WeightedGraph, seed: number | string): Float64Array {
  const strengths = strengthsOf(graph)
  const scales = strengths.map((strength) => (strength > 0 ? 1 / Math.sqrt(strength) : 0))
  const first = strengths.map(Math.sqrt) // the eigenvector that every connected graph has and that says nothing
  unit(first)
  const rows = scaled(graph, scales)
  const numbers = random(`fiedler ${seed}`)
  let vector = new Float64Array(graph.size).map(() => numbers.next() - 0.5)
  for (let run = 0; run < RUNS; run++) {
    const found = lanczos(rows, first, vector)
    vector = found.vector
    if (found.residual < CLOSE) break
  }
  return vector.map((x, u) => x * (scales[u] ?? 0))
}

/** The best vector of the space that the operator makes of a start, square to `first`, and how far it is from an eigenvector. */
function lanczos(rows: WeightedGraph, first: Float64Array, start: Float64Array): { vector: Float64Array<ArrayBuffer>; residual: number } {
  const basis = [first]
  const diagonal: number[] = []
  const beside: number[] = []
  let next = start.slice()
  add(next, -dot(next, first), first)
  let length = unit(next)
  while (basis.length <= Math.min(STEPS, rows.size - 1) && (diagonal.length === 0 || length > NOTHING)) {
    if (diagonal.length > 0) beside.push(length)
    basis.push(next)
    const image = product(rows, next)
    diagonal.push(dot(image, next))
    for (const one of basis) add(image, -dot(image, one), one)
    length = unit(image)
    next = image
  }
  const weights = largestEigenvector(diagonal, beside)
  const vector = new Float64Array(rows.size)
  for (const [i, weight] of weights.entries()) add(vector, weight, basis[i + 1] ?? first)
  unit(vector)
  return { vector, residual: length * Math.abs(weights[weights.length - 1] ?? 0) }
}

/** D^−½ W D^−½. */
function scaled(graph: WeightedGraph, scales: Float64Array): WeightedGraph {
  const weights = graph.weights.slice()
  for (let u = 0; u < graph.size; u++) {
    for (let i = graph.offsets[u] ?? 0; i < (graph.offsets[u + 1] ?? 0); i++) {
      weights[i] = (weights[i] ?? 0) * (scales[u] ?? 0) * (scales[graph.targets[i] ?? 0] ?? 0)
    }
  }
  return { ...graph, weights }
}

function product({ size, offsets, targets, weights }: WeightedGraph, vector: Float64Array): Float64Array<ArrayBuffer> {
  const out = new Float64Array(size)
  for (let u = 0; u < size; u++) {
    let sum = 0
    for (let i = offsets[u] ?? 0; i < (offsets[u + 1] ?? 0); i++) sum += (weights[i] ?? 0) * (vector[targets[i] ?? 0] ?? 0)
    out[u] = sum
  }
  return out
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

function add(to: Float64Array, times: number, what: Float64Array): void {
  for (let i = 0; i < to.length; i++) to[i] = (to[i] ?? 0) + times * (what[i] ?? 0)
}

/** Makes it one long; says how long it was. */
function unit(vector: Float64Array): number {
  const length = Math.sqrt(dot(vector, vector))
  if (length > 0) for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / length
  return length
}
