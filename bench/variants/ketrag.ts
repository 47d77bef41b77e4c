/** Baselines of KET-RAG's paper that no corpus should run: KNNG-RAG, which shows beside each passage found by vector those of the chunks its chunk is tied to. */
import { allChunks, neighboursOf } from '../../src/core/builders/skeleton'
import { byScore } from '../../src/core/channels/order'
import type { GraphReader } from '../../src/core/graph/reader'
import type { Vector } from '../../src/core/graph/types'
import { chunkOf } from '../../src/core/ids'
import { vector } from '../../src/core/strategies/baselines/vector'
import type { Found, Strategy } from '../../src/core/strategy'
import { cosine } from '../../src/core/vectors'

const graphs = new WeakMap<GraphReader, Map<number, ReadonlyMap<string, readonly string[]>>>()

/** "KET-RAG reduces to Text-RAG when retrieving only the seed nodes and to KNNG-RAG when also including their neighbors" (§6.1). */
export function knngRag(knn = 2): Strategy {
  return {
    ...vector,
    name: 'knng',
    retrieve(graph, query, scores, options, settings) {
      const seeds = vector.retrieve(graph, query, scores, options, settings)
      if (seeds.kind !== 'evidence' || !query.vector) return seeds
      const ties = tiesIn(graph, knn)
      const question = query.vector
      const found = new Map<string, Found>()
      for (const seed of seeds.found) {
        found.set(seed.id, found.get(seed.id) ?? seed)
        const near = (ties.get(chunkOf(seed.id)) ?? []).flatMap((chunk) => passagesOf(graph, chunk, question))
        for (const hit of near.sort(byScore)) found.set(hit.id, found.get(hit.id) ?? { ...hit, score: seed.score, via: 'neighbour' })
      }
      return { kind: 'evidence', found: [...found.values()] }
    },
  }
}

function tiesIn(graph: GraphReader, knn: number): ReadonlyMap<string, readonly string[]> {
  const known = graphs.get(graph) ?? new Map<number, ReadonlyMap<string, readonly string[]>>()
  graphs.set(graph, known)
  const ids = known.has(knn) ? [] : allChunks(graph)
  const made = known.get(knn) ?? new Map(neighboursOf(graph, ids, knn).map((list, i) => [ids[i] ?? '', list.map((at) => ids[at] ?? '')]))
  known.set(knn, made)
  return made
}

function passagesOf(graph: GraphReader, chunk: string, question: Vector): { id: string; score: number }[] {
  return (graph.chunk(chunk)?.passages ?? []).map(({ id }) => ({ id, score: cosine(question, graph.vector(id) ?? []) }))
}
