/**
 * Searching C-HNSW (ArchRAG, Algorithm 2): best first within a layer, and from layer to layer along the downward links. Nearness is the cosine of
 * int8 vectors. Every list is best first, then by id.
 */
import type { Layers } from './c-hnsw-layers'
import { closenessTo } from './nearness'

export { nearness } from './nearness'

export type ReadLayers = Pick<Layers, 'top' | 'read' | 'fetch' | 'entry'>

export interface Scored {
  readonly id: string
  readonly score: number
}

/** Counts the distances computed. */
export interface Counter {
  distances: number
}

export const best = {
  starts: 4, // nodes of the layer above below which a search begins: the nearest one alone may lead astray
  beam: 8, // nodes kept in the layers passed on the way down; the paper's greedy walk keeps 1
} as const

/** At most `ef` nodes of a layer near a vector, starting from given nodes of it. */
export function searchLayer(
  layers: ReadLayers,
  layer: number,
  vector: Int8Array,
  starts: readonly string[],
  ef: number,
  counter?: Counter,
): Scored[] {
  const seen = new Set<string>()
  const found: Scored[] = []
  const open: Scored[] = []
  const close = closenessTo(vector)
  const visit = (id: string): void => {
    if (seen.has(id)) return
    seen.add(id)
    const node = layers.read(layer, id)
    if (!node) return
    if (counter) counter.distances++
    const one = { id, score: close(node.vector) }
    if (found.length >= ef && !before(one, found[ef - 1] as Scored)) return
    place(found, one)
    if (found.length > ef) found.pop()
    place(open, one)
  }
  for (const id of starts) visit(id)
  for (let next = open.shift(); next; next = open.shift()) {
    if (found.length >= ef && before(found[ef - 1] as Scored, next)) break
    const links = (layers.read(layer, next.id)?.links ?? []).filter((id) => !seen.has(id))
    layers.fetch?.(layer, links)
    for (const id of links) visit(id)
  }
  return found
}

/** At most `ef` nodes of a layer near a vector, found from the top down. */
export function descend(layers: ReadLayers, vector: Int8Array, layer: number, ef: number, counter?: Counter): Scored[] {
  let starts: readonly string[] = [layers.entry(layers.top()) ?? []].flat()
  for (let at = layers.top(); at > layer; at--) {
    const found = searchLayer(layers, at, vector, starts, best.beam, counter)
    starts = below(layers, at, found)
  }
  return searchLayer(layers, layer, vector, starts, ef, counter)
}

/** Where to begin one layer down; at its entry if no link leads there. */
export function below(layers: ReadLayers, layer: number, found: readonly Scored[]): readonly string[] {
  const down = found.slice(0, best.starts).flatMap(({ id }) => layers.read(layer, id)?.down ?? [])
  return down.length > 0 ? [...new Set(down)] : [layers.entry(layer - 1) ?? []].flat()
}

/** k of every layer, top first: each layer's search begins below the best nodes of the one above (ArchRAG, hierarchical search). */
export function hierarchical(
  layers: ReadLayers,
  vector: Int8Array,
  k: number,
  ef: number,
  counters?: Counter[],
): readonly (readonly Scored[])[] {
  const out: Scored[][] = []
  let starts: readonly string[] = [layers.entry(layers.top()) ?? []].flat()
  for (let layer = layers.top(); layer >= 0; layer--) {
    const counter = { distances: 0 }
    const found = searchLayer(layers, layer, vector, starts, Math.max(k, ef), counter)
    if (counters) counters[layer] = counter
    out[layer] = found.slice(0, k)
    if (layer > 0) starts = below(layers, layer, found)
  }
  return out
}

function before(a: Scored, b: Scored): boolean {
  return a.score > b.score || (a.score === b.score && a.id < b.id)
}

function place(list: Scored[], one: Scored): void {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (before(list[middle] as Scored, one)) low = middle + 1
    else high = middle
  }
  list.splice(low, 0, one)
}
