/** C-HNSW of three layers in memory. */
import type { Layers, Linked } from '../src/core/algorithms/c-hnsw'

export interface Layered extends Layers {
  readonly maps: readonly Map<string, Linked>[]
}

export function index(): Layered {
  const maps = [new Map<string, Linked>(), new Map<string, Linked>(), new Map<string, Linked>()]
  const entries: (string | undefined)[] = []
  return {
    maps,
    top: () =>
      Math.max(
        0,
        maps.findLastIndex((map) => map.size > 0),
      ),
    read: (layer, id) => maps[layer]?.get(id),
    write: (layer, id, node) => void (node ? maps[layer]?.set(id, node) : maps[layer]?.delete(id)),
    entry: (layer) => entries[layer],
    enter: (layer, id) => {
      entries[layer] = id
    },
  }
}
