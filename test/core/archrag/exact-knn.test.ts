import { expect, test } from 'vitest'
import { random } from '../../../src/core/random'
import { type ExactKnn, exactKnn } from '../../../src/core/strategies/archrag/exact-knn'
import { accumulate, cosine, quantize } from '../../../src/core/vectors'

const dice = random('crowd')
const direction = (near?: Int8Array): Int8Array =>
  quantize(Array.from({ length: 64 }, (_, i) => (near ? (near[i] as number) / 20 : 0) + dice.normal()))

function sumOf(vectors: readonly Int8Array[]): Int32Array {
  const sum = new Int32Array(64)
  for (const vector of vectors) accumulate(sum, vector)
  return sum
}

/** Alike and unlike ones, zeros, and ones that are the same but for their id. */
function world(summed: boolean): Map<string, ArrayLike<number>> {
  const centres = Array.from({ length: 8 }, () => direction())
  const made = Array.from({ length: 200 }, (_, i) => {
    const near = centres[i % 12]
    return summed ? sumOf(Array.from({ length: 1 + dice.below(15) }, () => direction(near))) : direction(near)
  })
  const zero = summed ? new Int32Array(64) : new Int8Array(64)
  return new Map([...made, zero, ...made.slice(0, 20)].map((vector, i) => [`e${i}`, vector]))
}

test('[A50] the nearest of a layer are those that comparing each with all finds, to the last bit', () => {
  for (const summed of [false, true]) {
    const all = world(summed)
    const vectorOf = (id: string): ArrayLike<number> => all.get(id) ?? []
    const neighbours = exactKnn([...all.keys()], vectorOf)
    for (const id of all.keys()) {
      const scored = [...all.keys()].map((other) => ({ id: other, score: cosine(vectorOf(id), vectorOf(other)) }))
      const ordered = scored.filter((one) => one.id !== id).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      for (const floor of [0, 0.3, 0.9]) {
        for (const count of [1, 5, 300]) {
          const found = ordered.filter((one) => one.score > floor).slice(0, count)
          expect(neighbours.nearest(id, count, floor)).toEqual(found)
          expect(every(neighbours, count, floor).get(id)).toEqual(found)
          expect(neighbours.several([id, 'e0', 'e200'], count, floor).get(id)).toEqual(found)
        }
      }
    }
  }
})

/** Of all at once, made once. */
const made = new WeakMap<ExactKnn, Map<string, ReturnType<ExactKnn['every']>>>()
function every(neighbours: ExactKnn, count: number, floor: number): ReturnType<ExactKnn['every']> {
  const of = made.get(neighbours) ?? new Map<string, ReturnType<ExactKnn['every']>>()
  made.set(neighbours, of)
  const found = of.get(`${count} ${floor}`) ?? neighbours.every(count, floor)
  of.set(`${count} ${floor}`, found)
  return found
}

test('[A50] most of them are passed over by their codes', () => {
  const all = world(true)
  let compared = 0
  const neighbours = exactKnn([...all.keys()], (id) => {
    compared++
    return all.get(id) ?? []
  })
  compared = 0
  for (const id of all.keys()) neighbours.nearest(id, 9, 0.6)
  expect(compared).toBeLessThan((all.size * all.size) / 4)
})
