/** How much a corpus holds: what would not fit is refused at once. */
import { describe, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { LIMITS, limitsOf } from '../../../durable-objects/corpus/limits'
import { health } from '../../../durable-objects/corpus/maintenance/health'
import { startMaintenance } from '../../../durable-objects/corpus/maintenance/maintain'
import { nextBatch } from '../../../durable-objects/corpus/outbox/outbox'
import { drainModel } from '../../../durable-objects/corpus/outbox/read-model-sink'
import { storeSize } from '../../../durable-objects/corpus/outbox/store-size'
import { insertOutboxEntries, type OutboxEntry } from '../../../durable-objects/corpus/tables/outbox'
import { Problem, statusOf } from '../../../src/http/problem'
import { requireAccepted } from '../../../src/http/routes/taken'
import type { DocumentInput } from '../../../src/ports/documents'
import type { Accepted } from '../../../src/ports/jobs'
import { countedModels, letter, type Spending, scribe, spending } from './spending'

const limits = { ...LIMITS, documents: 4, chunks: 6 }
const { models } = countedModels(scribe)
const long = (id: string): DocumentInput => ({ ...letter(7, 120), id }) // some four chunks

function put(corpus: Spending, upserts: readonly DocumentInput[], deletes: readonly string[] = []): Accepted {
  return accept({ ...corpus.context, limits }, { kind: 'batch', upserts, deletes })
}

describe('the read model', () => {
  it('[H1] does not claim to have a version before all of it was sent', async () => {
    const corpus = spending([])
    const commits = 60 // more than one batch of the outbox
    for (let n = 0; n < commits; n++) {
      corpus.accept([letter(n)])
      await corpus.work(models)
    }
    const sent: { upto: number; documents: number }[] = []
    const readModel = {
      publish: async (_corpus: unknown, { upto }: { upto: number }, changes: readonly { op: string }[]) => {
        sent.push({ upto, documents: changes.filter(({ op }) => op === 'put-document').length })
        return { rows: 0, bytes: 0 }
      },
    }
    await drainModel(corpus.context, readModel as never)
    const { version } = corpus.context.graph
    expect([sent.length > 1, sent.reduce((sum, one) => sum + one.documents, 0), sent.at(-1)?.upto]).toEqual([true, commits, version])
    const [first] = sent
    expect(first?.upto).toBe((first?.documents ?? 0) * (version / commits))
    corpus.close()
  })
})

it('[H430] of what waits for a sink no more is read than is sent next', () => {
  const corpus = spending([])
  const { sql, graph } = corpus.context
  for (let row = 0; row < 40; row++) {
    const entries = Array.from({ length: 400 }, (_, n): OutboxEntry => ['n', `e_${row}_${n}`])
    insertOutboxEntries(sql, graph.version, entries)
  }
  let rows = 0
  const one: typeof sql.one = (query, ...bindings) => {
    rows++
    return sql.one(query, ...bindings)
  }
  const all: typeof sql.all = (query, ...bindings) => {
    const found = sql.all(query, ...bindings)
    rows += found.length
    return found as never
  }
  const batch = nextBatch({ ...corpus.context, sql: { ...sql, one, all } }, 0)
  expect([batch?.entries.length, rows]).toEqual([1200, 3])
  expect(nextBatch(corpus.context, batch?.seq ?? 0)?.entries[0]).toEqual(['n', 'e_3_0'])
  corpus.close()
})

describe('a full corpus', () => {
  it('[V76] refuses a document beyond its number, those on their way counted, and keeps nothing of it', async () => {
    const corpus = spending([])
    expect(put(corpus, [letter(0), letter(1), letter(2)]).kind).toBe('accepted')
    expect(put(corpus, [letter(3), letter(4)])).toEqual({ kind: 'full', what: 'documents', max: 4 }) // three are still staged
    await corpus.work(models)
    expect(put(corpus, [letter(3), letter(4)])).toEqual({ kind: 'full', what: 'documents', max: 4 })
    expect(corpus.context.sql.all(`SELECT * FROM revision WHERE document = 'letter-3'`)).toEqual([])
    expect(put(corpus, [letter(3)]).kind).toBe('accepted')
    await corpus.work(models)
    expect(corpus.context.graph.count('document')).toBe(4)
    corpus.close()
  })

  it('[V76] a document that replaces another, or comes as another is deleted, still fits', async () => {
    const corpus = spending([])
    put(
      corpus,
      [0, 1, 2, 3].map((n) => letter(n)),
    )
    await corpus.work(models)
    expect(put(corpus, [{ ...letter(9), id: 'letter-0' }]).kind).toBe('accepted')
    expect(put(corpus, [letter(5)]).kind).toBe('full')
    expect(put(corpus, [letter(5)], ['letter-1']).kind).toBe('accepted')
    expect(put(corpus, [], ['letter-2']).kind).toBe('accepted')
    corpus.close()
  })

  it('[V76] chunks count when they are cut, and only once where documents share them', async () => {
    const corpus = spending([])
    const { kind } = put(corpus, [long('a')])
    await corpus.work(models)
    const chunks = corpus.context.graph.count('chunk')
    expect([kind, chunks > 3, chunks <= 6]).toEqual(['accepted', true, true])
    expect(put(corpus, [{ ...long('b'), text: long('b').text.toUpperCase() }])).toEqual({ kind: 'full', what: 'chunks', max: 6 })
    expect(put(corpus, [long('b')]).kind).toBe('accepted') // the same text
    expect(put(corpus, [{ ...long('a'), text: long('a').text.toUpperCase() }]).kind).toBe('full') // b still holds the old ones
    corpus.close()
  })

  it('[H102] refuses documents once its database is full, and keeps nothing of what it refuses; deletions go on', async () => {
    const corpus = spending([])
    put(corpus, [letter(0)])
    await corpus.work(models)
    const clock = { now: 1_000_000 }
    const known = { held: 7e9, max: 8e9 }
    const size = storeSize('database_bytes', () => clock.now)
    const put8 = (upserts: readonly DocumentInput[], deletes: readonly string[] = []): string =>
      accept({ ...corpus.context, databaseSize: size }, { kind: 'batch', upserts, deletes }).kind
    const look = (): Promise<void> => size.refresh(async () => ({ ...known }))
    await look()
    expect(put8([letter(1)])).toBe('accepted')
    size.note(8e9) // its own write said so
    expect(put8([letter(2)])).toBe('full')
    expect(corpus.context.sql.all(`SELECT * FROM revision WHERE document = 'letter-2'`)).toEqual([])
    expect(put8([], ['letter-0'])).toBe('accepted')
    await look() // asked a moment ago: what is known holds
    expect(put8([letter(2)])).toBe('full')
    clock.now += 60_000
    await look() // other corpora were deleted
    expect(put8([letter(2)])).toBe('accepted')
    clock.now += 60_000
    known.held = 9e9 // other corpora have grown
    await look()
    expect(put8([letter(3)])).toBe('full')
    clock.now += 60_000
    await size.refresh(() => Promise.reject(new Error('D1_ERROR: Network connection lost.')))
    expect(put8([letter(3)])).toBe('full')
    corpus.close()
  })

  it('[H102] refuses documents once the vector index is full, which all corpora share; deletions go on', async () => {
    const corpus = spending([])
    put(corpus, [letter(0)])
    await corpus.work(models)
    const indexSize = storeSize('index_vectors', () => 0)
    await indexSize.refresh(async () => ({ held: 9.5e6, max: 9.5e6 }))
    const context = { ...corpus.context, indexSize }
    expect(accept(context, { kind: 'batch', upserts: [letter(1)], deletes: [] })).toEqual({
      kind: 'full',
      what: 'index_vectors',
      max: 9.5e6,
    })
    expect(corpus.context.sql.all(`SELECT * FROM revision WHERE document = 'letter-1'`)).toEqual([])
    expect(accept(context, { kind: 'batch', upserts: [], deletes: ['letter-0'] }).kind).toBe('accepted')
    expect(() => requireAccepted({ kind: 'full', what: 'index_vectors', max: 9.5e6 })).toThrow(
      expect.objectContaining({ code: 'index_full', more: { members: { limit: 9.5e6, of: 'index_vectors' } } }),
    )
    expect(statusOf('index_full')).toBe(507)
    corpus.close()
  })

  it('[H102] names the limit, and what to do', () => {
    expect(() => requireAccepted({ kind: 'full', what: 'database_bytes', max: 8e9 })).toThrow(
      expect.objectContaining({ code: 'database_full', more: { members: { limit: 8e9, of: 'database_bytes' } } }),
    )
    expect(statusOf('database_full')).toBe(507)
  })

  it('[V124] refuses a document that its storage has no room for, work under way counted, and derives no shadow graph; deletions go on', async () => {
    const corpus = spending([])
    const used = { bytes: 0 }
    const context = { ...corpus.context, limits: { ...LIMITS, bytes: 2_000_000 }, sql: { ...corpus.context.sql, size: () => used.bytes } }
    const put = (upserts: readonly DocumentInput[], deletes: readonly string[] = []): Accepted =>
      accept(context, { kind: 'batch', upserts, deletes })
    const full = { kind: 'full', what: 'storage_bytes', max: 2_000_000 }
    expect(put([letter(0), letter(1)]).kind).toBe('accepted')
    used.bytes = 1_600_000
    expect(put([letter(2), letter(3)])).toEqual(full) // two are still staged
    expect(corpus.context.sql.all(`SELECT * FROM revision WHERE document = 'letter-2'`)).toEqual([])
    await corpus.work(models)
    expect(put([letter(2)]).kind).toBe('accepted')
    expect([
      startMaintenance(context, 'reindex'),
      startMaintenance(context, 'rebuild'),
      startMaintenance(context, 'consolidate').kind,
    ]).toEqual([full, full, 'accepted'])
    used.bytes = 2_000_001
    expect(put([letter(4)])).toEqual(full)
    expect(put([], ['letter-0']).kind).toBe('accepted')
    expect(health(context).storage).toEqual({ bytes: 2_000_001, limit: 2_000_000, share: 1 })
    used.bytes = 1_000_000
    expect([put([letter(4)]).kind, startMaintenance(context, 'reindex').kind]).toEqual(['accepted', 'accepted'])
    corpus.close()
  })

  it('[V124] names the limit, and what to do', () => {
    expect(() => requireAccepted({ kind: 'full', what: 'storage_bytes', max: 8e9 })).toThrow(
      expect.objectContaining({ code: 'storage_full', more: { members: { limit: 8e9, of: 'storage_bytes' } } }),
    )
    expect([statusOf('storage_full'), limitsOf({}).bytes, limitsOf({ CORPUS_BYTES: '5' }).bytes]).toEqual([507, 8e9, 5])
  })

  it('[V1101] says why there is a limit and where further documents go', () => {
    const told = (['documents', 'chunks', 'storage_bytes'] as const).map((what) => {
      try {
        return requireAccepted({ kind: 'full', what, max: 100_000 })
      } catch (error) {
        return error instanceof Problem ? error.detail : error
      }
    })
    const room =
      'Divide it into (more) partitions, in place and while it serves: each holds this much (`loam repartition 8`, or POST …:repartition; docs/partitions.md). Or delete documents, or put further ones into another corpus: several can be asked together.'
    expect(told).toEqual([
      `These documents would take the corpus over 100,000 documents: one object holds all of it. ${room}`,
      `These documents would take the corpus over 100,000 chunks: one object holds all of it. ${room}`,
      `These documents would take the storage of the corpus, which one object holds, over 0.0001 GB; the rest of the object is left for deletions. ${room}`,
    ])
  })

  it('[V76] has a code of its own, and the limits are configuration', () => {
    expect(() => requireAccepted({ kind: 'full', what: 'chunks', max: 6 })).toThrow(
      expect.objectContaining({ code: 'corpus_full', more: { members: { limit: 6, of: 'chunks' } } }),
    )
    expect(statusOf('corpus_full')).toBe(413)
    expect([limitsOf({}), limitsOf({ CORPUS_DOCUMENTS: '5', CORPUS_CHUNKS: '' })]).toEqual([LIMITS, { ...LIMITS, documents: 5 }])
  })
})
