/** Disjoint sets over 0 … size−1, with path halving and union by size (Tarjan 1975): nearly constant time per call. */

export interface UnionFind {
  find(item: number): number
  /** False if both were in one set already. */
  union(a: number, b: number): boolean
}

export function unionFind(size: number): UnionFind {
  const parents = new Int32Array(size)
  for (let i = 0; i < size; i++) parents[i] = i
  const sizes = new Int32Array(size).fill(1)
  const find = (item: number): number => {
    let at = item
    while (parents[at] !== at) {
      const up = parents[parents[at] ?? at] ?? at
      parents[at] = up
      at = up
    }
    return at
  }
  return {
    find,
    union(a, b) {
      const [x, y] = [find(a), find(b)]
      if (x === y) return false
      const [big, small] = (sizes[x] ?? 0) >= (sizes[y] ?? 0) ? [x, y] : [y, x]
      parents[small] = big
      sizes[big] = (sizes[big] ?? 0) + (sizes[small] ?? 0)
      return true
    },
  }
}
