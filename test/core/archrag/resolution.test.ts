/** Names that are one thing: joined and parted without a trace but the audit's. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { merge, mergeCandidates, operations, proposePairs, sameAs, spellingSimilarity, undo } from '../../../src/core/builders/resolution'
import { draftOf } from '../../../src/core/graph/draft'
import { MemoryGraph } from '../../../src/core/graph/memory'
import { nodeId } from '../../../src/core/ids'
import { quantize } from '../../../src/core/vectors'

const NAMES = ['barack obama', 'barack h obama', 'michelle obama', 'mercury', 'apollo 11', 'apollo 12'] as const
const idOf = (name: string): string => nodeId('entity', name)

function graphOf(): MemoryGraph {
  const graph = new MemoryGraph(4)
  graph.apply(
    NAMES.map((key) => ({
      op: 'put-node' as const,
      node: { id: idOf(key), kind: 'entity' as const, layer: 0, text: key, tokens: 2, data: { key, chunks: 1, aliases: { [key]: 1 } } },
    })),
  )
  return graph
}

const near = quantize([1, 0.1, 0, 0])
const far = quantize([0, 0, 1, 0.2])

describe('resolution', () => {
  it('[A27] names are joined only when both their spelling and their context are alike', () => {
    const graph = graphOf()
    const others = NAMES.map(idOf)
    const found = (context: (id: string) => Int8Array): string[] =>
      proposePairs(graph, idOf('barack obama'), others, context).map((pair) => (pair.a === idOf('barack obama') ? pair.b : pair.a))
    expect(found(() => near)).toEqual([idOf('barack h obama')])
    expect(found((id) => (id === idOf('barack obama') ? near : far))).toEqual([])
    expect(spellingSimilarity('apollo 11', 'apollo 12')).toBe(0)
    expect(mergeCandidates(graph, others, () => near).length).toBe(1)
  })

  it('[A38] what a caller has split no rule joins again', () => {
    const graph = graphOf()
    const [pair] = mergeCandidates(graph, NAMES.map(idOf), () => near)
    const draft = draftOf(graph)
    if (pair) merge(draft, pair)
    undo(draft, pair?.a ?? '', pair?.b ?? '', 'caller')
    graph.apply(draft.patch())
    expect(mergeCandidates(graph, NAMES.map(idOf), () => near)).toEqual([])
  })

  it('[A38] a merge and its undo leave the graph as it was, except for the audit, which lists both', () => {
    const at = fc.nat(NAMES.length - 1)
    fc.assert(
      fc.property(fc.array(fc.tuple(at, at), { maxLength: 12 }), (pairs) => {
        const graph = graphOf()
        const ids = NAMES.map(idOf)
        const done: [string, string][] = []
        for (const [i, j] of pairs) {
          const [a, b] = [ids[i] as string, ids[j] as string]
          const draft = draftOf(graph)
          if (merge(draft, { a, b, by: 'caller', spelling: 1, context: 1 })) done.push([a, b])
          graph.apply(draft.patch())
        }
        for (const [a, b] of done) expect([sameAs(graph, a).includes(b), sameAs(graph, b).includes(a)]).toEqual([true, true])
        for (const [a, b] of done) {
          const draft = draftOf(graph)
          undo(draft, a, b, 'caller')
          graph.apply(draft.patch())
        }
        for (const id of ids) expect(sameAs(graph, id)).toEqual([])
        const told = operations(graph, 0, 100)
        expect(told.map((one) => one.op)).toEqual([...done.map(() => 'merge'), ...done.map(() => 'undo')])
        expect(told.map((one) => one.n)).toEqual(told.map((_, n) => n))
      }),
      { seed: 91 },
    )
  })
})
