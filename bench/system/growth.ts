/** Indexing speed, rows written, and search latency as a corpus grows, through the real Worker with the hash embedder. */

import { hashEmbedding } from '../../local/workerd/hash-embedder'
import type { CorpusClient, Search } from '../../src/client/client'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { divide } from '../../src/core/text/divide'
import { merged } from '../quality/corpora'
import { asStrategies, consolidate, ingest, quantile, start } from './loam'
import { type Text, take, texts } from './texts'

const SINGLES = 20
const BATCH = 500 // documents; a call may bring 1,000

const QUESTIONS = [
  'What can many talented high school graduates not afford?',
  'Which treaty was concluded with the Indian tribes?',
  'How large is the surplus in the treasury this year?',
  'What should Congress do about the tariff on wool?',
  'How many soldiers serve abroad in time of peace?',
  'When was the canal through the isthmus opened?',
  'Why must the currency be sound?',
  'What relief is proposed for the farmers?',
]

type Strategy = NonNullable<Search['strategy']>

export interface Growing {
  /** Of documents, at which is measured. */
  readonly sizes: readonly number[]
  readonly strategies: readonly string[]
  readonly asked: readonly string[]
  /** Folder of the evaluation sets: then their passages and questions, merged, in place of long speeches. */
  readonly data?: string
  /** Also put every batch into a corpus without strategies, in turn, for a ratio that does not hang on how busy the machine is. */
  readonly beside: boolean
}

export interface Step {
  readonly chunks: number
  readonly passages: number
  readonly chunksPerSecond: number
  /** Seconds a chunk takes with the strategies, as a multiple of those without. */
  readonly times?: number
  /** The same without the time that computing the passages' vectors alone takes (measured beside; transport and checks of them stay in). */
  readonly embeddingApart: number
  /** Written by the object, and by the read model in D1, indexes included. */
  readonly rowsPerChunk: number
  readonly publishedPerChunk: number
  /** Of documents of one chunk put one by one into the corpus as it stands: mean rows written by the object, median ms of the job's commits. */
  readonly single: { readonly rows: number; readonly ms: number }
  /** p50 and p95 in ms of each strategy's time inside the Worker, the embedding of the question taken out. */
  readonly latency: { readonly [strategy: string]: { readonly p50: number; readonly p95: number } }
}

export async function growth({ sizes, strategies, asked, data, beside }: Growing): Promise<Step[]> {
  const loam = await start('hash')
  try {
    const [corpus, plainCorpus] = [loam.client.corpus('growth'), loam.client.corpus('plain')]
    await corpus.create({ strategies: asStrategies(strategies) })
    if (beside) await plainCorpus.create({ strategies: [] })
    const real = data === undefined ? undefined : merged(data)
    const source = real ? real.documents.values() : texts()
    const questions = real
      ? real.questions.filter((_, i) => i % Math.ceil(real.questions.length / 48) === 0).map((one) => one.text)
      : QUESTIONS
    const steps: Step[] = []
    let have = 0
    for (const size of sizes) {
      const before = await rowsPublished(corpus)
      const { seconds, embedding, made, rows, plain } = await grow(corpus, source, size - have, beside ? plainCorpus : undefined)
      have = size
      const published = await rowsPublished(corpus)
      const single = await oneByOne(corpus, source)
      have += SINGLES
      const { chunks = 0, passages = 0 } = (await corpus.info()).counts
      steps.push({
        chunks,
        passages,
        chunksPerSecond: made / seconds,
        ...(beside ? { times: seconds / plain } : {}),
        embeddingApart: made / (seconds - embedding),
        rowsPerChunk: rows / made,
        publishedPerChunk: (published - before) / made,
        single,
        latency: await latencies(corpus, asked as readonly Strategy[], questions),
      })
    }
    if (strategies.length > 0) {
      const since = performance.now()
      await consolidate(corpus)
      console.log(`consolidated in ${((performance.now() - since) / 1000).toFixed(1)} s`)
    }
    return steps
  } finally {
    await loam.stop()
  }
}

async function rowsPublished(corpus: CorpusClient): Promise<number> {
  return (await corpus.usage()).rows_published
}

async function oneByOne(corpus: CorpusClient, source: Iterator<Text>): Promise<Step['single']> {
  const rows: number[] = []
  const ms: number[] = []
  for (let i = 0; i < SINGLES; i++) {
    const { receipt } = await ingest(corpus, take(source, 1))
    rows.push(receipt.rows_written)
    ms.push(receipt.ms)
  }
  return { rows: rows.reduce((a, b) => a + b, 0) / SINGLES, ms: quantile(ms, 0.5) }
}

async function grow(corpus: CorpusClient, source: Iterator<Text>, documents: number, beside: CorpusClient | undefined) {
  let made = 0
  let plain = 0
  let rows = 0
  let seconds = 0
  let embedding = 0
  for (let left = documents; left > 0; left -= BATCH) {
    const batch = take(source, Math.min(BATCH, left))
    const { receipt, seconds: took } = await ingest(corpus, batch)
    embedding += embeddingAlone(batch)
    made += receipt.touched.chunks ?? 0
    rows += receipt.rows_written
    seconds += took
    if (beside) plain += (await ingest(beside, batch)).seconds
  }
  return { made, rows, seconds, embedding, plain }
}

/** Seconds the hash embedder needs for the passages of these texts, here and now. */
function embeddingAlone(texts: readonly Text[]): number {
  const { chunking, dimensions } = defaultSettings
  const passages = texts.flatMap((one) =>
    divide(one, chunking).chunks.flatMap((chunk) => chunk.passages.map((span) => chunk.text.slice(span.start, span.end))),
  )
  const since = performance.now()
  for (const passage of passages) hashEmbedding(passage, dimensions)
  return (performance.now() - since) / 1000
}

async function latencies(corpus: CorpusClient, asked: readonly Strategy[], questions: readonly string[]): Promise<Step['latency']> {
  const out: { [strategy: string]: { p50: number; p95: number } } = {}
  for (const strategy of asked) {
    const times: number[] = []
    for (let round = 0; round < (questions.length > 8 ? 2 : 6); round++) {
      for (const query of questions) {
        const since = performance.now()
        const { timing_ms } = await corpus.search({ query, strategy })
        // The whole request as the client sees it, but for the embedding of the question.
        if (round > 0) times.push(performance.now() - since - (timing_ms.embed ?? 0))
      }
    }
    out[strategy] = { p50: quantile(times, 0.5), p95: quantile(times, 0.95) }
  }
  return out
}
