/** Exports in parts: within what one invocation may ask of D1, and whole when they are put together. */
import type { D1Database } from '@cloudflare/workers-types'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyExport } from '../../../cli/verifying/verify-export'
import { limitedD1 } from '../../../local/platform/d1'
import { databasesOf } from '../../../src/adapters/databases'
import { listings } from '../../../src/adapters/read-model/listings'
import { readModel } from '../../../src/adapters/read-model/publish'
import { wholeExport } from '../../../src/client/export'
import { chunkRow, count, documentRow, edgeRow, hexOf, linked, nodeRow, noSum } from '../../../src/core/graph/state'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { limits, type Mark, partOf, readMark } from '../../../src/http/export-parts'
import { graphml } from '../../../src/http/graphml'
import { jsonLines } from '../../../src/http/json-lines'
import type { CorpusRecord } from '../../../src/ports/catalogue'
import type { Published } from '../../../src/ports/read-model'
import { type Bound, databases } from './d1'

let bound: Bound
beforeAll(async () => {
  bound = await databases(['DB', 'DATA_0'])
})
afterAll(() => bound.dispose())

const record = (uid: string): CorpusRecord => ({
  uid,
  name: uid,
  strategies: [],
  settings: defaultSettings,
  budget: {},
  public: false,
  created: 0,
  database: 'DATA_0',
})

const DOCUMENTS = 30
const documents = Array.from({ length: DOCUMENTS }, (_, i) => ({
  id: `d ${i} 💧 "é"`,
  title: i % 2 ? `Report ${i}` : '',
  name: `n${i}`,
  url: i % 3 ? null : `https://x.test/${i}`,
  metadata: { share: 0.1 * i, deep: { e: [1e-7, null, true] } },
  chunks: [{ chunk: `c_${i}`, start: 0 }],
}))
const chunks = documents.map(({ title }, i) => ({ id: `c_${i}`, title, text: `${'text '.repeat(20)}\n${i} \ud83d`, tokens: 20, own: 0 }))
const nodes = documents.map((_, i) => ({
  id: `e_${i}`,
  kind: 'entity' as const,
  layer: 0,
  text: `Entity ${i}`,
  tokens: 2,
  ...(i % 4 ? {} : { stale: true }),
  data: { key: `k${i}` },
}))
const edges = documents.map((_, i) => ({ kind: 'relates' as const, source: `e_${i}`, target: `e_${i + 1}`, weight: 0.3 * i }))

const changes: readonly Published[] = [
  ...documents.map((document): Published => ({ op: 'put-document', document })),
  ...chunks.map((chunk): Published => ({ op: 'put-chunk', chunk: { ...chunk, name: '', passages: [], units: [] } })),
  ...nodes.map((node): Published => ({ op: 'put-node', node })),
  ...edges.map((edge): Published => ({ op: 'put-edge', edge })),
]

/** More than a row of D1 holds. */
const huge = { from: Array.from({ length: 60_000 }, (_, i) => [`c_${i}`, i, '北京 and a long name of a place']) }

/** The receipt of a corpus made at once. */
function receipt() {
  const sum = noSum()
  for (const line of [...documents.map(documentRow), ...chunks.map(chunkRow), ...nodes.map(nodeRow), ...edges.map(edgeRow)])
    count(sum, line, 1)
  const touched = { documents: DOCUMENTS, chunks: DOCUMENTS, nodes: DOCUMENTS, edges: DOCUMENTS, other: 0 }
  const told = { version: 1, at: 0, jobs: [], touched, change: hexOf(sum), state: hexOf(sum) }
  return { ...told, hash: linked('0'.repeat(64), told) }
}

const object = {
  labels: async () => ({ data: [], next_cursor: null }),
  receipts: async () => ({ data: [receipt()], next_cursor: null }),
  dataOf: async () => huge,
  seen: async () => ({ documents: {}, inactive: [], dates: {}, chunks: [], nodes: [], edges: [], all: true }),
}

/** The response of one request, with how often it asked D1. */
function answered(corpus: CorpusRecord, format: 'jsonl' | 'graphml', bounds: Parameters<typeof partOf>[2], asked: number[]) {
  return async (cursor?: string): Promise<Response> => {
    let calls = 0
    const data = bound.bindings.DATA_0 as D1Database
    const counted = Object.assign(Object.create(data), { prepare: (sql: string) => (calls++, data.prepare(sql)) })
    const from: Mark | undefined = cursor === undefined ? undefined : readMark(Buffer.from(cursor, 'base64url').toString(), corpus.uid)
    const about = { corpus: corpus.name, version: 1 }
    const writer = format === 'jsonl' ? jsonLines(about, from?.carried) : graphml(about)
    const source = {
      record: corpus,
      object,
      objectAt: () => object,
      asker: 'all' as const,
      listings: listings(databasesOf({ DB: bound.bindings.DB, DATA_0: counted })),
    }
    const encode = (mark: string) => Buffer.from(mark).toString('base64url')
    let text = ''
    for await (const line of partOf(source, { writer, version: 1, from, encode }, bounds)) text += line
    asked.push(calls)
    return new Response(text)
  }
}

it('[H103] the parts of an export, joined by the client, are the export', async () => {
  const corpus = record('parted')
  await readModel(databasesOf(bound.bindings)).publish(corpus, { version: 1, upto: 1 }, changes)
  const tight = { calls: 3, bytes: 600, firstRows: 7, maxRows: 9 }
  const asked: number[] = []
  const text = await (await wholeExport(answered(corpus, 'jsonl', tight, asked))).text()
  expect([asked.length > 5, Math.max(...asked)]).toEqual([true, 3])
  expect(await verifyExport(text.trim().split('\n'))).toMatchObject({ verdict: 'whole', rows: 4 * DOCUMENTS, faults: [] })
  const end = JSON.parse(text.trim().split('\n').at(-1) ?? '')
  expect(end.counts).toEqual({ document: DOCUMENTS, chunk: DOCUMENTS, label: 0, node: DOCUMENTS, edge: DOCUMENTS, receipt: 1 })
  const atOnce = await (await answered(corpus, 'jsonl', limits, [])()).text()
  const rows = (all: string) => all.split('\n').filter((line) => !/^\{"type":"(next|end)"/.test(line))
  expect(rows(text)).toEqual(rows(atOnce))
})

it('[H103] a part that is missing, repeated or altered does not verify', async () => {
  const corpus = record('parted')
  const tight = { calls: 3, bytes: 600, firstRows: 7, maxRows: 9 }
  const lines = (await (await wholeExport(answered(corpus, 'jsonl', tight, []))).text()).trim().split('\n')
  const marks = lines.flatMap((line, i) => (line.startsWith('{"type":"next"') ? [i] : []))
  const [first = 0, second = 0] = marks
  const broken = [
    [...lines.slice(0, first), ...lines.slice(second)],
    [...lines.slice(0, second + 1), ...lines.slice(first + 1)],
    lines.map((line, i) => (i === second - 1 ? line.replace('"', ' "') : line)),
    lines.slice(0, second + 1),
  ]
  const verdicts = await Promise.all(broken.map(async (one) => (await verifyExport(one)).verdict))
  expect([marks.length > 5, verdicts]).toEqual([true, ['broken', 'broken', 'broken', 'broken']])
})

it('[H103] GraphML in parts is one document', async () => {
  const corpus = record('parted')
  const xml = await (await wholeExport(answered(corpus, 'graphml', { calls: 2, bytes: 600, firstRows: 7, maxRows: 9 }, []))).text()
  expect([xml.match(/<\?xml/g)?.length, xml.match(/<\/graphml>/g)?.length, xml.match(/<node /g)?.length]).toEqual([1, 1, 3 * DOCUMENTS])
  expect(xml).not.toContain('undefined')
})

it('[H4] what no row of D1 can hold is left out alone: nothing else waits, and an export reads it from the object', async () => {
  const corpus = record('huge')
  const inside = { DB: limitedD1(bound.bindings.DB as D1Database, 'DB'), DATA_0: limitedD1(bound.bindings.DATA_0 as D1Database, 'DATA_0') }
  const refused = inside.DATA_0.prepare('SELECT ?').bind(JSON.stringify(huge)).all()
  await expect(refused).rejects.toThrow('D1_ERROR: string or blob too big: SQLITE_TOOBIG')
  const edge = { kind: 'relates' as const, source: 'e_a', target: 'e_b', weight: 1, data: huge }
  const node = { id: 'e_huge', kind: 'entity' as const, layer: 0, text: 'Oslo', tokens: 1, data: huge }
  await readModel(databasesOf(inside)).publish(corpus, { version: 1, upto: 1 }, [
    ...changes,
    { op: 'put-edge', edge },
    { op: 'put-node', node },
  ])
  const lines = (await (await answered(corpus, 'jsonl', limits, [])()).text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.at(-1).counts).toMatchObject({ document: DOCUMENTS, node: DOCUMENTS + 1, edge: DOCUMENTS + 1 })
  expect(lines.filter(({ data }) => JSON.stringify(data) === JSON.stringify(huge)).map(({ type }) => type)).toEqual(['node', 'edge'])
  const [shown] = await listings(databasesOf(inside)).nodes(corpus, { kind: 'entity', q: 'oslo' }, { after: '', limit: 1 })
  expect(shown?.data).toEqual({ omitted_bytes: expect.any(Number) })
})

it('[H103] thirty thousand rows are read in a handful of calls, and a page is bounded by bytes', async () => {
  const corpus = record('long')
  const db = bound.bindings.DATA_0 as D1Database
  await db
    .prepare(
      `INSERT INTO node (uid, id, kind, layer, text, tokens, stale, data, version)
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
SELECT 'long', 'e_' || printf('%06d', i), 'entity', 0, 'Entity ' || i, 2, 0, '{}', 1 FROM n`,
    )
    .run()
  const asked: number[] = []
  const text = await (await wholeExport(answered(corpus, 'jsonl', limits, asked))).text()
  expect([asked.length, (asked[0] ?? 99) < 10]).toEqual([1, true])
  expect(text.split('\n').filter((line) => line.startsWith('{"type":"node"'))).toHaveLength(30_000)
  const { rows, bytes } = await listings(databasesOf(bound.bindings)).page(corpus, 'node', { after: '', rows: 1000, bytes: 1 })
  expect([rows.length, bytes > 1]).toEqual([1, true])
})
