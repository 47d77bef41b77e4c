import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { MemoryGraph } from '../../../src/core/graph/memory'
import { nodeId } from '../../../src/core/ids'
import { graphContract, type Make } from './contract'

const make: Make = (dimensions, use) => {
  const graph = new MemoryGraph(dimensions)
  use({ graph, apply: (patch) => graph.apply(patch), lines: () => graph.lines() })
}

graphContract('the graph in memory', make, 8)

it('[E250] an id is 128 bits of SHA-256 over its parts and their lengths, whatever their letters', () => {
  const lists = [[], [''], ['', ''], ['a', 'b'], ['ab'], ['Zoë', 7, -1.5], ['\ud83d', '\ude00'], ['日本', 'x'.repeat(9000)], ['1:a', '2:']]
  for (const parts of lists) {
    const hash = createHash('sha256')
    for (const part of parts) hash.update(`${Buffer.byteLength(String(part))}:`).update(String(part))
    expect(nodeId('entity', ...parts)).toBe(`e_${hash.digest().subarray(0, 16).toString('base64url')}`)
  }
})
