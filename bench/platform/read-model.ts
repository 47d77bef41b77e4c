/**
 * What the read model costs: calls to D1, rows written and bytes kept for each chunk, and the calls of an export. The object's own code on
 * node:sqlite, the adapters on the D1 of Miniflare.
 *   npm run bench read-model [-- --strategies erarag,cluerag --data <folder> --passages 5000]
 */
import { parseArgs } from 'node:util'
import { Miniflare } from 'miniflare'
import { drainModel } from '../../durable-objects/corpus/outbox/read-model-sink'
import { d1, limitedD1 } from '../../local/platform/d1'
import { hashEmbedding } from '../../local/workerd/hash-embedder'
import { pendingMigrations } from '../../scripts/lib/migrations.mjs'
import { databasesOf, sizeOf } from '../../src/adapters/databases'
import { listings } from '../../src/adapters/read-model/listings'
import { readModel } from '../../src/adapters/read-model/publish'
import { quantize } from '../../src/core/vectors'
import { partOf } from '../../src/http/export-parts'
import { jsonLines } from '../../src/http/json-lines'
import { localObject } from '../lib/object'
import { merged } from '../quality/corpora'
import { take, texts } from '../system/texts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    strategies: { type: 'string', default: '' },
    passages: { type: 'string', default: '3000' },
    size: { type: 'string', default: '100' },
  },
})
const DIMENSIONS = 64 // vectors do not leave for D1
const KINDS = ['entity', 'keyword', 'summary', 'community', 'label'] as const

const miniflare = new Miniflare({ cf: false, modules: true, script: 'export default {}', d1Databases: { DB: 'bench' } })
const binding = (await miniflare.getD1Database('DB')) as unknown as Parameters<typeof limitedD1>[0]
const fresh = { path: () => '/nonexistent' }
const production = { d1_databases: [{ binding: 'DB', migrations_dir: 'migrations' }] }
for (const { statements } of pendingMigrations({ root: process.cwd(), state: fresh, production })?.migrations.DB ?? []) {
  await binding.batch(statements.map((statement: string) => binding.prepare(statement)))
}
const databases = databasesOf({ DB: limitedD1(binding, 'DB') })
const empty = await sizeOf(databases.control)

const object = localObject(values.strategies.split(',').filter(Boolean), { dimensions: DIMENSIONS })
const { graph, config } = object.context
const source = values.data === undefined ? texts() : merged(values.data).documents.values()
const embed = (list: readonly string[]): Int8Array[] => list.map((text) => quantize(hashEmbedding(text, DIMENSIONS)))
const model = readModel(databases)
let [calls, rows] = [0, 0]
const counted: typeof model = {
  ...model,
  async publish(corpus, at, changes) {
    const before = d1.calls
    const written = await model.publish(corpus, at, changes)
    calls += d1.calls - before
    rows += written.rows
    return written
  },
}
let documents = 0
while (graph.count('passage') < Number(values.passages)) {
  const batch = take(source, Number(values.size)).map((one) => ({ ...one, url: null, metadata: {} }))
  if (batch.length === 0) break
  documents += batch.length
  object.ingest(batch, embed)
  await drainModel(object.context, counted)
}
const chunks = graph.count('chunk')
const bytes = (await sizeOf(databases.control)) - empty
const each = (n: number, digits = 1): string => (n / chunks).toFixed(digits)
const derived = KINDS.map((kind) => `${graph.count(kind)} ${kind}`).join(', ')
console.log(`${documents} documents, ${chunks} chunks (${derived}, ${graph.edgeCount()} edges), strategies: ${values.strategies || 'none'}`)
console.log(`per chunk: ${each(calls, 3)} calls, ${each(rows)} rows written, ${each(bytes, 0)} bytes kept`)

const before = d1.calls
const none = { labels: async () => ({ data: [], next_cursor: null }), receipts: async () => ({ data: [], next_cursor: null }) }
const seen = async () => ({ documents: {}, inactive: [], dates: {}, chunks: [], nodes: [], edges: [], all: true })
const record = { ...config, public: false, created: 0 }
const part = { writer: jsonLines({ corpus: 'bench', version: graph.version }), version: graph.version, from: undefined, encode: String }
let exported = 0
for await (const line of partOf(
  {
    record,
    asker: 'all',
    object: { ...none, seen },
    objectAt: () => ({ seen, dataOf: async () => undefined }),
    listings: listings(databases),
  },
  part,
))
  exported += line.length
console.log(`export: ${d1.calls - before} calls to D1 for ${(exported / 1e6).toFixed(1)} MB`)
await miniflare.dispose()
