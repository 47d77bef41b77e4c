/** PageRank of every node of an undirected graph, by power iteration. Nodes are numbers; what they stand for is the caller's business. */

export const centralityWalk = {
  damping: 0.85, // the usual value, also in KET-RAG's code
  rounds: 50,
  tolerance: 1e-9, // total change below which it has converged
} as const

/** Scores sum to 1. A node without neighbours receives only jumps; its own mass goes to all nodes. */
export function centrality(neighbours: readonly (readonly number[])[]): Float64Array {
  const n = neighbours.length
  let scores = new Float64Array(n).fill(1 / Math.max(1, n))
  for (let round = 0; round < centralityWalk.rounds; round++) {
    const next = new Float64Array(n)
    let loose = 0
    for (let i = 0; i < n; i++) {
      const around = neighbours[i] ?? []
      const mass = centralityWalk.damping * (scores[i] ?? 0)
      if (around.length === 0) loose += mass
      for (const j of around) next[j] = (next[j] ?? 0) + mass / around.length
    }
    const even = (1 - centralityWalk.damping + loose) / n
    let change = 0
    for (let i = 0; i < n; i++) {
      next[i] = (next[i] ?? 0) + even
      change += Math.abs((next[i] ?? 0) - (scores[i] ?? 0))
    }
    scores = next
    if (change < centralityWalk.tolerance) break
  }
  return scores
}
