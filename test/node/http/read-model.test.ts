/** The read model: what D1 holds after the outbox was sent, whatever is repeated, late or lost on the way. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databasesOf } from '../../../src/adapters/databases'
import { listings } from '../../../src/adapters/read-model/listings'
import { readModel } from '../../../src/adapters/read-model/publish'
import type { Chunk, Edge } from '../../../src/core/graph/types'
import type { Published } from '../../../src/ports/read-model'
import { type Database, database } from './d1'

let held: Database
beforeAll(async () => {
  held = await database()
})
afterAll(() => held.dispose())

const at = (version: number) => ({ version, upto: version })
const modelOf = (db: Database['db']) => readModel(databasesOf({ DB: db }))
const node = (id: string, text = id): Published => ({
  op: 'put-node',
  node: { id, kind: 'entity', layer: 0, text, tokens: 1, data: { name: text } },
})
const dropNode = (id: string): Published => ({ op: 'drop-node', id })
const edge = (source: string, target: string, weight = 1): Edge => ({ kind: 'relates', source, target, weight, data: { d: 'x' } })
const chunk = (id: string, text: string): Chunk => ({
  id,
  title: 't',
  name: 't',
  text,
  tokens: 3,
  own: 0,
  passages: [{ id: `p_${id}.0`, start: 0, end: 4, tokens: 3 }],
  units: [{ id: `u_${id}.0`, start: 0, end: 4, passage: 0 }],
})

const rows = async (sql: string, uid: string): Promise<unknown[]> => (await held.db.prepare(sql).bind(uid).all()).results
const nodes = async (uid: string): Promise<unknown[]> => rows('SELECT id, text, version FROM node WHERE uid = ? ORDER BY id', uid)
const version = async (uid: string): Promise<unknown[]> => rows('SELECT fence, version FROM published WHERE uid = ?', uid)

describe('publishing', () => {
  it('[H1] every row carries the version that wrote it, and the corpus the last one', async () => {
    const model = modelOf(held.db)
    const document = { id: 'a/b:c%✓', title: '', name: 'n', url: null, metadata: { y: [1] }, chunks: [{ chunk: 'c_1', start: 0 }] }
    await model.publish({ uid: 'u1' }, at(3), [
      node('e_1', 'Zürich'),
      { op: 'put-edge', edge: edge('e_1', 'e_2') },
      { op: 'put-chunk', chunk: chunk('c_1', 'Some text') },
      { op: 'put-document', document },
    ])
    expect(await rows('SELECT * FROM node WHERE uid = ?', 'u1')).toEqual([
      {
        uid: 'u1',
        id: 'e_1',
        kind: 'entity',
        layer: 0,
        text: 'Zürich',
        tokens: 1,
        stale: 0,
        data: '{"name":"Zürich"}',
        folded: 'zürich',
        bearer: null,
        version: 3,
        rank: 0,
      },
    ])
    expect(await rows('SELECT * FROM edge WHERE uid = ?', 'u1')).toEqual([
      { uid: 'u1', kind: 'relates', source: 'e_1', target: 'e_2', weight: 1, data: '{"d":"x"}', version: 3 },
    ])
    expect(await rows('SELECT * FROM document WHERE uid = ?', 'u1')).toEqual([
      {
        uid: 'u1',
        id: 'a/b:c%✓',
        title: '',
        name: 'n',
        url: null,
        metadata: '{"y":[1]}',
        chunks: '[{"chunk":"c_1","start":0}]',
        version: 3,
      },
    ])
    expect(await rows('SELECT text, parts, own FROM chunk WHERE uid = ?', 'u1')).toEqual([{ text: 'Some text', parts: '{}', own: 0 }])
    expect(await version('u1')).toEqual([{ fence: 3, version: 3 }])
  })

  it('[H1] a late repeat of an older version neither overwrites nor restores what was removed', async () => {
    const model = modelOf(held.db)
    expect((await model.publish({ uid: 'u2' }, at(1), [node('e_a', 'old'), node('e_b')])).rows).toBeGreaterThanOrEqual(2)
    await model.publish({ uid: 'u2' }, at(2), [node('e_a', 'new'), dropNode('e_b')])
    await model.publish({ uid: 'u2' }, at(1), [node('e_a', 'old'), node('e_b'), node('e_c')])
    expect(await nodes('u2')).toEqual([{ id: 'e_a', text: 'new', version: 2 }])
    expect(await version('u2')).toEqual([{ fence: 2, version: 2 }])
  })

  it('[H1] a commit without rows still moves the version', async () => {
    await modelOf(held.db).publish({ uid: 'u3' }, at(7), [])
    expect(await version('u3')).toEqual([{ fence: 7, version: 7 }])
  })

  it('[H4] what is too large for one bound value or one batch is written in slices, and the version moves with the last', async () => {
    const changes = Array.from({ length: 60 }, (_, i) => ({
      op: 'put-chunk' as const,
      chunk: chunk(`c_${i}`, `${i} ${'é'.repeat(200_000)}`),
    }))
    await modelOf(held.db).publish({ uid: 'u4' }, at(1), changes)
    expect(await rows('SELECT count(*) AS n, sum(length(text)) AS length FROM chunk WHERE uid = ?', 'u4')).toEqual([
      { n: 60, length: 60 * 200_000 + 10 * 2 + 50 * 3 },
    ])
    expect(await version('u4')).toEqual([{ fence: 1, version: 1 }])
  })

  it('[J162] a deleted corpus leaves no row, and no late write brings one back', async () => {
    const model = modelOf(held.db)
    await model.publish({ uid: 'u5' }, at(1), [
      node('e_a'),
      { op: 'put-edge', edge: edge('e_a', 'e_b') },
      { op: 'put-chunk', chunk: chunk('c_1', 'x') },
    ])
    await model.publish({ uid: 'u5b' }, at(1), [node('e_a')])
    const counts = [await model.drop({ uid: 'u5' }), await model.drop({ uid: 'u5' })]
    await model.publish({ uid: 'u5' }, at(2), [node('e_a')])
    expect(counts[0]).toBeGreaterThan(0)
    expect([counts[1], await nodes('u5'), (await nodes('u5b')).length]).toEqual([0, [], 1])
  })

  it('[H1] ids and texts of any characters arrive unchanged', async () => {
    const id = 'd "quoted" \' \\ \u0001 \u2028 💧 é'
    await modelOf(held.db).publish({ uid: 'u6' }, at(1), [
      { op: 'put-document', document: { id, title: id, name: id, url: id, metadata: { [id]: id }, chunks: [] } },
    ])
    expect(await rows('SELECT id, title, metadata FROM document WHERE uid = ?', 'u6')).toEqual([
      { id, title: id, metadata: JSON.stringify({ [id]: id }) },
    ])
  })

  it('[H112] a node is billed as one row, an entity of several chunks, a node above the ground, an edge and a chunk as two', async () => {
    const batch = held.db.batch.bind(held.db)
    const written = async (...changes: Published[]): Promise<number> => {
      let rows = 0
      const counting = Object.assign(Object.create(held.db), {
        prepare: held.db.prepare.bind(held.db),
        batch: async (statements: Parameters<typeof batch>[0]) => {
          const results = await batch(statements)
          rows = results.slice(1).reduce((sum, { meta }) => sum + meta.rows_written, 0)
          return results
        },
      })
      await modelOf(counting).publish({ uid: 'u8' }, at(1), changes)
      return rows
    }
    const ten = Array.from({ length: 10 }, (_, i) => i)
    const counts = [
      await written(...ten.map((i) => node(`e_${i}`))),
      await written(...ten.map((i): Published => ({ op: 'put-edge', edge: edge(`e_${i}`, 'e_x') }))),
      await written(...ten.map((i): Published => ({ op: 'put-chunk', chunk: chunk(`c_${i}`, 'text') }))),
    ]
    const summary = { id: 's_1', kind: 'summary' as const, layer: 1, text: 'All', tokens: 1, data: {} }
    const label = { id: 'l_1', kind: 'label' as const, layer: 0, text: 'One', tokens: 1, data: {} }
    const others = [await written({ op: 'put-node', node: summary }), await written({ op: 'put-node', node: label })]
    const often = { id: 'e_often', kind: 'entity' as const, layer: 0, text: 'Often', tokens: 1, data: { chunks: 2 } }
    expect([...counts, ...others, await written({ op: 'put-node', node: often })]).toEqual([10, 20, 20, 2, 1, 2])
  })

  it('[H112] no listing, walk or page reads more of a corpus than it returns: each follows a key or an index', async () => {
    const asked: { sql: string; values: unknown[] }[] = []
    const recorded = (sql: string, values: unknown[] = []): object => {
      const statement = held.db.prepare(sql).bind(...values)
      const note = () => void asked.push({ sql, values })
      return {
        statement,
        note,
        bind: (...bound: unknown[]) => recorded(sql, bound),
        all: () => (note(), statement.all()),
        first: () => (note(), statement.first()),
      }
    }
    const batch = (many: { statement: never; note(): void }[]) => {
      for (const one of many) one.note()
      return held.db.batch(many.map((one) => one.statement))
    }
    const lists = listings({ ...databasesOf({ DB: held.db }), of: () => ({ prepare: recorded, batch }) as never })
    const model = readModel({ ...databasesOf({ DB: held.db }), of: () => ({ prepare: recorded, batch }) as never })
    const corpus = { uid: 'u9' }
    const community = { id: 'm_1', kind: 'community' as const, layer: 2, text: 'All', tokens: 1, data: {} }
    await modelOf(held.db).publish(corpus, at(1), [
      node('e_1'),
      { op: 'put-node', node: community },
      { op: 'put-edge', edge: edge('e_1', 'm_1') },
      { op: 'put-chunk', chunk: chunk('c_1', 'x') },
    ])
    const mentions = [{ kind: 'mentions' as const, source: 'c_1', target: 'e_1', weight: 2 }]
    const around = (id: string | null) => lists.around(corpus, { node: id, depth: 2, limit: 10 }, async () => mentions)
    expect((await around('e_1'))?.edges).toContainEqual(mentions[0])
    expect((await around(null))?.nodes[0]?.id).toBe('m_1')
    await lists.version(corpus)
    for (const where of [{ kind: 'entity' }, { kind: 'entity', q: 'E' }, { kind: 'community', layer: 2 }]) {
      await lists.nodes(corpus, where, { after: '', limit: 10 })
    }
    for (const after of [null, { mentions: 2, name: 'e', id: 'e_0' }]) {
      for (const q of [undefined, 'E']) await lists.mentioned(corpus, q, { after, limit: 10 })
    }
    expect(await lists.layers(corpus, 'community')).toEqual([{ layer: 2, count: 1 }])
    for (const table of ['document', 'chunk', 'node', 'edge'] as const) {
      await lists.page(corpus, table, { after: '', rows: 10, bytes: 1000 })
      const keys = await model.keys(corpus, table, '', 10)
      expect(await model.rows(corpus, table, keys)).toHaveLength(keys.length)
    }
    // What a page of an export sorts is that page.
    const unbounded = (sql: string) =>
      sql.includes('OVER') ? /^SCAN \w+$/ : /^SCAN (node|edge|chunk|document|published)|TEMP B-TREE FOR ORDER/
    const plans = asked.map(async ({ sql, values }) => {
      const { results } = await held.db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...values)
        .all<{ detail: string }>()
      return results.map(({ detail }) => detail).filter((detail) => unbounded(sql).test(detail))
    })
    expect([asked.length > 20, (await Promise.all(plans)).flat()]).toEqual([true, []])
  })

  it('[H1] any history of calls, repeated and late, ends as if each had come once and in order', async () => {
    const model = modelOf(held.db)
    const step = fc.array(fc.tuple(fc.constantFrom('e_a', 'e_b', 'e_c'), fc.boolean()), { maxLength: 4 })
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), fc.array(fc.nat(5), { maxLength: 6 }), async (history, late) => {
        const uid = `prop-${run++}`
        const calls = history.map((changes, i) => ({
          version: i + 1,
          changes: changes.map(([id, put]) => (put ? node(id, `${id} at ${i}`) : dropNode(id))),
        }))
        const expected = new Map<string, string>()
        for (const [i, call] of calls.entries()) {
          await model.publish({ uid }, at(call.version), call.changes)
          const repeated = calls[late[i] ?? i]
          if (repeated && repeated.version <= call.version) await model.publish({ uid }, at(repeated.version), repeated.changes)
          for (const [id, put] of history[i] ?? []) {
            if (put) expected.set(id, `${id} at ${i}`)
            else expected.delete(id)
          }
        }
        const found = (await nodes(uid)) as { id: string; text: string }[]
        expect(found.map(({ id, text }) => [id, text])).toEqual([...expected].sort(([a], [b]) => (a < b ? -1 : 1)))
      }),
      { seed: 7, numRuns: 15 },
    )
  })
})
