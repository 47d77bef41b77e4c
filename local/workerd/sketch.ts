/**
 * Which rows may be near a vector, judged by the signs of its numbers alone: one bit per dimension, so a pass reads a thirty-second of the
 * bytes. The number of differing signs approximates the angle between two vectors; the caller compares the remaining rows exactly.
 */
const WORD = 32

export const wordsOf = (dimensions: number): number => Math.ceil(dimensions / WORD)

export function writeSigns(to: Uint32Array, from: number, values: Float32Array): void {
  to.fill(0, from, from + wordsOf(values.length))
  for (let i = 0; i < values.length; i++) {
    if ((values[i] as number) > 0) to[from + (i >>> 5)] = (to[from + (i >>> 5)] as number) | (1 << (i & 31))
  }
}

/** Of the first `count` rows, the admitted ones that differ in the fewest signs: `wanted` of them, and all that tie with the last. */
export function fewestDiffering(
  signs: Uint32Array,
  count: number,
  asked: Uint32Array,
  wanted: number,
  admits: (row: number) => boolean,
): number[] {
  const words = asked.length
  const differing = new Uint16Array(count)
  const rows = new Uint32Array(words * WORD + 1) // by number of differing signs
  for (let row = 0, at = 0; row < count; row++, at += words) {
    let bits = 0
    for (let word = 0; word < words; word++) bits += ones((signs[at + word] as number) ^ (asked[word] as number))
    const isIn = admits(row)
    differing[row] = isIn ? bits : words * WORD + 1
    if (isIn) rows[bits] = (rows[bits] as number) + 1
  }
  let most = 0
  for (let sum = rows[0] as number; sum < wanted && most < words * WORD; ) sum += rows[++most] as number
  const near: number[] = []
  for (let row = 0; row < count; row++) if ((differing[row] as number) <= most) near.push(row)
  return near
}

/** Bits set in a word. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
