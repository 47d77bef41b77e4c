/**
 * Cosine of int8 vectors, 0 if one of them is zero. Vectors are never written into, so what has been prepared for them stays valid; the latest are
 * kept prepared while somebody holds them, in two generations.
 */
import { packedDot, pairsOf, swappedOf } from './packed-dot'

const KEPT = 4 * 1024 * 1024 // bytes prepared in a generation

interface Known {
  length?: number
  pairs?: Int32Array | undefined
  swapped?: Int32Array | undefined
}

let young = new WeakMap<Int8Array, Known>()
let old: typeof young = new WeakMap()
let bytes = 0

/** For one vector with others, some of which are compared again and again. The same numbers as `nearness`. */
export function closenessTo(a: Int8Array): (b: Int8Array) => number {
  const own = knownOf(a)
  own.swapped ??= made(a, own, swappedOf(a))
  const length = lengthOf(a, own)
  const { swapped } = own
  return (b) => {
    const other = young.get(b) ?? again(b)
    if (!other) {
      keep(b, {}) // prepared only when it comes a second time: most never do
      return nearness(a, b)
    }
    other.pairs ??= made(b, other, pairsOf(b))
    if (!swapped || !other.pairs) return nearness(a, b)
    const product = length * lengthOf(b, other)
    return product > 0 ? packedDot(other.pairs, swapped) / product : 0
  }
}

export function closeness(a: Int8Array, b: Int8Array): number {
  return closenessTo(a)(b)
}

/** For a vector with many that are compared once. */
export function nearness(a: Int8Array, b: Int8Array): number {
  let dot = 0
  let square = 0
  for (let i = 0; i < a.length; i++) {
    const x = b[i] as number
    dot = (dot + Math.imul(a[i] as number, x)) | 0
    square = (square + Math.imul(x, x)) | 0
  }
  const product = lengthOf(a, knownOf(a)) * Math.sqrt(square)
  return product > 0 ? dot / product : 0
}

/** A vector's length. */
function lengthOf(vector: Int8Array, known: Known): number {
  if (known.length !== undefined) return known.length
  let square = 0
  for (let i = 0; i < vector.length; i++) square = (square + Math.imul(vector[i] as number, vector[i] as number)) | 0
  known.length = Math.sqrt(square)
  return known.length
}

function knownOf(vector: Int8Array): Known {
  return young.get(vector) ?? again(vector) ?? keep(vector, {})
}

/** A vector of the older generation that is seen again moves to the younger one. */
function again(vector: Int8Array): Known | undefined {
  const known = old.get(vector)
  if (known) counted(vector, known, (known.pairs?.byteLength ?? 0) + (known.swapped?.byteLength ?? 0))
  return known
}

function keep(vector: Int8Array, known: Known): Known {
  young.set(vector, known)
  return known
}

function made(vector: Int8Array, known: Known, ready: Int32Array | undefined): Int32Array | undefined {
  counted(vector, known, ready?.byteLength ?? 0)
  return ready
}

/** Keeps what is known, of which `more` bytes are new to the younger generation; when that is full, it becomes the older one. */
function counted(vector: Int8Array, known: Known, more: number): void {
  bytes += more
  if (bytes > KEPT) {
    old = young
    young = new WeakMap()
    bytes = more
  }
  keep(vector, known)
}
