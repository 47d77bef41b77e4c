/**
 * What a tree was built with. It is stored beside the tree and obeyed until the tree is rebuilt: a changed setting never leaves half of the corpus
 * hashed by one seed and half by another. The planes follow from the seed unless others are stored beside the tree; those hold until it is rebuilt.
 */

import { type Hyperplanes, randomHyperplanes } from '../../algorithms/hyperplanes'
import type { Draft } from '../../graph/draft'
import type { GraphReader } from '../../graph/reader'
import type { Json, Value } from '../../graph/types'
import { type EraSettings, eraDefaults } from './settings'

export type Shape = Pick<EraSettings, (typeof NAMES)[number]>

export const SPACE = 'erarag/shape'
export const PLANES = 'planes' // key of planes that do not follow from the seed: offsets, then normals
const NAMES = ['min', 'max', 'segmentation', 'merge', 'regroup', 'planes', 'layers', 'seed'] as const

export function shapeOf(settings: EraSettings): Shape {
  const { min, max, segmentation, merge, regroup, planes, layers, seed } = settings
  return { min, max, segmentation, merge, regroup, planes, layers, seed }
}

/** The stored shape, or undefined if there is no tree. */
export function storedShape(graph: GraphReader, settings: EraSettings): Shape | undefined {
  const value = graph.value(SPACE, 'tree')
  if (!isRecord(value)) return undefined
  const { min, max, layers, seed } = settings
  return {
    min: numberOr(value.min ?? value.least, min), // what trees made before the last release call it
    max: numberOr(value.max ?? value.most, max),
    layers: numberOr(value.layers, layers),
    seed: numberOr(value.seed, seed),
    segmentation: value.segmentation === 'split-merge' ? 'split-merge' : 'trie',
    merge: value.merge === 'hamming' ? 'hamming' : 'smaller',
    planes: numberOr(value.planes, eraDefaults.planes), // trees made before this could be chosen have this many
    regroup: value.regroup === 'summary' ? 'summary' : 'members',
  }
}

export function sameShape(a: Shape, b: Shape): boolean {
  return NAMES.every((name) => a[name] === b[name])
}

export function storeShape(draft: Draft, shape: Shape): void {
  draft.putValue(SPACE, 'tree', { ...shape })
}

/** When a tree has no leaves left, nothing of it stays. */
export function forgetShape(draft: Draft): void {
  draft.dropValue(SPACE, 'tree')
  draft.dropValue(SPACE, PLANES)
}

/** The planes the tree is hashed by. */
export function planesOf(graph: GraphReader, shape: Shape): Hyperplanes {
  const seeded = seededPlanes(shape, graph.dimensions)
  const stored = graph.value(SPACE, PLANES)
  return stored instanceof Uint8Array ? unpacked(stored, seeded) : seeded
}

/** Is the tree hashed by planes of its own? */
export function hasStoredPlanes(graph: GraphReader): boolean {
  return graph.value(SPACE, PLANES) !== undefined
}

function unpacked(bytes: Uint8Array, { bits, dimensions }: Hyperplanes): Hyperplanes {
  const copy = bytes.slice().buffer
  const cut = bits * Float64Array.BYTES_PER_ELEMENT
  return { bits, dimensions, offsets: new Float64Array(copy.slice(0, cut)), normals: new Int16Array(copy.slice(cut)) }
}

/** The planes made last: drawing 64 times the dimensions of Gaussian numbers takes a few milliseconds. */
let last: { readonly seed: number; readonly made: Hyperplanes } | undefined

function seededPlanes({ seed, planes }: Pick<Shape, 'seed' | 'planes'>, dimensions: number): Hyperplanes {
  if (last?.seed !== seed || last.made.dimensions !== dimensions || last.made.bits !== planes) {
    last = { seed, made: randomHyperplanes(seed, planes, dimensions) }
  }
  return last.made
}

function isRecord(value: Value | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
