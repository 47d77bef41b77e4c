import { MemoryGraph } from '../../../src/core/graph/memory'
import { graphContract, type Make } from './contract'

const make: Make = (dimensions, use) => {
  const graph = new MemoryGraph(dimensions)
  use({ graph, apply: (patch) => graph.apply(patch), lines: () => graph.lines() })
}

graphContract('the graph in memory', make, 8)
