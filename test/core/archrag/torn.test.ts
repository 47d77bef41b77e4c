/** A layer held together by single links: each deletion tears it, unless what is torn is sewn up. */
import { expect, it } from 'vitest'
import { insert, remove } from '../../../src/core/algorithms/c-hnsw'
import { descend } from '../../../src/core/algorithms/c-hnsw-search'
import { random } from '../../../src/core/random'
import { quantize } from '../../../src/core/vectors'
import { type Index, index } from '../algorithms/layered'

const D = 8

function reached(one: Index): number {
  const seen = new Set([one.entry(0) ?? ''])
  for (const id of seen) for (const other of one.maps[0]?.get(id)?.links ?? []) seen.add(other)
  return sizeOf(one) === 0 ? 0 : seen.size
}

const sizeOf = (one: Index): number => one.maps[0]?.size ?? 0

it.each([1, 2])('[A6] with %d links to a new node every node is reached from the entry, whichever have gone', (links) => {
  const numbers = random(`torn ${links}`)
  const one = index()
  const shape = { links, candidates: 8 }
  for (let i = 0; i < 200; i++) insert(one, 0, `n${i}`, quantize(Array.from({ length: D }, () => numbers.normal())), shape)
  expect(reached(one)).toBe(200)
  for (const id of numbers.shuffle([...(one.maps[0]?.keys() ?? [])])) {
    remove(one, 0, id, shape)
    expect(reached(one)).toBe(sizeOf(one))
  }
})

it('[A6] vectors that are the same, or are none, are linked together and all found', () => {
  for (const vector of [new Int8Array(D), new Int8Array(D).fill(5)]) {
    const one = index()
    const shape = { links: 4, candidates: 16 }
    for (let i = 0; i < 120; i++) insert(one, 0, `n${i}`, vector, shape)
    for (let i = 0; i < 120; i += 3) remove(one, 0, `n${i}`, shape)
    expect([reached(one), sizeOf(one)]).toEqual([80, 80])
    expect(descend(one, vector, 0, 80)).toHaveLength(80)
  }
})
