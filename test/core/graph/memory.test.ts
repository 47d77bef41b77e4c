import { MemoryGraph } from '../../../src/core/graph/memory'
import { graphContract } from './contract'

graphContract('the graph in memory', (dimensions, use) => {
  const graph = new MemoryGraph(dimensions)
  use({ graph, apply: (patch) => graph.apply(patch), lines: () => graph.lines() })
})
