import { expect, test } from 'vitest'
import { closeness, nearness } from '../../../src/core/algorithms/nearness'
import { packedDot, ready } from '../../../src/core/algorithms/packed-dot'
import { random } from '../../../src/core/random'
import { cosine, dot } from '../../../src/core/vectors'

const dice = random('nearness')
const drawn = (length: number, most: number): Int8Array => Int8Array.from({ length }, () => dice.below(2 * most + 1) - most)

test('[A50] two vectors compared the quick way are as near as the plain way says, to the last bit', () => {
  for (const length of [1, 2, 7, 64, 511, 512, 1024]) {
    const extreme = [new Int8Array(length).fill(127), new Int8Array(length).fill(-127), new Int8Array(length)]
    const alternating = Int8Array.from({ length }, (_, i) => (i % 2 === 0 ? 127 : -127))
    const all = [...extreme, alternating, drawn(length, 127), drawn(length, 20), drawn(length, 1)]
    for (const a of all) {
      for (const b of all) {
        const [x, y] = [ready(a), ready(b)]
        expect(x && y && packedDot(x, y)).toBe(dot(a, b))
        expect(closeness(a, b)).toBe(cosine(a, b))
        expect(nearness(a, b)).toBe(cosine(a, b))
      }
    }
  }
})

test('[A50] a component of −128, which two at a time have no room for, is compared one by one', () => {
  const lowest = new Int8Array(64).fill(-128)
  expect(ready(lowest)).toBeUndefined()
  expect(closeness(lowest, lowest)).toBe(1)
  expect(closeness(lowest, new Int8Array(64).fill(1))).toBe(-1)
})

test('[A50] so it is when far more vectors are compared than are kept ready', () => {
  const many = Array.from({ length: 5000 }, () => drawn(8, 127))
  const first = many.slice(0, 20)
  for (const a of first) for (const b of many) expect(closeness(a, b)).toBe(cosine(a, b))
})
