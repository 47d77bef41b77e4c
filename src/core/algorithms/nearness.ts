/**
 * Cosine of int8 vectors, 0 where one of them is zero. Vectors are never written into, so what was made ready of them stands; the latest few
 * thousand are kept ready while somebody holds them.
 */
import { packedDot, type Ready, ready } from './packed-dot'

const KEPT = 2048 // vectors in each of two generations: at 512 dimensions some 8 MB together

let young = new WeakMap<Int8Array, Ready | 'odd'>()
let old: typeof young = new WeakMap()
let made = 0

/** Of two vectors that are compared again and again. The same number as `nearness`. */
export function closeness(a: Int8Array, b: Int8Array): number {
  const x = readied(a)
  const y = readied(b)
  if (x === 'odd' || y === 'odd') return nearness(a, b)
  const product = x.length * y.length
  return product > 0 ? packedDot(x, y) / product : 0
}

/** Of a vector with many that are compared once. */
export function nearness(a: Int8Array, b: Int8Array): number {
  let dot = 0
  let square = 0
  for (let i = 0; i < a.length; i++) {
    const x = b[i] as number
    dot += (a[i] as number) * x
    square += x * x
  }
  const product = lengthOf(a) * Math.sqrt(square)
  return product > 0 ? dot / product : 0
}

function lengthOf(a: Int8Array): number {
  const known = readied(a)
  return known === 'odd' ? Math.sqrt(a.reduce((sum, x) => sum + x * x, 0)) : known.length
}

function readied(vector: Int8Array): Ready | 'odd' {
  const known = young.get(vector)
  if (known) return known
  const kept = old.get(vector) ?? ready(vector) ?? 'odd'
  if (++made > KEPT) {
    old = young
    young = new WeakMap()
    made = 1
  }
  young.set(vector, kept)
  return kept
}
