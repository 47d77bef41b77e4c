/** EraRAG over hyperplanes fitted to its chunks instead of drawn by chance: they are put beside the tree before the first document comes. */
import { type Hyperplanes, randomHyperplanes } from '../../src/core/algorithms/hyperplanes'
import type { Patch, Vector } from '../../src/core/graph/types'
import type { EraSettings } from '../../src/core/strategies/erarag/settings'
import { PLANES, SPACE } from '../../src/core/strategies/erarag/shape'
import { principalHyperplanes } from './principal-hyperplanes'

export const FIT = 256 // chunks to fit to: four for each of 64 planes

/** `sample`: vectors of chunks. */
export function fittedPlanes(sample: readonly Vector[], { seed, planes }: EraSettings, dimensions: number): Patch {
  const fitted = principalHyperplanes(sample.slice(0, FIT), randomHyperplanes(seed, planes, dimensions))
  return [{ op: 'put-value', space: SPACE, key: PLANES, value: packed(fitted) }]
}

function packed({ normals, offsets }: Hyperplanes): Uint8Array {
  const bytes = new Uint8Array(normals.byteLength + offsets.byteLength)
  bytes.set(new Uint8Array(offsets.buffer), 0)
  bytes.set(new Uint8Array(normals.buffer), offsets.byteLength)
  return bytes
}
