import { expect, test } from 'vitest'
import { closeness, nearness } from '../../../src/core/algorithms/nearness'
import { packedDot, packedDots, packInto, pairsOf, swappedOf } from '../../../src/core/algorithms/packed-dot'
import { random } from '../../../src/core/random'
import { cosine, dot } from '../../../src/core/vectors'

const dice = random('nearness')
const drawn = (length: number, max: number): Int8Array => Int8Array.from({ length }, () => dice.below(2 * max + 1) - max)

test('[A50] two vectors compared the quick way are as near as the plain way says, to the last bit', () => {
  for (const length of [1, 2, 7, 64, 511, 512, 1024]) {
    const extreme = [new Int8Array(length).fill(127), new Int8Array(length).fill(-127), new Int8Array(length)]
    const alternating = Int8Array.from({ length }, (_, i) => (i % 2 === 0 ? 127 : -127))
    const all = [...extreme, alternating, drawn(length, 127), drawn(length, 20), drawn(length, 1)]
    for (const a of all) {
      for (const b of all) {
        const [x, y] = [pairsOf(a), swappedOf(b)]
        expect(x && y && packedDot(x, y)).toBe(dot(a, b))
        for (let time = 0; time < 3; time++) expect(closeness(a, b)).toBe(cosine(a, b))
        expect(nearness(a, b)).toBe(cosine(a, b))
      }
    }
  }
})

test('[A50] four at once are the same products as one by one, and so is the square that comes with the pairs', () => {
  for (const length of [1, 7, 64, 511, 1024]) {
    const extreme = [new Int8Array(length).fill(127), new Int8Array(length).fill(-127)]
    const four = [...extreme, drawn(length, 127), drawn(length, 3)]
    const [a, b, c, d] = four.map((one) => swappedOf(one) ?? new Int32Array(0)) as [Int32Array, Int32Array, Int32Array, Int32Array]
    for (const own of [...extreme, drawn(length, 127)]) {
      const pairs = new Int32Array((length + 1) >> 1).fill(99)
      expect(packInto(own, pairs)).toBe(dot(own, own))
      const out = new Int32Array(4)
      packedDots(pairs, a, b, c, d, out)
      expect([...out]).toEqual(four.map((one) => dot(own, one)))
    }
  }
})

test('[A50] a component of −128, which two at a time have no room for, is compared one by one', () => {
  const lowest = new Int8Array(64).fill(-128)
  expect(pairsOf(lowest)).toBeUndefined()
  expect(packInto(lowest, new Int32Array(32))).toBeUndefined()
  for (let time = 0; time < 3; time++) expect(closeness(lowest, lowest)).toBe(1)
  expect(closeness(lowest, new Int8Array(64).fill(1))).toBe(-1)
})

test('[A50] so it is when far more vectors are compared than are kept ready', () => {
  const many = Array.from({ length: 140 }, () => drawn(65_536, 127)) // 128 kB each when ready
  const [a = drawn(8, 1)] = many
  for (let time = 0; time < 2; time++) for (const b of many) expect(closeness(a, b)).toBe(cosine(a, b))
})
