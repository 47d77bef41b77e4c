/** Names of the drawing that have room, and layers of which only the beginning was read; without a browser. */
import { describe, expect, it } from 'vitest'
import type { Node } from '../../src/client/client'
import { type Placed, placeLabels, type Wish } from '../../ui/src/graph/labels'
import { type Branch, countLayers, treeOf } from '../../ui/src/graph/segment-tree'

const LETTERS = 12
const WIDTH = 70
const frame = { width: 390, height: 500 }
const wish = (key: string, x: number, y: number, more: Partial<Wish> = {}): Wish => ({
  key,
  text: key,
  x,
  y,
  size: 6,
  width: WIDTH,
  rank: 0,
  ...more,
})

const overlap = (a: Placed, b: Placed): boolean => Math.abs(a.x - b.x) < WIDTH && Math.abs(a.y - b.y) < LETTERS

describe('names in a drawing', () => {
  it('[W1670] never lie over each other, however near their nodes are', () => {
    let seed = 3
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((seed / 2 ** 32) * below)
    }
    for (const many of [2, 20, 200]) {
      const wishes = Array.from({ length: many }, (_, n) => wish(`n${n}`, random(frame.width), random(frame.height)))
      const placed = placeLabels(wishes, LETTERS, frame)
      const crossed = placed.flatMap((a, i) => placed.slice(i + 1).filter((b) => overlap(a, b)))
      expect(crossed).toEqual([])
      expect(placed.length).toBeGreaterThan(0)
      for (const { x, y } of placed)
        expect([x >= 0, x + WIDTH <= frame.width, y - LETTERS >= -LETTERS, y <= frame.height]).not.toContain(false)
    }
  })

  it('[W1670] stand on the side that is free: to the right first, to the left at the edge or beside another node', () => {
    const [alone] = placeLabels([wish('a', 100, 100)], LETTERS, frame)
    expect(alone?.x).toBe(109)
    const [last] = placeLabels([wish('a', 380, 100)], LETTERS, frame)
    expect(last?.x).toBe(380 - 9 - WIDTH)
    const near = placeLabels([wish('a', 100, 100), wish('b', 125, 100)], LETTERS, frame)
    expect(near.find(({ key }) => key === 'a')?.x).toBe(100 - 9 - WIDTH)
  })

  it('[W1670] where there is no room, a neighbour of what is selected is written before a larger node', () => {
    const narrow = { width: 90, height: 20 }
    const both = [wish('large', 8, 10, { size: 9 }), wish('near', 8, 10, { rank: 1 })]
    expect(placeLabels(both, LETTERS, narrow).map(({ key }) => key)).toEqual(['near'])
    const same = [wish('small', 8, 10), wish('large', 8, 10, { size: 7 })]
    expect(placeLabels(same, LETTERS, narrow).map(({ key }) => key)).toEqual(['large'])
  })

  it('[W1670] the box of what is selected is written by itself, and keeps its room', () => {
    const placed = placeLabels([wish('other', 104, 104), wish('selected', 100, 100, { rank: 2 })], LETTERS, frame)
    expect(placed.filter(({ key }) => key === 'selected')).toEqual([])
    for (const { x, y } of placed) expect(x + WIDTH <= 94 || y <= 89 + 3 || y - LETTERS >= 108).toBe(true)
  })

  it('[W1670] a node outside of the frame has no name', () => {
    expect(placeLabels([wish('left', -80, 40), wish('below', 50, 700)], LETTERS, frame)).toEqual([])
  })
})

describe('layers that were read in part', () => {
  const segment = (id: string, layer: number, members: readonly string[], leaves?: number) =>
    ({ id, kind: 'summary', layer, text: id, tokens: 1, data: { members, ...(leaves === undefined ? {} : { leaves }) } }) as unknown as Node

  it('[W1671] a segment says how many of its parts were not read, and how many chunks all of them hold', () => {
    const root = treeOf([segment('s_top', 2, ['s_a', 's_b', 's_c'], 9), segment('s_a', 1, ['c1', 'c2'])], new Set([1]))
    const [top] = root?.children ?? []
    expect([top?.children.map(({ id }) => id), top?.unread, top?.leaves, root?.leaves]).toEqual([['s_a'], 2, 9, 9])
  })

  it('[W1671] what belongs to a part that was not read is not put below the root', () => {
    const read = [segment('s_top', 2, ['s_a']), segment('s_a', 1, ['c1']), segment('s_lost', 1, ['c2'])]
    expect(treeOf(read, new Set([2]))?.children.map(({ id }) => id)).toEqual(['s_top'])
    expect(treeOf(read)?.children.map(({ id }) => id)).toEqual(['s_top', 's_lost'])
  })

  it('[P2434] above the trees of several partitions, layers are counted though their numbers have a gap, and members are of any layer', () => {
    const above = { ...segment('s_whole', 6, ['s_top', 's_a', 's_more'], 12), partition: -1 } as Node
    const read = [above, segment('s_top', 2, ['s_b']), segment('s_a', 1, ['c1']), segment('s_b', 1, ['c2'])]
    const root = treeOf(read, new Set([1])) as Branch
    expect([countLayers(root), root.children.map(({ id, unread, leaves }) => [id, unread, leaves])]).toEqual([3, [['s_whole', 1, 12]]])
    expect(treeOf(read)?.children.map(({ unread }) => unread)).toEqual([0])
  })

  it('[W1671] of a layer that was read whole nothing is missing', () => {
    const root = treeOf([segment('s_top', 2, ['s_a', 's_gone'], 9), segment('s_a', 1, ['c1', 'c2'])])
    expect(root?.children.map(({ unread }) => unread)).toEqual([0])
  })
})
