/** What every implementation of the graph must do. Runs in Node on the graph in memory and in workerd on the object's SQLite. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draftOf } from '../../../src/core/graph/draft'
import { stateHash } from '../../../src/core/graph/fingerprint'
import { integrate } from '../../../src/core/graph/integrate'
import { memberEdges } from '../../../src/core/graph/members'
import { endsOf, neighboursOf } from '../../../src/core/graph/neighbours'
import { type GraphReader, NEIGHBOURS } from '../../../src/core/graph/reader'
import { type DocumentRecord, EDGE_ENDS, type Patch } from '../../../src/core/graph/types'
import { chunkOf, nodeId, ordinalOf } from '../../../src/core/ids'
import { random } from '../../../src/core/random'
import { NaiveGraph } from './naive'
import { observe } from './observe'
import { chunkFrom, DIMENSIONS, documentFrom, documentIds, edgeKinds, keys, nodes, patchFrom, spaces } from './worlds'
import { undoing, write } from './writing'

/** A graph under test, and the two things done to it besides reading. */
export interface Subject {
  readonly graph: GraphReader
  apply(patch: Patch): void
  lines(): Iterable<string>
}

/** Gives a new empty graph to `use`. */
export type Make = (dimensions: number, use: (subject: Subject) => void) => void | Promise<void>

const PATIENCE = 60_000 // milliseconds: these tests compute, and machines are shared

const walkable = (['source', 'target'] as const).flatMap((end) =>
  edgeKinds.filter((kind) => EDGE_ENDS[kind] === 'both' || EDGE_ENDS[kind] === end).map((kind) => ({ kind, end })),
)
const some = (dice: ReturnType<typeof random>): { readonly enough?: number } => {
  const enough = dice.below(5)
  return enough > 0 ? { enough } : {}
}

/** `runs` is how many random worlds each property is tried on. */
export function graphContract(name: string, make: Make, runs: number): void {
  const worlds = async (use: (subject: Subject, seed: number) => void): Promise<void> => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        await make(DIMENSIONS, (subject) => use(subject, seed))
      }),
      { seed: 2026, numRuns: runs },
    )
  }

  describe(name, () => {
    it(
      '[G1] answers like the plainest graph after any changes, in any script',
      async () => {
        await worlds((subject, seed) => {
          const dice = random(seed)
          const chunks = Array.from({ length: 6 }, () => chunkFrom(dice))
          const naive = new NaiveGraph(DIMENSIONS)
          for (let round = 0; round < 6; round++) {
            const patch = patchFrom(dice, chunks, 1 + dice.below(60))
            subject.apply(patch)
            naive.apply(patch)
            const known = chunks.map((one) => one.chunk)
            expect(observe(subject.graph, known)).toEqual(observe(naive, known))
            expect(subject.graph.version).toBe(naive.version)
          }
        })
      },
      PATIENCE,
    )

    it(
      '[G260] answers the same where it was told what will be read, before and after any change',
      async () => {
        await worlds((subject, seed) => {
          const dice = random(seed)
          const chunks = Array.from({ length: 4 }, () => chunkFrom(dice))
          const naive = new NaiveGraph(DIMENSIONS)
          const ids = [...nodes.map((node) => node.id), ...documentIds, 'e_nobody']
          const keyRanges = keys.flatMap((from) => keys.map((to): [string, string] => [from, to]))
          const edges = edgeKinds.flatMap((kind) => ids.flatMap((source) => ids.map((target) => ({ kind, source, target }))))
          for (let round = 0; round < 4; round++) {
            subject.graph.preload?.({ nodes: ids, edges, values: spaces.map((space) => ({ space, keys })) })
            subject.graph.preload?.({ placements: chunks.map((one) => one.chunk.id) })
            subject.graph.preload?.({ documents: ids, chunks: [...chunks.map((one) => one.chunk.id), 'c_nobody'] })
            const [passages, units] = [chunks.map((one) => one.chunk.id), ['c_nobody', ...chunks.map((one) => one.chunk.id)]]
            subject.graph.preload?.({ vectors: { passages, units }, incident: walkable.map((one) => ({ ...one, ids, ...some(dice) })) })
            for (const space of spaces) subject.graph.preload?.({ places: { space, ranges: keyRanges, limit: 2 } })
            const patch = patchFrom(dice, chunks, 1 + dice.below(40))
            if (round > 0) subject.apply(patch)
            if (round > 0) naive.apply(patch)
            for (const { kind, source, target } of edges) {
              if (subject.graph.edge(kind, source, target) === undefined) expect(naive.edge(kind, source, target)).toBeUndefined()
            }
            const known = chunks.map((one) => one.chunk)
            expect(observe(subject.graph, known)).toEqual(observe(naive, known))
            for (const space of spaces) {
              for (const [from, to] of keyRanges)
                expect(subject.graph.order(space, { from, to, limit: 2 })).toEqual(naive.order(space, { from, to, limit: 2 }))
              const all = naive.values(space, '', Number.POSITIVE_INFINITY)
              expect(subject.graph.keptValues?.(space) ?? all).toEqual(all)
            }
          }
        })
      },
      PATIENCE,
    )

    it('[G260] told that the edges at many ends will be read, it reads the heaviest of very many, and counts no further than was asked', async () => {
      await make(DIMENSIONS, ({ graph, apply }) => {
        const put = (source: string, n: number) =>
          ({ op: 'put-edge', edge: { kind: 'relates', source, target: `e_${n}`, weight: 1 + (n % 7) } }) as const
        apply([...Array.from({ length: 300 }, (_, n) => put('e_hub', n)), ...Array.from({ length: 20 }, (_, n) => put('e_some', n))])
        const ids = ['e_hub', 'e_some', 'e_3', 'e_nobody']
        const looked = () =>
          ids.map((id) => [Math.min(5, graph.degreeTo('relates', id, 5)), graph.edges('relates', id, 9), graph.degreeTo('relates', id)])
        const plain = looked()
        expect(plain.map(([few, , all]) => [few, all])).toEqual([[5, 300], [5, 20], [2, 2], [0, 0]]) // biome-ignore format: a table
        for (const enough of [5, 16, 17, 300]) {
          apply([put('e_hub', 300), put('e_some', 20)]) // forgets both
          const changed = looked()
          apply(
            [put('e_hub', 300), put('e_some', 20)].map(({ edge }) => ({ op: 'put-edge', edge: { ...edge, weight: 9 + enough } }) as const),
          )
          graph.preload?.({ incident: [{ kind: 'relates', end: 'source', ids, enough }] })
          expect(looked().map(([few, , all]) => [few, all])).toEqual(changed.map(([few, , all]) => [few, all]))
          expect(graph.edges('relates', 'e_hub', 1)[0]?.weight).toBe(9 + enough)
        }
      })
    })

    it('[A1651] neighbours are the other ends of the edges, the heaviest of many, also of changes that are not in the graph yet', async () => {
      await make(DIMENSIONS, ({ graph, apply }) => {
        const edge = (n: number, weight: number) =>
          ({ kind: 'relates', source: 'e_hub', target: `e_${String(n).padStart(3, '0')}`, weight, data: 'carried' }) as const
        apply(Array.from({ length: 300 }, (_, n) => ({ op: 'put-edge', edge: edge(n, 1 + (n % 7)) })))
        const asked = ['e_007', 'e_hub', 'e_nobody', 'e_hub']
        const ends = (reader: GraphReader) => asked.map((id) => endsOf(reader.edges('relates', id, NEIGHBOURS), id))
        const [, hub] = neighboursOf(graph, 'relates', asked)
        expect(hub?.ids).toHaveLength(NEIGHBOURS)
        expect(hub?.ids[0]).toBe('e_006')
        expect(neighboursOf(graph, 'relates', asked)).toEqual(ends(graph))
        const draft = draftOf(graph)
        draft.putEdge(edge(250, 9))
        draft.dropEdge('relates', 'e_007', 'e_hub')
        expect(neighboursOf(draft, 'relates', asked)[1]?.ids[0]).toBe('e_250')
        expect(neighboursOf(draft, 'relates', asked)).toEqual(ends(draft))
        apply(draft.patch())
        expect(neighboursOf(graph, 'relates', asked)).toEqual(ends(graph))
        expect(neighboursOf(graph, 'relates', ['e_250'])).toEqual([{ ids: ['e_hub'], weights: [9] }])
        expect(() => neighboursOf(graph, 'mentions', ['c_1'])).toThrow('not walked')
      })
    })

    it(
      '[G2] changes nothing when a patch is applied again',
      async () => {
        await worlds((subject, seed) => {
          const dice = random(seed)
          const chunks = Array.from({ length: 4 }, () => chunkFrom(dice))
          subject.apply(patchFrom(dice, chunks, 40))
          const patch = patchFrom(dice, chunks, 40)
          subject.apply(patch)
          const once = [...subject.lines()].sort()
          subject.apply(patch)
          expect([...subject.lines()].sort()).toEqual(once)
        })
      },
      PATIENCE,
    )

    it('[G450] a vector of other dimensions is refused', async () => {
      await make(DIMENSIONS, (subject) => {
        const { chunk } = chunkFrom(random(3))
        const strange = chunk.passages.map(() => new Int8Array(2 * DIMENSIONS))
        expect(() => subject.apply([{ op: 'put-chunk', chunk, vectors: { passages: strange, units: [] } }])).toThrow('numbers where')
        expect(subject.graph.count('chunk')).toBe(0)
      })
    })

    it('[G3] keeps one edge between equals and walks it from both ends', async () => {
      await make(DIMENSIONS, ({ graph, apply }) => {
        const [a, b] = [nodeId('entity', 'a'), nodeId('entity', 'b')].sort() as [string, string]
        apply([{ op: 'put-edge', edge: { kind: 'relates', source: b, target: a, weight: 2 } }])
        apply([{ op: 'put-edge', edge: { kind: 'relates', source: a, target: b, weight: 3, data: 'near' } }])
        const edge = { kind: 'relates', source: a, target: b, weight: 3, data: 'near' }
        expect([graph.edges('relates', a), graph.edges('relates', b), graph.edgesTo('relates', a)]).toEqual([[edge], [edge], [edge]])
        expect([graph.edge('relates', b, a), graph.degreeTo('relates', a), graph.degreeTo('relates', b)]).toEqual([edge, 1, 1])
      })
    })

    it('[G1] walks a node with very many edges from the heaviest on', async () => {
      await make(DIMENSIONS, ({ graph, apply }) => {
        const hub = nodeId('label', 'hub')
        const edges = Array.from({ length: 700 }, (_, i) => ({
          kind: 'indicates' as const,
          source: nodeId('keyword', i),
          target: hub,
          weight: i % 7,
        }))
        apply(edges.map((edge) => ({ op: 'put-edge', edge })))
        const sorted = [...edges].sort((a, b) => b.weight - a.weight || (a.source < b.source ? -1 : 1))
        expect(graph.degreeTo('indicates', hub, 5)).toBeGreaterThanOrEqual(5)
        expect(graph.degreeTo('indicates', nodeId('label', 'nobody'), 5)).toBe(0)
        expect(graph.degreeTo('indicates', hub)).toBe(700)
        expect([graph.edgesTo('indicates', hub), graph.edgesTo('indicates', hub, 5)]).toEqual([sorted, sorted.slice(0, 5)])
        apply(edges.slice(200).map(({ kind, source, target }) => ({ op: 'drop-edge', kind, source, target })))
        expect(graph.degreeTo('indicates', hub)).toBe(200)
        const few = edges.slice(0, 3)
        apply(few.map((edge) => ({ op: 'put-edge', edge: { ...edge, target: nodeId('label', 'few') } })))
        const counted = () => [3, 4, 16].map((enough) => Math.min(4, graph.degreeTo('indicates', nodeId('label', 'few'), enough)))
        expect([counted(), counted()]).toEqual([
          [3, 3, 3],
          [3, 3, 3],
        ])
        apply([{ op: 'put-edge', edge: { kind: 'indicates', source: nodeId('keyword', 999), target: nodeId('label', 'few'), weight: 1 } }])
        expect(counted()).toEqual([expect.any(Number), 4, 4])
        apply(few.map(({ kind, source }) => ({ op: 'drop-edge', kind, source, target: nodeId('label', 'few') })))
        expect(counted()).toEqual([1, 1, 1])
        expect(graph.edgesTo('indicates', hub)).toEqual(sorted.filter((edge) => edges.indexOf(edge) < 200))
      })
    })

    it('[G3] refuses to walk mentions from the chunk, and memberships from what has members', async () => {
      await make(DIMENSIONS, ({ graph }) => {
        expect(() => graph.edges('mentions', 'c_x')).toThrow('mentions')
        expect(() => graph.edgesTo('member', 'm_x')).toThrow('member')
        expect(() => graph.degreeTo('member', 'm_x')).toThrow('member')
      })
    })

    it('[G760] gives the edges from the members that a summary lists, and none from one that has gone', async () => {
      await make(DIMENSIONS, ({ graph, apply }) => {
        const [here, gone, top] = [nodeId('entity', 'here'), nodeId('entity', 'gone'), nodeId('community', 'top')]
        const node = { id: top, kind: 'community' as const, layer: 1, text: '', tokens: 0, data: { members: [gone, here] } }
        const edge = { kind: 'member' as const, source: here, target: top, weight: 1 }
        apply([
          { op: 'put-node', node },
          { op: 'put-edge', edge },
        ])
        expect(memberEdges(graph, top)).toEqual([edge])
        expect(memberEdges(graph, here)).toEqual([])
      })
    })

    it('[G1] reads a passage and a unit out of the chunk their id names', async () => {
      await make(DIMENSIONS, ({ graph, apply }) => {
        const { chunk, vectors } = chunkFrom(random(5))
        apply([{ op: 'put-chunk', chunk, vectors }])
        for (const span of [...chunk.passages, ...chunk.units]) {
          expect([chunkOf(span.id), graph.text(span.id)?.ordinal]).toEqual([chunk.id, ordinalOf(span.id)])
          expect(graph.text(span.id)?.text).toBe(chunk.text.slice(span.start, span.end))
        }
      })
    })

    it(
      '[G6] holds the same after documents in any order, and nothing after their deletion',
      async () => {
        await worlds((subject, seed) => {
          const dice = random(seed)
          const library = libraryFrom(seed)
          const empty = stateHash(subject.lines())
          const fill = (documents: readonly Arrival[]): string => {
            for (const one of documents) subject.apply(integrate(subject.graph, { upserts: [one], deletes: [] }).patch)
            return stateHash(subject.lines())
          }
          const clear = (ids: readonly string[]): string => {
            for (const id of ids) subject.apply(integrate(subject.graph, { upserts: [], deletes: [id] }).patch)
            return stateHash(subject.lines())
          }
          const ids = library.map((one) => one.document.id)
          const first = fill(library)
          expect(clear(dice.shuffle(ids))).toBe(empty)
          expect(fill(dice.shuffle(library))).toBe(first)
          expect(subject.graph.count('chunk')).toBe(
            new Set(library.flatMap((one) => one.document.chunks.map((placed) => placed.chunk))).size,
          )
          expect([clear(ids), subject.graph.count('passage'), subject.graph.frequency(['river'])]).toEqual([empty, 0, [0]])
        })
      },
      PATIENCE,
    )

    it(
      '[G8] reads through a draft as if its changes were made, and is itself unmoved',
      async () => {
        await worlds((subject, seed) => {
          const dice = random(seed)
          const chunks = Array.from({ length: 3 }, () => chunkFrom(dice))
          subject.apply(patchFrom(dice, chunks, 60))
          const known = chunks.map((one) => one.chunk)
          const before = observe(subject.graph, known)
          const draft = draftOf(subject.graph)
          write(draft, patchFrom(dice, chunks, 60))
          const seen = observe(draft, known)
          expect(observe(subject.graph, known)).toEqual(before)
          subject.apply(draft.patch())
          expect(observe(subject.graph, known)).toEqual(seen)
        })
      },
      PATIENCE,
    )

    it(
      '[G8] drafts no change for what is put back as it was',
      async () => {
        await worlds((subject, seed) => {
          const dice = random(seed)
          const chunks = Array.from({ length: 3 }, () => chunkFrom(dice))
          const patch = patchFrom(dice, chunks, 80)
          subject.apply(patch)
          const draft = draftOf(subject.graph)
          write(draft, patchFrom(dice, chunks, 80))
          const there = draftOf(draft)
          write(there, undoing(subject.graph, draft.patch()))
          const all = draftOf(subject.graph)
          write(all, draft.patch())
          write(all, there.patch())
          expect(all.patch()).toEqual([])
        })
      },
      PATIENCE,
    )
  })
}

type Arrival = { readonly document: DocumentRecord; readonly chunks: readonly ReturnType<typeof chunkFrom>[] }

/** Documents that share chunks. */
function libraryFrom(seed: number): readonly Arrival[] {
  const dice = random(seed)
  const chunks = Array.from({ length: 5 }, () => chunkFrom(dice))
  return Array.from({ length: 6 }, (_, i) => {
    const held = chunks.filter(() => dice.below(2) === 0)
    const document = documentFrom(
      dice,
      `document ${i}`,
      held.map((one) => one.chunk),
    )
    return { document, chunks: held }
  })
}
