/**
 * Hyperplane hashing (Charikar 2002): one bit for each hyperplane, the side on which a vector lies. Vectors at angle θ share a bit with probability
 * 1 − θ/π. Normals are integers, so that every product is exact and the same vector has the same bits on every machine; a vector may be a sum of
 * `count` others, and the sum has every bit on which all of them agree.
 */
import { random } from '../random'

/** Normals are Gaussian, in steps of 1/4096: coarse enough that every product stays an exact integer, too fine to tilt a plane. */
export const STEPS = 4096

export interface Hyperplanes {
  readonly bits: number
  readonly dimensions: number
  /** Row after row, in steps. */
  readonly normals: Int16Array
  /** A bit is set if the product of one vector with the normal exceeds this. */
  readonly offsets: Float64Array
}

/** Planes through the origin, the same for the same arguments: storing the seed is enough to store them. */
export function randomHyperplanes(seed: number, bits: number, dimensions: number): Hyperplanes {
  const numbers = random(`hyperplanes ${seed} ${dimensions}`)
  const normals = Int16Array.from({ length: bits * dimensions }, () => stepped(numbers.normal()))
  return { bits, dimensions, normals, offsets: new Float64Array(bits) }
}

/** One 0 or 1 for each plane. `vector` is the sum of `count` vectors; the zero vector lies on no side and has no bit set. */
export function sides(planes: Hyperplanes, vector: ArrayLike<number>, count = 1): Uint8Array {
  const { bits, dimensions, normals, offsets } = planes
  const out = new Uint8Array(bits)
  for (let bit = 0; bit < bits; bit++) {
    let product = 0
    for (let i = 0, at = bit * dimensions; i < dimensions; i++, at++) product += (vector[i] as number) * (normals[at] as number)
    if (product > count * (offsets[bit] as number)) out[bit] = 1
  }
  return out
}

export function stepped(component: number): number {
  return Math.max(-32767, Math.min(32767, Math.round(component * STEPS)))
}
