/**
 * Which links a node keeps (HNSW's heuristic for diversity: Malkov and Yashunin, Algorithm 4), and how ends are joined again when a node between
 * them goes.
 */
import type { Layers } from './c-hnsw-layers'
import type { Scored } from './c-hnsw-search'
import { closeness, closenessTo } from './nearness'

/** At most `max` of the nodes near one, best first: those nearer to it than to any already chosen, then the nearest of the rest. */
export function chosenLinks(layers: Layers, layer: number, near: readonly Scored[], max: number): string[] {
  const chosen: { readonly id: string; readonly close: (vector: Int8Array) => number }[] = []
  const passed: string[] = []
  for (const { id, score } of near) {
    if (chosen.length >= max) break
    const vector = layers.read(layer, id)?.vector
    if (!vector) continue
    if (chosen.every((one) => one.close(vector) < score)) chosen.push({ id, close: closenessTo(vector) })
    else passed.push(id)
  }
  return [...chosen.map((one) => one.id), ...passed].slice(0, max)
}

/** Links that join nodes whose common neighbour has gone: a tree of the nearest pairs (Prim). */
export function spanning(layers: Layers, layer: number, ids: readonly string[]): readonly (readonly [string, string])[] {
  const nodes = ids.flatMap((id) => {
    const vector = layers.read(layer, id)?.vector
    return vector ? [{ id, vector }] : []
  })
  const [first, ...rest] = nodes
  if (!first) return []
  const nearest = new Map(rest.map((one) => [one, { to: first, score: closeness(first.vector, one.vector) }]))
  const out: [string, string][] = []
  while (nearest.size > 0) {
    const [next, via] = [...nearest].reduce((a, b) => (b[1].score > a[1].score ? b : a))
    nearest.delete(next)
    out.push([next.id, via.to.id])
    for (const [other, known] of nearest) {
      const score = closeness(next.vector, other.vector)
      if (score > known.score) nearest.set(other, { to: next, score })
    }
  }
  return out
}
