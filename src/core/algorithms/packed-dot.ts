/**
 * The dot product of int8 vectors, two components at a multiplication: exact, and twice as fast as one by one. With x = a₀ + a₁·2¹⁶ and
 * y = b₁ + b₀·2¹⁶ the upper half of the 32-bit product x·y is a₀b₀ + a₁b₁, once half is added for the sign of the lower, a₀b₁.
 */

/** A vector made ready to be compared often. Takes four times its bytes. */
export interface Ready {
  readonly length: number
  readonly pairs: Int32Array
  /** The same with the components of each pair changed over. */
  readonly swapped: Int32Array
}

/** Components from −127 to 127, as `quantize` makes them; others are refused, since two products of −128 would not fit. */
export function ready(vector: Int8Array): Ready | undefined {
  const half = (vector.length + 1) >> 1
  const pairs = new Int32Array(half)
  const swapped = new Int32Array(half)
  let square = 0
  for (let i = 0; i < half; i++) {
    const a = vector[2 * i] as number
    const b = 2 * i + 1 < vector.length ? (vector[2 * i + 1] as number) : 0
    if (a === -128 || b === -128) return undefined
    square += a * a + b * b
    pairs[i] = (a + (b << 16)) | 0
    swapped[i] = (b + (a << 16)) | 0
  }
  return { length: Math.sqrt(square), pairs, swapped }
}

export function packedDot({ pairs }: Ready, { swapped }: Ready): number {
  let sum = 0
  for (let i = 0; i < pairs.length; i++) sum = (sum + ((Math.imul(pairs[i] as number, swapped[i] as number) + 0x8000) >> 16)) | 0
  return sum
}
