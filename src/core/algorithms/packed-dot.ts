/**
 * The dot product of int8 vectors, two components per multiplication: exact, and twice as fast as one by one. With x = a₀ + a₁·2¹⁶ and y = b₁ +
 * b₀·2¹⁶ the upper half of the 32-bit product x·y is a₀b₀ + a₁b₁, after half is added for the sign of the lower half, a₀b₁.
 */

/** Two components in each number, the first in the lower half; undefined if one is −128, since two products with it would not fit. */
export function pairsOf(vector: Int8Array, out = new Int32Array((vector.length + 1) >> 1)): Int32Array | undefined {
  return filled(vector, out, 0)
}

/** The same with the components of each pair swapped. */
export function swappedOf(vector: Int8Array, out = new Int32Array((vector.length + 1) >> 1)): Int32Array | undefined {
  return filled(vector, out, 1)
}

/** The product of one vector's pairs with another's swapped ones. */
export function packedDot(pairs: Int32Array, swapped: Int32Array): number {
  let sum = 0
  for (let i = 0; i < pairs.length; i++) sum = (sum + ((Math.imul(pairs[i] as number, swapped[i] as number) + 0x8000) >> 16)) | 0
  return sum
}

/** The products of one vector's pairs with the swapped ones of four others: twice as fast as one by one. */
export function packedDots(pairs: Int32Array, a: Int32Array, b: Int32Array, c: Int32Array, d: Int32Array, out: Int32Array): void {
  let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0]
  for (let i = 0; i < pairs.length; i++) {
    const pair = pairs[i] as number
    sumA = (sumA + ((Math.imul(pair, a[i] as number) + 0x8000) >> 16)) | 0
    sumB = (sumB + ((Math.imul(pair, b[i] as number) + 0x8000) >> 16)) | 0
    sumC = (sumC + ((Math.imul(pair, c[i] as number) + 0x8000) >> 16)) | 0
    sumD = (sumD + ((Math.imul(pair, d[i] as number) + 0x8000) >> 16)) | 0
  }
  out[0] = sumA
  out[1] = sumB
  out[2] = sumC
  out[3] = sumD
}

/** Writes a vector's pairs and returns the square of its length; undefined if a component is −128, and the pairs are then arbitrary. */
export function packInto(vector: Int8Array, pairs: Int32Array): number | undefined {
  let square = 0
  for (let i = 0; i < pairs.length; i++) {
    const a = vector[2 * i] as number
    const b = 2 * i + 1 < vector.length ? (vector[2 * i + 1] as number) : 0
    if (a === -128 || b === -128) return undefined
    square = (square + Math.imul(a, a) + Math.imul(b, b)) | 0
    pairs[i] = (a + (b << 16)) | 0
  }
  return square
}

function filled(vector: Int8Array, out: Int32Array, lower: 0 | 1): Int32Array | undefined {
  for (let i = 0; i < out.length; i++) {
    const a = vector[2 * i] as number
    const b = 2 * i + 1 < vector.length ? (vector[2 * i + 1] as number) : 0
    if (a === -128 || b === -128) return undefined
    out[i] = lower === 0 ? (a + (b << 16)) | 0 : (b + (a << 16)) | 0
  }
  return out
}
