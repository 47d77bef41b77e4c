/** Minimum spanning forests (Kruskal 1956), and the part of a tree that is left when it need only span some of its nodes. */
import { unionFind } from './union-find'
import { byWeight, type WeightedEdge } from './weighted-graph'

/** One tree per connected component of the given edges. Of equal weights, the smaller ends win. */
export function spanningForest(size: number, edges: readonly WeightedEdge[]): WeightedEdge[] {
  const sets = unionFind(size)
  return [...edges].sort(byWeight).filter(({ u, v }) => sets.union(u, v))
}

/** Removes leaves that need not be spanned until there are none. In a tree, this leaves the smallest subtree that spans `kept`. */
export function pruned(tree: readonly WeightedEdge[], kept: ReadonlySet<number>): WeightedEdge[] {
  const degree = new Map<number, number>()
  const sum = new Map<number, number>() // of the numbers of the edges left at a node: for a leaf, the number of its one edge
  const count = (node: number, edge: number, sign: 1 | -1): void => {
    degree.set(node, (degree.get(node) ?? 0) + sign)
    sum.set(node, (sum.get(node) ?? 0) + sign * edge)
  }
  for (const [i, { u, v }] of tree.entries()) for (const end of [u, v]) count(end, i, 1)
  const isLoose = (node: number): boolean => degree.get(node) === 1 && !kept.has(node)
  const loose = [...degree.keys()].filter(isLoose)
  const gone = new Set<number>()
  for (let node = loose.pop(); node !== undefined; node = loose.pop()) {
    const last = sum.get(node) ?? 0
    const edge = tree[last]
    if (!edge || !isLoose(node)) continue
    gone.add(last)
    for (const end of [edge.u, edge.v]) count(end, last, -1)
    const other = edge.u === node ? edge.v : edge.u
    if (isLoose(other)) loose.push(other)
  }
  return tree.filter((_, i) => !gone.has(i))
}
