/**
 * A corpus that grows by commits of about a thousand changed entities, under all limits at once: the heap's ceiling and the watch over array buffers, Workers
 * AI's calls a minute, Vectorize's sizes and delay, D1's calls. The whole Loam in local workerd, over HTTP; hash embedder, no text model. Beside it
 * questions come in, and somebody looks after the corpus all the time, to see for how long no request is answered. Prints a line for every share and a table at the end.
 *   npm run bench within-limits [-- --documents 10000 --size 100 --strategies erarag,cluerag,ketrag --delay 10000 --questions 60 --minutes 15]
 */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { CorpusClient, CorpusHealth, Receipt, Search } from '../../src/client/client'
import { random } from '../../src/core/random'
import { asStrategies, ingest, type Loam, quantile, start } from '../system/loam'

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '10000' },
    size: { type: 'string', default: '100' }, // documents in a batch, which is one commit
    strategies: { type: 'string', default: 'erarag,cluerag,ketrag' },
    delay: { type: 'string', default: '10000' }, // ms until a vector is visible
    questions: { type: 'string', default: '60' }, // a minute
    minutes: { type: 'string', default: '15' }, // then it ends with what is in
  },
})
const SHARES = 10 // lines printed
const LOOK = 50 // ms between two looks
const IDLE = 100 // questions asked when all is done
const SETTLED = 120_000 // ms, at most, for the vectors of the last batch to be visible
const NAMES = { fresh: 5, known: 5 } as const // of a document
const ASKED = ['keyword', 'hybrid', 'auto', ...values.strategies.split(',').filter((name) => name !== 'erarag')].filter(Boolean)
const STRATEGIES = values.strategies.split(',').filter(Boolean)

const dice = random('within limits')
const SYLLABLES = 'ba de fi go hu ka le mi no pu ra se ti vo wu xa ye zi cho sha'.split(' ')
const THINGS = 'heron pond mill river otter willow stone bridge farmer winter harvest council letter harbour lantern orchard'.split(' ')
const one = (list: readonly string[]): string => list[dice.below(list.length)] ?? ''

/** Two words, another for every number. */
function name(n: number): string {
  const word = (of: number): string => {
    const text = [of % 20, Math.floor(of / 20) % 20, Math.floor(of / 400) % 20].map((at) => SYLLABLES[at]).join('')
    return text[0]?.toUpperCase() + text.slice(1)
  }
  return `${word(n * 7 + 3)} ${word(Math.floor(n / 8000) + n * 13)}son`
}

let named = 0
function document(n: number): { readonly id: string; readonly title: string; readonly text: string } {
  const fresh = Array.from({ length: NAMES.fresh }, () => name(named++))
  const known = Array.from({ length: NAMES.known }, () => name(dice.below(named)))
  const all = [...fresh, ...known]
  const sentences = all.map((who, i) => {
    const other = all[(i + 1 + dice.below(all.length - 1)) % all.length]
    return `${who} met ${other} near the ${one(THINGS)} of the ${one(THINGS)} in ${1800 + dice.below(200)}, and spoke of a ${one(THINGS)}.`
  })
  return { id: `d${n}`, title: `Note ${n}`, text: sentences.join(' ') }
}

/** How long each call of some kind took, until it is stopped. */
function repeatedly(
  every: number,
  call: () => Promise<unknown>,
): { readonly times: number[]; readonly failed: () => number; end(): Promise<void> } {
  const times: number[] = []
  let [going, failures] = [true, 0]
  const ended = (async () => {
    while (going) {
      const since = performance.now()
      await call().catch(() => failures++)
      times.push(performance.now() - since)
      await pause(Math.max(0, every - (performance.now() - since)))
    }
  })()
  return {
    times,
    failed: () => failures,
    end: async () => {
      going = false
      await ended
    },
  }
}

const question = (corpus: CorpusClient) => (): Promise<unknown> =>
  corpus.search({
    query: `Whom did ${name(dice.below(named))} meet near the ${one(THINGS)}?`,
    strategy: one(ASKED) as Search['strategy'],
  })

const MB = (bytes: number): string => (bytes / 1e6).toFixed(0)
const s = (ms: number): string => `${(ms / 1000).toFixed(2)} s`

async function grown(
  loam: Loam,
  corpus: CorpusClient,
): Promise<{ lines: string[]; receipts: Receipt[]; busy: number[]; longest: number; failed: number; seconds: number }> {
  const looks = repeatedly(LOOK, () => corpus.info())
  const questions = repeatedly(60_000 / Number(values.questions), question(corpus))
  const receipts: Receipt[] = []
  const lines: string[] = []
  const began = performance.now()
  const until = began + 60_000 * Number(values.minutes)
  const share = Math.ceil(Number(values.documents) / SHARES)
  let seen = 0
  for (let n = 0; n < Number(values.documents) && performance.now() < until; ) {
    const batch = Array.from({ length: Math.min(Number(values.size), Number(values.documents) - n) }, (_, i) => document(n + i))
    receipts.push((await ingest(corpus, batch)).receipt)
    n += batch.length
    if (n % share >= batch.length && n < Number(values.documents)) continue
    const { heap, buffers, live, held, restarts } = await loam.memory()
    const { counts } = await corpus.info()
    const gap = Math.max(...looks.times.slice(seen))
    seen = looks.times.length
    const line = `| ${counts.documents} | ${counts.entities} | ${((performance.now() - began) / 1000).toFixed(0)} | ${MB(heap)} | ${MB(buffers)} | ${MB(live)} | ${MB(held)} | ${(gap / 1000).toFixed(2)} | ${restarts} |`
    lines.push(line)
    console.log(line)
  }
  const seconds = (performance.now() - began) / 1000
  await Promise.all([looks.end(), questions.end()])
  return { lines, receipts, busy: questions.times, longest: Math.max(...looks.times), failed: looks.failed() + questions.failed(), seconds }
}

/** Until nothing is under way and the index shows what was written last, or too much time has passed. */
async function settled(corpus: CorpusClient): Promise<CorpusHealth> {
  for (const until = performance.now() + SETTLED; ; await pause(500)) {
    const health = await corpus.health()
    const { status } = await corpus.info()
    if ((health.outbox.entries === 0 && status === 'settled') || performance.now() > until) return health
  }
}

async function idle(corpus: CorpusClient): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < IDLE; i++) {
    const since = performance.now()
    await question(corpus)()
    times.push(performance.now() - since)
    await pause(LOOK)
  }
  return times
}

/** Vectors that the stand-in of the index holds, read from its own SQLite. */
function vectorsIn({ state }: Loam): number {
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite')
  const folder = join(state, 'data/v3/do/stand-ins-VectorStore')
  const files = readdirSync(folder).filter((file) => file.endsWith('.sqlite') && file !== 'metadata.sqlite')
  return files.reduce((sum, file) => {
    const rows = new DatabaseSync(join(folder, file), { readOnly: true })
      .prepare("SELECT name FROM sqlite_master WHERE name = 'vectors'")
      .all()
    if (rows.length === 0) return sum
    return sum + new DatabaseSync(join(folder, file), { readOnly: true }).prepare('SELECT count(*) AS n FROM vectors').get().n
  }, 0)
}

const loam = await start('hash', { LOCAL_AI_RATES: '', LOCAL_MEMORY: 'all', LOCAL_VECTORIZE_DELAY_MS: values.delay })
try {
  const corpus = loam.client.corpus('within')
  await corpus.create({ strategies: asStrategies(STRATEGIES) })
  const head =
    '| documents | entities | s | heap, MB | buffers | live | held | longest wait, s | restarts |\n|---|---|---|---|---|---|---|---|---|'
  console.log(head)
  const { lines, receipts, busy, longest, failed, seconds } = await grown(loam, corpus)
  const health = await settled(corpus)
  const quiet = await idle(corpus)
  const { counts } = await corpus.info()
  const { rows_published: published } = await corpus.usage()
  const memory = await loam.memory()
  const touched = receipts.map((one) => one.touched.entities ?? 0)
  const each = (sum: number): string => (sum / Math.max(1, counts.chunks ?? 0)).toFixed(1)
  console.log(`
${counts.documents} documents, ${counts.chunks} chunks, ${counts.entities} entities in ${seconds.toFixed(0)} s; ${values.strategies}; memory in MB
${[head, ...lines].join('\n')}

| what | measured |
|---|---|
| changed entities a commit: median, most | ${quantile(touched, 0.5)}, ${Math.max(...touched)} |
| memory of the isolate: heap, array buffers, both at once; with what nobody reaches | ${MB(memory.heap)}, ${MB(memory.buffers)}, ${MB(memory.live)} MB; ${MB(memory.held)} MB (${memory.collections} collections, ${memory.restarts} restarts) |
| longest time without an answer | ${s(longest)} |
| calls that failed | ${failed} |
| commits of a batch: median, most | ${s(
    quantile(
      receipts.map((one) => one.ms),
      0.5,
    ),
  )}, ${s(Math.max(...receipts.map((one) => one.ms)))} |
| rows a chunk: object, D1; vectors in the index | ${each(receipts.reduce((sum, one) => sum + one.rows_written, 0))}, ${each(published)}; ${each(vectorsIn(loam))} |
| until vectors are visible (delay of the stand-in: ${s(Number(values.delay))}) | ${health.sinks.index.delay_ms === null ? 'not known' : s(health.sinks.index.delay_ms)}; ${health.outbox.entries} entries left |
| questions while it grows (${busy.length}): p50, p95, most | ${s(quantile(busy, 0.5))}, ${s(quantile(busy, 0.95))}, ${s(Math.max(...busy))} |
| idle (${quiet.length}) | ${s(quantile(quiet, 0.5))}, ${s(quantile(quiet, 0.95))}, ${s(Math.max(...quiet))} |`)
} finally {
  await loam.stop()
}
