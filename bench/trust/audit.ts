/**
 * What an entry in the audit log adds to its subject: a document taken in, the whole of its indexing, and other labels for a document, with and
 * without an entry, in turns and on one graph each, in Node on node:sqlite. Rows written are counted as the platform bills them. Prints; asserts nothing.
 *   npm run bench audit -- [--documents 400] [--rounds 5] [--strategies erarag]
 */
import { parseArgs } from 'node:util'
import { addAuditEntries } from '../../durable-objects/corpus/audit/log'
import { acceptWithAudit } from '../../durable-objects/corpus/ingest/accept-with-audit'
import { setAccess } from '../../durable-objects/corpus/ingest/set-access'
import { hashEmbedding } from '../../local/workerd/hash-embedder'
import { quantize } from '../../src/core/vectors'
import type { Actor } from '../../src/ports/audit'
import type { DocumentInput } from '../../src/ports/documents'
import { localObject } from '../lib/object'
import { quantile } from '../system/loam'

const { values: flags } = parseArgs({
  options: {
    documents: { type: 'string', default: '400' },
    rounds: { type: 'string', default: '5' },
    strategies: { type: 'string', default: 'erarag' },
  },
})
const D = 256
const BATCH = 64 // documents at a time
const ALONE = 16 // of these that come one by one
const BY: Actor = { key: '5d1c0f2a9b3e4c77', door: 'http' }
const WORDS = 'heron glacier loom violin harbour beehive lantern quarry mill orchard ferry tower keeper letter winter'.split(' ')

/** About one chunk. */
function documentOf(n: number): DocumentInput {
  const word = (i: number): string => WORDS[(n * 7 + i * (3 + (n % 5))) % WORDS.length] ?? ''
  const sentences = Array.from(
    { length: 24 },
    (_, i) => `The ${word(i)} of Port Ellis met the ${word(i + 1)} about ${word(i + 2)} ${n} and ${i}.`,
  )
  return { id: `doc-${n}`, text: sentences.join(' '), title: `Letter ${n}`, url: null, metadata: {}, access: [`group:${n % 10}`] }
}

const embed = (texts: readonly string[]) => texts.map((text) => quantize(hashEmbedding(text, D)))
const strategies = flags.strategies.split(',').filter(Boolean)
const corpora = [undefined, BY].map((by) => ({
  by,
  object: localObject(strategies, { dimensions: D }),
  times: new Map<string, number[]>(),
  rows: new Map<string, number>(),
}))

function timed({ object, times, rows }: (typeof corpora)[number], what: string, work: () => void, kept: boolean): void {
  const before = object.context.sql.written()
  const began = performance.now()
  work()
  if (!kept) return
  times.set(what, [...(times.get(what) ?? []), performance.now() - began])
  rows.set(what, (rows.get(what) ?? 0) + object.context.sql.written() - before)
}

const count = Number(flags.documents)
for (let round = 0; round <= Number(flags.rounds); round++) {
  const kept = round > 0 // the first warms
  for (let n = round * count; n < (round + 1) * count; n += BATCH) {
    const upserts = Array.from({ length: Math.min(BATCH, (round + 1) * count - n) }, (_, i) => documentOf(n + i))
    for (const one of n % (2 * BATCH) === 0 ? corpora : [...corpora].reverse()) {
      const { context } = one.object
      const [alone, others] = [upserts.slice(0, ALONE), upserts.slice(ALONE)]
      const take = (kind: 'ingest' | 'batch', some: readonly DocumentInput[]) =>
        void acceptWithAudit(context, one.by, { kind, upserts: some, deletes: [] })
      for (const each of alone) timed(one, 'a document accepted', () => take('ingest', [each]), kept)
      timed(one, `a batch of ${BATCH - ALONE} accepted`, () => take('batch', others), kept && others.length === BATCH - ALONE)
      timed(one, `indexing of ${BATCH}`, () => void one.object.ingest([], embed), kept)
      const relabel = (id: string) =>
        context.atomically(() => {
          addAuditEntries(context, one.by, [{ action: 'document.access', document: id, outcome: 'done' }])
          setAccess(context, [{ document: id, access: ['group:other'], active: true }])
        })
      for (const { id } of upserts) timed(one, 'other labels for a document', () => void relabel(id), kept)
    }
  }
}

const [plain, audited] = corpora
if (!plain || !audited) throw new Error('no corpora')
console.log('what                           without ms   with ms   ratio   rows without, with (each)')
for (const [what, without] of plain.times) {
  const [base, own] = [quantile(without, 0.5), quantile(audited.times.get(what) ?? [], 0.5)]
  const rows = [plain, audited].map((one) => ((one.rows.get(what) ?? 0) / without.length).toFixed(1))
  console.log(
    `${what.padEnd(30)} ${base.toFixed(3).padStart(10)} ${own.toFixed(3).padStart(9)} ${(own / base).toFixed(3).padStart(7)}   ${rows.join(', ')}`,
  )
}
