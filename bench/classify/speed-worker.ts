/** Runs in workerd for `classify-speed.ts`: holds a graph of labels and classifies as often as asked. Its clock stands still, so the caller times. */
import { MemoryGraph } from '../../src/core/graph/memory'
import { classify, learn, putLabel } from '../../src/core/strategies/gorag/gorag'
import { type GoragIndex, goragIndex } from '../../src/core/strategies/gorag/index'
import { goragDefaults } from '../../src/core/strategies/gorag/settings'

interface Text {
  readonly text: string
  readonly vector: readonly number[]
}

let graph: MemoryGraph | undefined
let index: GoragIndex | undefined

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/labels') {
      const labels = (await request.json()) as { id: string; name: Text | null; examples: Text[] }[]
      graph = new MemoryGraph(labels[0]?.examples[0]?.vector.length ?? 0)
      index = goragIndex(graph, goragDefaults)
      for (const { id, name, examples } of labels) {
        const given = examples.map(({ text, vector }, i) => ({ id: String(i), text, vector: Int8Array.from(vector) }))
        const label = { id, description: '', ...(name ? { vector: Int8Array.from(name.vector) } : {}), examples: given }
        const patch = putLabel(graph, label, goragDefaults, index)
        graph.apply(patch)
        index = index.with(patch)
      }
      return Response.json({ keywords: graph.count('keyword'), labels: graph.count('label') })
    }
    const texts = (await request.json()) as Text[]
    let right = 0
    for (const { text, vector } of texts) {
      if (!graph || !index) throw new Error('no labels yet')
      const input = { text, vector: Int8Array.from(vector), now: 0 }
      const found = classify(graph, input, goragDefaults, index)
      if (found.label !== null) right++
      if (pathname === '/learn' && found.label !== null) {
        const decision = { ...input, label: found.label, confidence: 1, source: 'score', at: 0 }
        const result = learn(graph, decision, goragDefaults, index)
        graph.apply(result.patch)
        index = result.index
      }
    }
    return Response.json({ right })
  },
}
