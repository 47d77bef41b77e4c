import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draftOf } from '../../../src/core/graph/draft'
import { stateHash } from '../../../src/core/graph/fingerprint'
import { MemoryGraph } from '../../../src/core/graph/memory'
import { compareText, OrderedMap } from '../../../src/core/graph/ordered-map'
import { random } from '../../../src/core/random'
import { chunkFrom, DIMENSIONS, patchFrom } from './worlds'
import { write } from './writing'

describe('compareText', () => {
  it('[G1] orders as UTF-8 bytes do', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 4 })
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
      { seed: 1, numRuns: 2000 },
    )
    expect(compareText('\u{1f600}', '\uff5e')).toBeGreaterThan(0)
  })
})

describe('an ordered map', () => {
  it('reads like a sorted list of its entries, from any key in both directions', () => {
    const dice = random(4)
    const map = new OrderedMap<number>()
    const plain = new Map<string, number>()
    for (let step = 0; step < 5000; step++) {
      const key = dice.below(1500).toString(36)
      if (dice.below(3) === 0) expect(map.delete(key)).toBe(plain.delete(key))
      else {
        map.set(key, step)
        plain.set(key, step)
      }
    }
    const sorted = [...plain].sort(([a], [b]) => compareText(a, b))
    expect([...map]).toEqual(sorted)
    expect([...map.down()]).toEqual([...sorted].reverse())
    for (const key of ['', '0', 'a', 'ab', 'zz', sorted[7]?.[0] ?? '']) {
      expect([...map.from(key)]).toEqual(sorted.filter(([one]) => compareText(one, key) >= 0))
      expect([...map.down(key)]).toEqual(sorted.filter(([one]) => compareText(one, key) <= 0).reverse())
    }
  })
})

describe('a draft', () => {
  it('[G8] gives the same patch whatever the order of writing', () => {
    const dice = random('order')
    const net = draftOf(new MemoryGraph(DIMENSIONS))
    write(net, patchFrom(dice, [chunkFrom(dice)], 300))
    const patch = net.patch()
    const again = draftOf(new MemoryGraph(DIMENSIONS))
    write(again, dice.shuffle(patch))
    expect(patch.length).toBeGreaterThan(30)
    expect(again.patch()).toEqual(patch)
  })
})

describe('the graph in memory', () => {
  it('refuses a node whose id names another kind', () => {
    const graph = new MemoryGraph(DIMENSIONS)
    const node = { id: 'k_x', kind: 'entity' as const, layer: 0, text: '', tokens: 0, data: {} }
    expect(() => graph.apply([{ op: 'put-node', node }])).toThrow('k_x')
  })
})

describe('stateHash', () => {
  it('[G10] does not depend on the order of lines, but on each of them and on how often', () => {
    const lines = ['a', 'b', 'c', 'c']
    expect(stateHash(random(1).shuffle(lines))).toBe(stateHash(lines))
    expect(new Set([['a', 'b', 'c'], lines, ['a', 'b', 'cc'], []].map((one) => stateHash(one))).size).toBe(4)
  })
})
