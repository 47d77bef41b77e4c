/**
 * Gray codes (Gray 1953): a list of all codes in which neighbours differ in one bit. Sorting codes by their place in that list keeps similar codes
 * together better than sorting them as numbers, where 0111 stands beside 1000; and codes with a common beginning stay together.
 */

const NIBBLE = 4 // bits of a hexadecimal digit
const ONES = Array.from({ length: 16 }, (_, nibble) => [1, 2, 4, 8].filter((bit) => nibble & bit).length)

/** The place of a code in the Gray sequence, as fixed-length hexadecimal. `bits` start with the highest; their number is a multiple of four. */
export function grayPlace(bits: ArrayLike<number>): string {
  let out = ''
  let carried = 0
  let digit = 0
  for (let i = 0; i < bits.length; i++) {
    carried ^= bits[i] as number
    digit = digit * 2 + carried
    if (i % NIBBLE < NIBBLE - 1) continue
    out += digit.toString(16)
    digit = 0
  }
  return out
}

/** In how many bits the codes at two places differ. Both places are of the same length. */
export function hammingBetween(a: string, b: string): number {
  let differing = 0
  let carried = 0 // a code's bit is its place's bit plus the one before it, without carry
  for (let i = 0; i < a.length; i++) {
    const place = Number.parseInt(a[i] as string, 16) ^ Number.parseInt(b[i] as string, 16)
    differing += ONES[place ^ (place >> 1) ^ (carried << (NIBBLE - 1))] as number
    carried = place & 1
  }
  return differing
}
