/**
 * What telling the vector index costs the object, and what a question pays for what the index does not show: `npm run bench vector-index`.
 * With `node --expose-gc` (NODE_OPTIONS) it says what a call holds, too. Vectors are Gaussian, of 1,024 dimensions.
 */

import { MAX_COMPARED, nearestUnindexed, newReadAllowance } from '../../durable-objects/corpus/outbox/nearest-unindexed'
import { createUnindexedVectors, MAX_BYTES } from '../../durable-objects/corpus/outbox/unindexed-vectors'
import { entryPoints } from '../../durable-objects/corpus/query/entry-points'
import { lastSeq } from '../../durable-objects/corpus/tables/outbox'
import { vectorize } from '../../src/adapters/vectorize'
import { strategies } from '../../src/core/strategies/registry'
import { norm, quantize } from '../../src/core/vectors'
import { vectorizeLimits as limits } from '../../src/platform-limits'
import { localObject } from '../lib/object'

const DIMENSIONS = 1024
const CHUNKS = 3000
const PASSAGES = 8 // of a chunk
const RUNS = 20

let seed = 7
function gaussian(): number {
  const random = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return (seed + 1) / 2 ** 32
  }
  return Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
}
const vector = (): Int8Array => quantize(Array.from({ length: DIMENSIONS }, gaussian))
const MB = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`
const said = (what: string, value: string): void => console.log(`${what.padEnd(64)} ${value}`)

function held(): number {
  ;(globalThis as { gc?: () => void }).gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

async function bodies(): Promise<void> {
  const entries = Array.from({ length: limits.maxUpsertVectors }, (_, i) => ({ id: `p_${i}`, vector: vector(), kind: 'passage', layer: 0 }))
  const before = held()
  const floats = entries.map(({ id, vector }) => {
    const length = norm(vector)
    return { id, values: Array.from(vector, (code) => code / length), namespace: 'n', metadata: { kind: 'passage', layer: 0 } }
  })
  const old = JSON.stringify(floats)
  said('a call before: 1,000 vectors as floats', `${MB(old.length)}, ${MB(held() - before)} held`)
  floats.length = 0
  let calls = 0
  let bytes = 0
  let largest = 0
  let height = 0
  const from = held()
  const index = vectorize({
    upsert: async (vectors) => {
      const body = JSON.stringify(vectors)
      calls++
      bytes += body.length
      largest = Math.max(largest, body.length)
      height = Math.max(height, held() - from)
    },
    describe: async () => ({}),
    deleteByIds: async () => undefined,
    getByIds: async () => [],
    query: async () => ({}),
  })
  await index.upsert('0'.repeat(32), entries)
  said(`a call now: ${limits.safeUpsertVectors} vectors as integers`, `${MB(largest)}, ${MB(height)} held`)
  said('the same 1,000 vectors now', `${MB(bytes)} in ${calls} calls`)
}

function questions(): void {
  const { context: made, ingest } = localObject([], { dimensions: DIMENSIONS, chunking: { chunk: 160, overlap: 0, passage: 20 } })
  const documents = Array.from({ length: CHUNKS / 4 }, (_, n) => {
    const text = Array.from(
      { length: PASSAGES * 4 },
      (_, i) => `Keeper ${n} writes on day ${i} of storm ${n * 31 + i} and of one more ship that came home.`,
    ).join(' ')
    return { id: `d${n}`, text, title: '', url: null, metadata: {} }
  })
  ingest(documents, (texts) => texts.map(vector))
  const passages = made.graph.count('passage')
  said('passages of the corpus, none of them visible', passages.toLocaleString('en'))
  const timed = (what: string, work: () => unknown): void => {
    work()
    const since = process.cpuUsage()
    for (let run = 0; run < RUNS; run++) work()
    const { user, system } = process.cpuUsage(since)
    said(what, `${((user + system) / 1000 / RUNS).toFixed(1)} ms of the processor`)
  }
  said('the tail in memory, however much is not visible', `${MB(made.unindexed.bytes)} of ${MB(MAX_BYTES)}`)
  const asked = vector()
  timed('a question: the tail in memory and rows up to the bound', () =>
    nearestUnindexed(made, { kind: 'passage', vector: asked, k: 50 }, newReadAllowance()),
  )
  const rows = { ...made, unindexed: { ...createUnindexedVectors(lastSeq(made), 0), extend: () => false } }
  timed(`a question: ${MAX_COMPARED.toLocaleString('en')} vectors from rows, none in memory`, () =>
    nearestUnindexed(rows, { kind: 'passage', vector: asked, k: 50 }, newReadAllowance()),
  )
  const strategy = strategies.get('vector')
  if (!strategy) throw new Error('no strategy')
  const terms = ['keeper', 'storm', 'ship', '7000']
  const whole = { ...made, unindexed: createUnindexedVectors(lastSeq(made)) }
  made.sql.run(`INSERT OR REPLACE INTO meta VALUES ('told/seen', ?)`, String(lastSeq(made)))
  timed('a question without the index: every vector', () => made.graph.nearest(asked, 'passage', 50))
  timed('a question without the index, in a corpus beyond the bound', () =>
    entryPoints(whole, strategy, {
      vector: asked,
      terms,
      shown: {},
      documents: undefined,
      allowed: { left: passages - 1, isExceeded: false },
      graph: made.graph,
      sight: undefined,
    }),
  )
}

await bodies()
questions()
