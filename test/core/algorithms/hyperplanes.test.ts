/** Hyperplane codes: chance, sums, Gray order and fitted planes. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { principalHyperplanes } from '../../../bench/variants/principal-hyperplanes'
import { grayPlace, hammingBetween } from '../../../src/core/algorithms/gray-code'
import { randomHyperplanes, sides } from '../../../src/core/algorithms/hyperplanes'
import { random } from '../../../src/core/random'
import { accumulate, quantize } from '../../../src/core/vectors'

const D = 32
const numbers = random('vectors')
const some = (n: number): Int8Array[] => Array.from({ length: n }, () => quantize(Array.from({ length: D }, () => numbers.normal())))

it('[E6] the same seed gives the same planes, another seed others', () => {
  expect(randomHyperplanes(224, 64, D)).toEqual(randomHyperplanes(224, 64, D))
  expect(randomHyperplanes(225, 64, D).normals).not.toEqual(randomHyperplanes(224, 64, D).normals)
})

it('[E6] two vectors share a bit with probability one minus their angle over π', () => {
  const planes = randomHyperplanes(1, 2000, D)
  const a = Array.from({ length: D }, (_, i) => (i === 0 ? 100 : 0))
  const b = Array.from({ length: D }, (_, i) => (i === 0 ? 50 : i === 1 ? 87 : 0)) // 60 degrees away
  const [of, other] = [sides(planes, a), sides(planes, b)]
  const shared = of.filter((bit, i) => bit === other[i]).length / 2000
  expect(Math.abs(shared - 2 / 3)).toBeLessThan(0.03) // three standard errors
})

it.each(['random', 'fitted'])('[E6] what all members agree on, their sum agrees with (%s planes)', (kind) => {
  const start = randomHyperplanes(3, 64, D)
  const planes = kind === 'random' ? start : principalHyperplanes(some(64), start)
  for (let round = 0; round < 200; round++) {
    const members = some(2)
    const sum = new Int32Array(D)
    for (const member of members) accumulate(sum, member)
    const codes = members.map((member) => sides(planes, member))
    const code = sides(planes, sum, members.length)
    for (let bit = 0; bit < 64; bit++) if (codes[0]?.[bit] === codes[1]?.[bit]) expect(code[bit]).toBe(codes[0]?.[bit])
  }
})

it('[E6] fitted planes halve their sample better than random ones, and a sample without directions keeps the planes given', () => {
  const leaning = some(128).map((vector) => quantize([...vector].map((one, i) => one + (i < 4 ? 200 : 0))))
  const start = randomHyperplanes(3, 16, D)
  const lean = (planes: typeof start): number => {
    const codes = leaning.map((vector) => sides(planes, vector))
    const shares = Array.from({ length: 16 }, (_, bit) => codes.filter((code) => code[bit]).length / codes.length)
    return Math.max(...shares.map((share) => Math.abs(share - 0.5)))
  }
  expect(lean(principalHyperplanes(leaning, start))).toBeLessThan(0.2)
  expect(lean(start)).toBeGreaterThan(0.4)
  expect(principalHyperplanes([leaning[0] as Int8Array], start).normals).toEqual(start.normals)
})

it('[E6] codes in Gray order differ in one bit from one to the next', () => {
  const codes = Array.from({ length: 256 }, (_, n) => Array.from({ length: 8 }, (_, i) => (n >> (7 - i)) & 1))
  const sorted = codes.map((bits) => ({ bits, place: grayPlace(bits) })).sort((a, b) => (a.place < b.place ? -1 : 1))
  for (const [i, { bits }] of sorted.entries()) {
    const next = sorted[i + 1]
    if (next) expect(bits.filter((bit, at) => bit !== next.bits[at]).length).toBe(1)
  }
})

it('[E40] the Hamming distance of two codes is read from their places', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1), fc.nat(1)), { minLength: 8, maxLength: 8 }), (pairs) => {
      const [a, b] = [pairs.map(([one]) => one), pairs.map(([, one]) => one)]
      expect(hammingBetween(grayPlace(a), grayPlace(b))).toBe(pairs.filter(([one, other]) => one !== other).length)
    }),
    { seed: 5 },
  )
})
