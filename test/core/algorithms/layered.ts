/** Layers of C-HNSW in memory, for tests and benches. */
import type { Layers, Linked } from '../../../src/core/algorithms/c-hnsw-layers'

export interface Index extends Layers {
  readonly maps: Map<string, Linked>[]
}

export function index(): Index {
  const maps: Map<string, Linked>[] = []
  const entries: (string | undefined)[] = []
  return {
    maps,
    top: () =>
      Math.max(
        0,
        maps.findLastIndex((map) => map.size > 0),
      ),
    read: (layer, id) => maps[layer]?.get(id),
    write(layer, id, node) {
      for (let at = maps.length; at <= layer; at++) maps[at] = new Map()
      if (node) maps[layer]?.set(id, node)
      else maps[layer]?.delete(id)
    },
    entry: (layer) => entries[layer],
    enter(layer, id) {
      entries[layer] = id
    },
  }
}
