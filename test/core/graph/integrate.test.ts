import { describe, expect, it } from 'vitest'
import { integrate } from '../../../src/core/graph/integrate'
import { MemoryGraph } from '../../../src/core/graph/memory'
import { random } from '../../../src/core/random'
import { chunkFrom, DIMENSIONS, documentFrom } from './worlds'

const dice = random('integrate')
const [a, b, c] = [chunkFrom(dice), chunkFrom(dice), chunkFrom(dice)]

/** A document of these chunks. */
function version(id: string, ...chunks: readonly (typeof a)[]) {
  const document = documentFrom(
    dice,
    id,
    chunks.map((one) => one.chunk),
  )
  return { document, chunks }
}

function graphOf(...upserts: readonly ReturnType<typeof version>[]): MemoryGraph {
  const graph = new MemoryGraph(DIMENSIONS)
  graph.apply(integrate(graph, { upserts, deletes: [] }).patch)
  return graph
}

const ids = (chunks: readonly { readonly id: string }[]): string[] => chunks.map((one) => one.id).sort()

describe('integrate', () => {
  it('[G6] neither adds nor removes what two versions of a document share', () => {
    const graph = graphOf(version('d', a, b))
    const { patch, delta } = integrate(graph, { upserts: [version('d', b, c)], deletes: [] })
    expect([ids(delta.added), ids(delta.removed.map((one) => one.chunk))]).toEqual([[c.chunk.id], [a.chunk.id]])
    expect(patch.map((change) => change.op)).toEqual(['drop-chunk', 'put-chunk', 'put-document'])
  })

  it('[G6] gives the removed chunks with their vectors', () => {
    const { delta } = integrate(graphOf(version('d', a, b, c)), { upserts: [], deletes: ['d'] })
    const removed = new Map(delta.removed.map((one) => [one.chunk.id, one]))
    for (const one of [a, b, c]) expect(removed.get(one.chunk.id)).toEqual(one)
  })

  it('[G6] keeps a chunk until its last document goes, also when it moves to another in the same call', () => {
    const graph = graphOf(version('d', a), version('e', a))
    expect(integrate(graph, { upserts: [], deletes: ['d'] }).delta.removed).toEqual([])
    expect(integrate(graph, { upserts: [version('f', a)], deletes: ['d', 'e'] }).delta).toMatchObject({ added: [], removed: [] })
    expect(integrate(graph, { upserts: [], deletes: ['d', 'e'] }).delta.removed).toHaveLength(1)
  })

  it('changes nothing for a document that is here already, or for the deletion of one that is not', () => {
    const same = version('d', a, b)
    const { patch, delta } = integrate(graphOf(same), { upserts: [same], deletes: ['nobody'] })
    expect([patch, delta]).toEqual([[], { added: [], removed: [], documents: { added: [], removed: [] } }])
  })

  it('names the chunk that is placed but not given', () => {
    const { document } = version('d', a)
    const graph = new MemoryGraph(DIMENSIONS)
    expect(() => integrate(graph, { upserts: [{ document, chunks: [] }], deletes: [] })).toThrow(a.chunk.id)
    const unembedded = { chunk: a.chunk, vectors: { passages: [], units: [] } }
    expect(() => integrate(graph, { upserts: [{ document, chunks: [unembedded] }], deletes: [] })).toThrow(a.chunk.id)
  })
})
