/** The graph in the object's SQLite: the contract of all graphs, and what only storage can get wrong. */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { bypassViews, freeze, isFrozen, thaw } from '../../durable-objects/graph/snapshot'
import { SqliteGraph } from '../../durable-objects/graph/sqlite-graph'
import { counted, type SqlSource } from '../../durable-objects/sql'
import { Bm25Score } from '../../src/core/graph/bm25'
import { homesOf } from '../../src/core/graph/homes'
import { MemoryGraph } from '../../src/core/graph/memory'
import { EDGE_ENDS, type Patch } from '../../src/core/graph/types'
import { chunkOf, nodeId, passageId } from '../../src/core/ids'
import { type Random, random } from '../../src/core/random'
import { cosine } from '../../src/core/vectors'
import { graphContract, type Make } from '../core/graph/contract'
import { chunkFrom, DIMENSIONS, edgeKinds, keys, nodes, patchFrom, spaces, vectorFrom } from '../core/graph/worlds'

let corpora = 0

/** A new object's storage. */
function fresh(): DurableObjectStub {
  return (env as unknown as { readonly CORPUS: DurableObjectNamespace }).CORPUS.getByName(`graph ${++corpora}`)
}

function opened(state: DurableObjectState, dimensions = DIMENSIONS): SqliteGraph {
  const graph = new SqliteGraph({ sql: counted(state.storage.sql), dimensions })
  graph.migrate()
  return graph
}

const make: Make = (dimensions, use) =>
  runInDurableObject(fresh(), (_, state) => {
    const graph = opened(state, dimensions)
    use({ graph, apply: (patch) => graph.apply(patch, graph.version + 1), lines: () => graph.lines() })
  })

graphContract('the graph in SQLite', make, 4)

describe('the graph in SQLite', () => {
  it('[G1] holds the same lines as the graph in memory after the same random patches, also when opened anew', async () => {
    await runInDurableObject(fresh(), (_, state) => {
      const dice = random('lines')
      const chunks = Array.from({ length: 8 }, () => chunkFrom(dice))
      const memory = new MemoryGraph(DIMENSIONS)
      const graph = opened(state)
      for (let round = 1; round <= 30; round++) {
        const patch = patchFrom(dice, chunks, 40)
        memory.apply(patch)
        graph.apply(patch, round)
      }
      const expected = [...memory.lines()].sort()
      expect([...graph.lines()].sort()).toEqual(expected)
      const again = opened(state)
      expect([...again.lines()].sort()).toEqual(expected)
      expect([again.version, again.count('passage'), again.edgeCount()]).toEqual([30, memory.count('passage'), edgesIn(expected)])
    })
  })

  it('[G1] scores passages as the graph in memory does, within 1e-9, ties by id', async () => {
    await runInDurableObject(fresh(), (_, state) => {
      const dice = random('bm25')
      const chunks = Array.from({ length: 300 }, () => chunkFrom(dice))
      const patch = chunks.map((one) => ({ op: 'put-chunk' as const, ...one }))
      const memory = new MemoryGraph(DIMENSIONS)
      const graph = opened(state)
      memory.apply(patch)
      graph.apply(patch, 1)
      for (const words of [
        ['river'],
        ['42'],
        ['stone', 'citi'],
        ['walk', '北京', 'naiv', 'мосsomething'],
        ['run', 'run', '42', 'river', 'stone'],
      ]) {
        for (const limit of [1, 7, 50, 10_000]) {
          const [theirs, ours] = [memory.match(words, limit), graph.match(words, limit)]
          expect(ours.map((hit) => hit.id)).toEqual(theirs.map((hit) => hit.id))
          const apart = ours.map((hit, i) => Math.abs(hit.score - (theirs[i]?.score ?? 0)))
          expect(Math.max(0, ...apart)).toBeLessThan(1e-9)
        }
      }
      expect(graph.match(['river'], 50)).toHaveLength(50)
    })
  })

  /** Chunks of nine passages; of a hundred passages one says heron, half say pier, three quarters lamp. */
  function reading(dice: Random, from: number, count: number): Patch {
    return Array.from({ length: count }, (_, i) => {
      const texts = Array.from({ length: 9 }, (_, k) => {
        const n = (from + i) * 9 + k
        const said = [...(n % 100 === 0 ? ['heron'] : []), ...(dice.below(2) ? ['pier', 'pier'] : []), ...(dice.below(4) ? ['lamp'] : [])]
        return `${dice.shuffle([...said, ...Array.from({ length: 3 + dice.below(20) }, () => `w${dice.below(500)}`)]).join(' ')}. `
      })
      const id = nodeId('chunk', `${from + i}`)
      const ends = texts.map((_, k) => texts.slice(0, k + 1).join('').length)
      const passages = texts.map((text, k) => ({
        id: passageId(id, k),
        start: (ends[k] ?? 0) - text.length,
        end: ends[k] ?? 0,
        tokens: 20,
      }))
      const chunk = { id, title: 'A title', name: '', text: texts.join(''), tokens: 180, own: 0, passages, units: [] }
      return { op: 'put-chunk', chunk, vectors: { passages: passages.map(() => vectorFrom(dice)), units: [] } }
    })
  }

  it('[G18] a question reads a bounded part of the keyword index, whatever its size: the rarest terms find, the others only rescore', async () => {
    await runInDurableObject(fresh(), (_, state) => {
      const [dice, postings] = [random('postings'), 150]
      const asked = ['heron', 'pier', 'lamp']
      let read = 0
      const exec: SqlSource['exec'] = (query, ...bindings) => {
        const cursor = state.storage.sql.exec(query, ...bindings)
        const rows = cursor.toArray()
        read += cursor.rowsRead
        return { toArray: () => rows, rowsWritten: cursor.rowsWritten }
      }
      const rowsOf = (graph: SqliteGraph, words: readonly string[]): number => {
        graph.forget()
        read = 0
        graph.match(words, 10)
        return read
      }
      const whole = opened(state)
      const bounded = new SqliteGraph({ sql: counted({ exec }), dimensions: DIMENSIONS, postings })
      const unbounded = new SqliteGraph({ sql: counted({ exec }), dimensions: DIMENSIONS })
      const cost: { [words: string]: number[] } = {}
      for (const [from, count] of [
        [0, 40],
        [40, 360],
      ] as const) {
        whole.apply(reading(dice, from, count), whole.version + 1)
        bounded.migrate()
        for (const words of [asked, ['pier', 'lamp'], ['lamp']]) {
          const name = words.join(' ')
          cost[name] = [...(cost[name] ?? []), rowsOf(bounded, words), rowsOf(unbounded, words)]
        }
      }
      // A hit costs two rows to rank; 256 are rescored at most, each by its place, its length and its text.
      for (const [few = 0, , many = 0, all = 0] of Object.values(cost)) {
        expect([few < 2 * postings + 6 * 256, many < 2 * postings + 6 * 256, all > 4 * many || all > 5000]).toEqual([true, true, true])
      }
      // What the rarest term finds has the score it would have had.
      const expected = new Map(unbounded.match(asked, 10_000).map((hit) => [hit.id, hit.score]))
      const found = bounded.match(asked, 100)
      expect(found).toHaveLength(36)
      for (const { id, score } of found) expect(score).toBeCloseTo(expected.get(id) ?? 0, 9)
      expect(found.map((hit) => hit.id)).toEqual([...expected.keys()].filter((id) => found.some((hit) => hit.id === id)))
      // Where the budget does not bind, nothing differs.
      expect(bounded.match(['heron', 'w7'], 50)).toEqual(unbounded.match(['heron', 'w7'], 50))
      expect(bounded.match(['lamp'], 10)).toHaveLength(10)
      expect(bounded.frequency(asked)).toEqual(unbounded.frequency(asked))
      // Less than a hundredth more: what was counted before still serves.
      whole.apply(reading(dice, 400, 1), whole.version + 1)
      const [kept = 0, exact = 0] = [bounded, unbounded].map((graph) => graph.frequency(['lamp'])[0])
      expect([exact > 400, Math.abs(kept - exact) <= exact / 100]).toEqual([true, true])
    })
  })

  it('[G2491] how often passages say terms, and how long they are, is counted from their texts and from what the index knows of their length', async () => {
    await runInDurableObject(fresh(), (_, state) => {
      const dice = random('counts')
      const [memory, served] = [new MemoryGraph(DIMENSIONS), opened(state)]
      for (const graph of [memory, served]) graph.apply(reading(random('counts'), 0, 90), 1)
      const ids = memory.page('chunk', '', 1000).flatMap((id) => (memory.chunk(id)?.passages ?? []).map((_, i) => passageId(id, i)))
      const asked = ['heron', 'pier', 'w7', `w${dice.below(300)}`, 'nowhere']
      const told = served.lexicon.counts(ids, asked)
      expect(told).toEqual(memory.lexicon.counts(ids, asked))
      expect(told.some((one) => (one?.counts[0] ?? 0) > 0) && new Set(told.map((one) => one?.length)).size > 1).toBe(true)
      expect(served.lexicon.counts(['passage:gone:0'], asked)).toEqual([undefined])
    })
  })

  it('[G2492] what a full cache drops while a question reads is read, not missing', async () => {
    await runInDurableObject(fresh(), (_, state) => {
      const memory = new MemoryGraph(DIMENSIONS)
      const served = new SqliteGraph({ sql: counted(state.storage.sql), dimensions: DIMENSIONS, cacheBytes: 32_000 })
      served.migrate()
      for (const graph of [memory, served]) graph.apply(reading(random('full cache'), 0, 90), 1)
      const ids = memory.page('chunk', '', 1000)
      const documents = ids.map((chunk, i): Patch[number] => ({
        op: 'put-document',
        document: { id: `d${i}`, title: '', name: '', url: null, metadata: {}, chunks: [{ chunk, start: 0 }] },
      }))
      for (const graph of [memory, served]) graph.apply(documents, 2)
      const passages = ids.map((id) => passageId(id, 0))
      for (let asked = 0; asked < 3; asked++) {
        served.homes(ids.slice(0, 60)) // kept, until the others take their place
        expect(served.homes(ids)).toEqual(homesOf(memory, ids))
        expect(served.lexicon.counts(passages, ['heron'])).toEqual(memory.lexicon.counts(passages, ['heron']))
        served.preload({ placements: ids, chunks: ids, vectors: { passages: ids } })
        expect(ids.map((id) => [served.chunk(id), served.placements(id)])).toEqual(
          ids.map((id) => [memory.chunk(id), memory.placements(id)]),
        )
        expect(passages.map((id) => served.vector(id))).toEqual(passages.map((id) => memory.vector(id)))
      }
    })
  })

  it('[G230] of what may be shown the best are found, as many as there are, whatever stands between them; the index is read once where it knows how many to expect', async () => {
    await runInDurableObject(fresh(), (_, state) => {
      const dice = random('admitted')
      let statements = 0
      const exec: SqlSource['exec'] = (query, ...bindings) => {
        if (query.includes('bm25')) statements++
        return state.storage.sql.exec(query, ...bindings)
      }
      const memory = new MemoryGraph(DIMENSIONS)
      const graph = new SqliteGraph({ sql: counted({ exec }), dimensions: DIMENSIONS })
      const bounded = new SqliteGraph({ sql: counted({ exec }), dimensions: DIMENSIONS, postings: 150 })
      graph.migrate()
      const patch = reading(dice, 0, 200)
      memory.apply(patch)
      graph.apply(patch, 1)
      bounded.migrate()
      const numberOf = new Map(memory.page('chunk', '', 1000).map((id) => [id, dice.below(40)]))
      for (const max of [40, 20, 4, 1, 0]) {
        const admits = (chunk: string): boolean => (numberOf.get(chunk) ?? 40) < max
        const all = graph.match(['pier', 'heron'], 10_000).filter((hit) => admits(chunkOf(hit.id)))
        for (const limit of [1, 20, 100]) {
          const found = graph.match(['pier', 'heron'], limit, admits)
          expect(found).toEqual(all.slice(0, limit))
          expect(memory.match(['pier', 'heron'], limit, admits).map((hit) => hit.id)).toEqual(found.map((hit) => hit.id))
        }
        statements = 0
        graph.match(['pier', 'heron'], 20, admits)
        if (max >= 4) expect(statements).toBe(1)
        const few = bounded.match(['lamp', 'pier'], 10, admits)
        expect([few.every((hit) => admits(chunkOf(hit.id))), few.length]).toEqual([true, Math.min(10, all.length)])
      }
      const half = (chunk: string): boolean => (numberOf.get(chunk) ?? 40) < 20
      const before = graph.match(['heron'], 5, half)
      state.storage.transactionSync(() => freeze(counted({ exec })))
      const kept = graph.match(['heron'], 5, half)
      expect(kept.map((hit) => hit.id)).toEqual(before.map((hit) => hit.id))
      expect(graph.match(['pier'], 30, half).map((hit) => hit.id)).toEqual(memory.match(['pier'], 30, half).map((hit) => hit.id))
    })
  })

  it('[G11] leaves no term of a deleted chunk in any table', async () => {
    const stub = fresh()
    const rare = 'zzyzxqq' // its own stem
    await runInDurableObject(stub, (_, state) => {
      const graph = opened(state)
      const { chunk, vectors } = chunkFrom(random(1))
      const secret = { ...chunk, id: 'c_secret', title: `${chunk.title} ${rare}`, text: `${rare} ${chunk.text.slice(rare.length + 1)}` }
      const others = Array.from({ length: 20 }, (_, i) => chunkFrom(random(i + 10)))
      graph.apply([{ op: 'put-chunk', chunk: secret, vectors }, ...others.map((one) => ({ op: 'put-chunk' as const, ...one }))], 1)
    })
    await runInDurableObject(stub, (_, state) => {
      expect(tablesWith(state.storage.sql, rare)).toContain('words_data')
      opened(state).apply([{ op: 'drop-chunk', id: 'c_secret' }], 2)
    })
    await runInDurableObject(stub, (_, state) => {
      expect(tablesWith(state.storage.sql, rare)).toEqual([])
      expect([opened(state).frequency([rare]), opened(state).match([rare], 5)]).toEqual([[0], []])
    })
  })

  it('[G17] frozen, shows readers what it was, whatever goes in by several transactions, also when opened anew', async () => {
    for (let seed = 0; seed < 6; seed++) {
      await runInDurableObject(fresh(), (_, state) => {
        const dice = random(`frozen ${seed}`)
        const chunks = Array.from({ length: 12 }, () => chunkFrom(dice))
        const memory = new MemoryGraph(DIMENSIONS)
        const served = opened(state)
        const sql = counted(state.storage.sql)
        const both = (graph: SqliteGraph, version: number): void => {
          const patch = patchFrom(dice, chunks, 40)
          memory.apply(patch)
          graph.apply(patch, version)
        }
        for (let round = 1; round <= 5; round++) both(served, round)
        const before = seen(served)
        state.storage.transactionSync(() => freeze(sql))
        for (let part = 0; part < 6; part++) {
          expect([isFrozen(sql), seen(served), seen(opened(state))]).toEqual([true, before, before])
          expect(() =>
            served.apply([{ op: 'put-node', node: { id: 'e_x', kind: 'entity', layer: 0, text: '', tokens: 0, data: {} } }], 9),
          ).toThrow()
          served.forget()
          state.storage.transactionSync(() => {
            const working = new SqliteGraph({ sql: bypassViews(sql), dimensions: DIMENSIONS })
            working.migrate()
            both(working, 6)
            expect([...working.lines()].sort()).toEqual([...memory.lines()].sort())
            for (const word of ['river', '42'])
              expect(working.match([word], 99).map((hit) => hit.id)).toEqual(memory.match([word], 99).map((hit) => hit.id))
          })
        }
        expect(seen(served)).toEqual(before)
        state.storage.transactionSync(() => thaw(sql))
        served.forget()
        expect([isFrozen(sql), served.version, [...served.lines()].sort()]).toEqual([false, 6, [...memory.lines()].sort()])
        expect(seen(opened(state))).toEqual(seen(served))
        expect(sql.all(`SELECT name FROM sqlite_master WHERE name LIKE 'before%' OR name LIKE 'now%'`)).toEqual([])
      })
    }
  })

  it('[G17] frozen, scores passages by what it was, whatever the index holds by now', async () => {
    await runInDurableObject(fresh(), (_, state) => {
      const dice = random('frozen scores')
      const memory = new MemoryGraph(DIMENSIONS)
      const served = opened(state)
      const sql = counted(state.storage.sql)
      const first = reading(dice, 0, 120)
      memory.apply(first)
      served.apply(first, 1)
      const passages = memory.page('chunk', '', 1000).flatMap((id) => (memory.chunk(id)?.passages ?? []).map((_, i) => passageId(id, i)))
      const asked = ['heron', 'pier', 'lamp', 'w7', 'w300', 'nowhere']
      const frequencies = memory.frequency(asked)
      state.storage.transactionSync(() => freeze(sql))
      state.storage.transactionSync(() => {
        const working = new SqliteGraph({ sql: bypassViews(sql), dimensions: DIMENSIONS })
        working.migrate()
        // Three times as many come as there were, most without a pier, and some of those go.
        working.apply(reading(dice, 1000, 360), 2)
        const gone = memory.page('chunk', '', 1000).filter((_, i) => i % 4 === 0)
        working.apply(
          gone.map((id) => ({ op: 'drop-chunk', id }) as const),
          2,
        )
      })
      const score = new Bm25Score({ texts: passages.length, mean: served.lexicon.meanLength(), frequencies })
      const said = memory.lexicon.counts(passages, asked)
      expect(served.lexicon.counts(passages, asked)).toEqual(said)
      const expected = new Map(passages.map((id, i) => [id, score.of(said[i] ?? { length: 0, counts: [] })]))
      const ranked = [...expected.values()].filter((one) => one > 0).sort((one, other) => other - one)
      for (const limit of [1, 9, 60, 10_000]) {
        const found = served.match(asked, limit)
        expect(new Set(found.map((hit) => hit.id)).size).toBe(Math.min(limit, ranked.length))
        for (const [i, { id, score: own }] of found.entries()) {
          expect(own).toBeCloseTo(expected.get(id) ?? 0, 9)
          expect(own).toBeCloseTo(ranked[i] ?? 0, 9)
        }
      }
      expect(served.frequency(asked)).toEqual(frequencies)
    })
  })

  it('[G17] frozen, is read through the same indexes: no read of it looks at every row', async () => {
    await runInDurableObject(fresh(), (_, state) => {
      const read: string[] = []
      const noted: SqlSource = {
        exec: (query, ...bindings) => {
          if (/^\s*select/i.test(query)) read.push(query)
          return state.storage.sql.exec(query, ...bindings)
        },
      }
      const sql = counted(noted)
      const graph = opened(state)
      graph.apply(
        patchFrom(
          random('plan'),
          Array.from({ length: 8 }, () => chunkFrom(random('chunks'))),
          200,
        ),
        1,
      )
      for (const document of graph.page('document', '', 99)) graph.access.assign(document, ['staff'], true)
      const frozen = new SqliteGraph({ sql, dimensions: DIMENSIONS })
      state.storage.transactionSync(() => freeze(sql))
      read.length = 0
      for (const enough of [{}, { enough: 3 }]) {
        preloadAll(frozen, enough)
        frozen.forget()
      }
      seen(frozen)
      const chunks = frozen.page('chunk', '', 99)
      frozen.homes(chunks)
      frozen.lexicon.counts(
        chunks.map((id) => passageId(id, 0)),
        ['heron'],
      )
      const sight = frozen.access.sight(['staff'], undefined)
      for (const chunk of frozen.page('chunk', '', 99)) sight?.chunk(chunk)
      const scans = [...new Set(read)].flatMap((query) =>
        state.storage.sql
          .exec<{ detail: string }>(
            `EXPLAIN QUERY PLAN ${query}`,
            ...Array<number>(query.match(/\?(?!\d)/g)?.length ?? new Set(query.match(/\?\d/g)).size).fill(1),
          )
          .toArray()
          .map((row) => row.detail)
          .filter((detail) => READS_ALL.test(detail) && !query.includes('graph_state') && !/^SELECT 1 .* LIMIT 1$/.test(query))
          .map((detail) => `${detail}: ${query}`),
      )
      expect([read.length > 20, read.some((query) => /json_each.*FROM edge/s.test(query)), scans]).toEqual([true, true, []])
    })
  })

  it('[G12] remembers nothing of an undone transaction', async () => {
    await runInDurableObject(fresh(), (_, state) => {
      const graph = opened(state)
      const [kept, lost] = [chunkFrom(random(1)), chunkFrom(random(2))]
      graph.apply([{ op: 'put-chunk', ...kept }], 1)
      const undone = (): void =>
        state.storage.transactionSync(() => {
          graph.apply(
            [
              { op: 'put-chunk', ...lost },
              { op: 'drop-chunk', id: kept.chunk.id },
            ],
            2,
          )
          expect([graph.chunk(lost.chunk.id), graph.vector(`${lost.chunk.id.replace('c', 'p')}.0`)]).not.toContain(undefined)
          throw new Error('undone')
        })
      expect(undone).toThrow('undone')
      graph.forget()
      expect([graph.version, graph.count('chunk'), graph.chunk(lost.chunk.id)]).toEqual([1, 1, undefined])
      expect(graph.chunk(kept.chunk.id)).toEqual(kept.chunk)
    })
  })

  it('[G12] counts nothing of a patch that failed half-way', async () => {
    await runInDurableObject(fresh(), (_, state) => {
      const graph = opened(state)
      const { chunk, vectors } = chunkFrom(random(1))
      const node = { id: 'k_x', kind: 'entity' as const, layer: 0, text: '', tokens: 0, data: {} } // named for another kind
      const half = (): void =>
        state.storage.transactionSync(() =>
          graph.apply(
            [
              { op: 'put-chunk', chunk, vectors },
              { op: 'put-node', node },
            ],
            1,
          ),
        )
      expect(half).toThrow('k_x')
      graph.forget()
      expect([graph.version, graph.count('chunk'), [...graph.lines()]]).toEqual([0, 0, []])
    })
  })

  it('[G1] finds the exact nearest, and pages hold every vector once', async () => {
    await runInDurableObject(fresh(), (_, state) => {
      const dice = random('nearest')
      const graph = opened(state)
      const chunks = Array.from({ length: 200 }, () => chunkFrom(dice))
      graph.apply([...chunks.map((one) => ({ op: 'put-chunk' as const, ...one })), ...patchFrom(dice, chunks, 40)], 1)
      for (const kind of ['passage', 'unit', 'entity'] as const) {
        const ids = idsOf(graph, kind).filter((id) => graph.vector(id))
        const paged: string[] = []
        for (let page = graph.embedded(kind, '', 7); page.length > 0; page = graph.embedded(kind, paged.at(-1) ?? '', 7)) {
          paged.push(...page.map((one) => one.id))
        }
        expect([...paged].sort()).toEqual([...ids].sort())
        const question = vectorFrom(dice)
        const all = ids.map((id) => ({ id, score: cosine(question, graph.vector(id) ?? []) }))
        const best = all.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        expect(graph.nearest(question, kind, 10)).toEqual(best.slice(0, 10))
        const admits = (id: string): boolean => id.charCodeAt(5) % 2 === 0
        expect(graph.nearest(question, kind, 3, admits)).toEqual(best.filter((one) => admits(one.id)).slice(0, 3))
      }
    })
  })

  it('[G15] writes nothing for an empty patch, and few rows for a chunk', async () => {
    await runInDurableObject(fresh(), (_, state) => {
      const graph = opened(state)
      const { chunk, vectors } = chunkFrom(random(3))
      const before = graph.rowsWritten
      graph.apply([{ op: 'put-chunk', chunk, vectors }], 1)
      expect(graph.rowsWritten - before).toBe(3 + chunk.passages.length) // the chunk, its index entry, the counts; passages in the keyword index
      const after = graph.rowsWritten
      graph.apply([], 1)
      expect(graph.rowsWritten).toBe(after)
    })
  })

  it('[G15] gives a chunk that stands other vectors in one row, and indexes its words again only where they are others', async () => {
    await runInDurableObject(fresh(), (_, state) => {
      const [dice, graph] = [random('revector'), opened(state)]
      const { chunk, vectors } = chunkFrom(dice)
      graph.apply([{ op: 'put-chunk', chunk, vectors: { ...vectors, units: [] } }], 1)
      const unit = chunk.units[0]?.id ?? ''
      expect([graph.vector(unit), graph.vector(chunk.id)]).toEqual([undefined, expect.anything()])
      const other = { passages: vectors.passages.map(() => vectorFrom(dice)), units: chunk.units.map(() => vectorFrom(dice)) }
      const before = graph.rowsWritten
      graph.apply([{ op: 'put-chunk', chunk, vectors: other }], 1)
      expect(graph.rowsWritten - before).toBe(1)
      expect([graph.vector(unit), graph.vector(chunk.passages[0]?.id ?? '')]).toEqual([other.units[0], other.passages[0]])
      const memory = new MemoryGraph(DIMENSIONS)
      const changed = { ...chunk, title: 'Herons' }
      for (const one of [graph, memory]) one.apply([{ op: 'put-chunk', chunk: changed, vectors: other }], 2)
      expect([...graph.lines()]).toEqual([...memory.lines()])
      expect(graph.match(['heron'], 99)).toHaveLength(chunk.passages.length)
    })
  })
})

/** What a reader can ask of it. */
function preloadAll(graph: SqliteGraph, enough: { readonly enough?: number }): void {
  const [chunks, documents, ids] = [graph.page('chunk', '', 99), graph.page('document', '', 99), nodes.map((one) => one.id)]
  const ends = [...ids, ...documents, ...chunks]
  const incident = edgeKinds.map(
    (kind) => ({ kind, end: EDGE_ENDS[kind] === 'source' ? 'source' : 'target', ids: ends, ...enough }) as const,
  )
  const edges = edgeKinds.flatMap((kind) => ids.map((source, i) => ({ kind, source, target: ends[i + 1] ?? source })))
  graph.preload({ documents, chunks, placements: chunks, mentioned: chunks, nodes: ids, fields: { name: 'type', nodes: ids } })
  graph.preload({ incident, edges, vectors: { passages: chunks, units: chunks } })
  for (const space of spaces) {
    graph.preload({ values: [{ space, keys }], places: { space, ranges: keys.map((key) => [key, `${key}~`] as const), limit: 5 } })
  }
}

// A whole table, or all of a side or a space of it.
const READS_ALL = /^MATERIALIZE (?!n\b)|^SCAN (t|before_(?!row)\w+)\b(?! VIRTUAL)|^SEARCH (t|before_\w+) USING .*\((side|space)=\?\)$/

function seen(graph: SqliteGraph) {
  const kinds = ['entity', 'keyword', 'label', 'summary', 'community'] as const
  const chunks = graph.page('chunk', '', 99)
  const ends = [...nodes.map((one) => one.id), ...graph.page('document', '', 99)]
  return {
    lines: [...graph.lines()].sort(),
    at: [graph.version, graph.state, graph.edgeCount(), ...kinds.map((kind) => graph.count(kind)), graph.count('passage')],
    chunks: chunks.map((id) => [graph.placements(id), graph.vector(id), graph.chunk(id)?.text]),
    embedded: (['passage', 'unit', 'entity'] as const).map((kind) => graph.embedded(kind, '', 99).map((one) => one.id)),
    nodes: kinds.map((kind) => graph.page(kind, '', 99).map((id) => graph.node(id)?.text)),
    edges: edgeKinds.map((kind) =>
      ends.map((id) => (EDGE_ENDS[kind] === 'source' ? graph.edges(kind, id) : [graph.edgesTo(kind, id), graph.degreeTo(kind, id)])),
    ),
    shelves: spaces.map((space) => [
      graph.order(space, { from: '0', to: 'b', limit: 9 }),
      graph.values(space, '', 9),
      graph.valuesOf(space, keys),
    ]),
    words: ['river', '42', 'walk'].map((word) => [
      graph.frequency([word]),
      graph
        .match([word], 200)
        .map((hit) => hit.id)
        .sort(),
    ]),
  }
}

function edgesIn(lines: readonly string[]): number {
  return lines.filter((line) => line.startsWith('edge ')).length
}

function idsOf(graph: SqliteGraph, kind: 'passage' | 'unit' | 'entity'): string[] {
  if (kind === 'entity') return [...graph.page('entity', '', 1000)]
  const chunks = graph.page('chunk', '', 1000).flatMap((id) => graph.chunk(id) ?? [])
  return chunks.flatMap((chunk) => (kind === 'passage' ? chunk.passages : chunk.units).map((one) => one.id))
}

/** Tables, shadow tables included, with a cell that holds the text, read as bytes. */
function tablesWith(sql: SqlStorage, text: string): string[] {
  const tables = sql
    .exec<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`)
    .toArray()
  const holds = (cell: unknown): boolean => {
    if (typeof cell === 'string') return cell.includes(text)
    return cell instanceof ArrayBuffer && new TextDecoder('latin1').decode(cell).includes(text.slice(2)) // terms in a block share their beginnings
  }
  return tables
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('_cf'))
    .filter((name) =>
      sql
        .exec(`SELECT * FROM "${name}"`)
        .toArray()
        .some((row) => Object.values(row).some(holds)),
    )
}
