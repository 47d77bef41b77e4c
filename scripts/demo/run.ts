/**
 * Adds twelve years of State of the Union addresses, inserts the next one and shows what that touched, asks a dozen questions with every
 * strategy, prints answers with checked citations and a table of recall@5. `run.ts <url> <key> <time it began>`
 */
import { type CorpusClient, type Job, Loam, type Search } from '../../src/client/client'
import strategies from '../../src/contract/strategies.json'
import { type Address, readAddresses } from './addresses'
import { comparison, nowhere, questions, years } from './questions'

const BAR = 30 // characters
const MAX_QUOTE = 140 // characters
const MAX_LINE = 300 // characters in a line of an answer
const TOP = 5
type Strategy = NonNullable<Search['strategy']>

const [url = '', key = '', began = ''] = process.argv.slice(2)
console.log(`Loam runs on ${url} (${secondsSince(Number(began))}); embeddings: the encoder that comes with Loam, no text model.\n`)
const corpus = new Loam({ url, key }).corpus('state-of-the-union')
await corpus.create()
const addresses = readAddresses(years.from, years.next)
await ingest(
  corpus,
  addresses.filter(({ year }) => year <= years.to),
)
for (const next of addresses.filter(({ year }) => year === years.next)) await insert(corpus, next)
const order = await strategiesOf(corpus)
const results = await askAll(corpus, order)
await showAnswers(corpus)
showTable(order, results)
console.log(`\nDone in ${secondsSince(Number(began))}.`)

/** The strategies one can ask with, the baselines first. */
async function strategiesOf(corpus: CorpusClient): Promise<readonly Strategy[]> {
  const answering = new Set(strategies.filter(({ answers }) => answers).map(({ name }) => name))
  const own = (await corpus.info()).strategies.filter((name) => answering.has(name))
  return ['keyword', 'vector', 'hybrid', ...own, 'auto'] as Strategy[]
}

async function ingest(corpus: CorpusClient, documents: readonly Address[]): Promise<void> {
  const since = Date.now()
  const { job } = await corpus.batch({ upserts: documents.map(({ id, year, title, text }) => ({ id, title, text, metadata: { year } })) })
  await waitForJob(corpus, job, 1, ({ progress }) => showProgress(progress, since))
  console.log(`\r${documents.length} addresses, ${years.from} to ${years.to}, indexed in ${secondsSince(since)}.${' '.repeat(40)}`)
  const counts = Object.entries((await corpus.info()).counts).flatMap(([kind, n]) => (n > 0 ? [`${n} ${kind}`] : []))
  console.log(`  ${counts.join(', ')}\n`)
}

function showProgress({ documents, chunks, texts }: Job['progress'], since: number): void {
  if (!process.stdout.isTTY) return
  const share = (texts.done + chunks.done) / Math.max(1, texts.total + chunks.total)
  const bar = '█'.repeat(Math.round(share * BAR)).padEnd(BAR, '░')
  const counts = `${texts.done} of ${texts.total} texts embedded, ${documents.done} of ${documents.total} documents in`
  process.stdout.write(`\r  ${bar} ${counts}, ${secondsSince(since)} `)
}

async function insert(corpus: CorpusClient, { id, title, text, year }: Address): Promise<void> {
  const { job } = await corpus.put(id, { title, text, metadata: { year } })
  const { receipt } = await waitForJob(corpus, job, 30)
  if (!receipt) throw new Error('the job left no receipt')
  const { touched, ms, rows_written: rows, texts_embedded: texts, tokens } = receipt
  const { counts } = await corpus.info()
  console.log(`Inserted ${title}: what it touched`)
  const lines = Object.entries(touched).flatMap(([kind, n]) =>
    n > 0 ? [`  ${kind.padEnd(12)} ${String(n).padStart(6)}  of ${counts[kind] ?? '–'}`] : [],
  )
  console.log(lines.join('\n'))
  console.log(`  ${rows} rows written, ${texts} texts embedded for ${tokens.embedded} tokens, ${ms} ms\n`)
}

async function waitForJob(corpus: CorpusClient, job: string | undefined, seconds: number, onLook = (_: Job) => {}): Promise<Job> {
  let last: Job | undefined
  if (job !== undefined)
    for await (const now of corpus.watchJob(job, { seconds })) {
      onLook(now)
      last = now
    }
  if (last?.status !== 'succeeded') throw new Error(`the job has not succeeded: ${last?.error ?? last?.status ?? 'there is none'}`)
  return last
}

interface Result {
  readonly found: number
  /** The time of one search. */
  readonly ms: number
}

async function askAll(corpus: CorpusClient, order: readonly Strategy[]): Promise<ReadonlyMap<Strategy, Result>> {
  const results = new Map<Strategy, Result>()
  for (const strategy of order) {
    const since = Date.now()
    let found = 0
    for (const { q, gold } of questions) {
      const { evidence } = await corpus.search({ query: q, strategy, top_k: TOP })
      const texts = evidence.flatMap((one) => (one.document === null ? [] : [squeeze(one.text)]))
      if (texts.some((text) => gold.some((phrase) => text.includes(phrase)))) found++
    }
    results.set(strategy, { found, ms: (Date.now() - since) / questions.length })
  }
  return results
}

async function showAnswers(corpus: CorpusClient): Promise<void> {
  for (const { q } of [...questions.slice(0, 4), comparison, nowhere]) {
    const { answer, citations, generator, nearest } = await corpus.query({ query: q })
    const lines = answer.split('\n').map((line) => clip(squeeze(line), MAX_LINE))
    console.log(`Q: ${q}\nA: ${lines.join('\n   ')}  (${generator})`)
    for (const one of citations.slice(0, 2))
      console.log(`   [${one.document} ${one.start}–${one.end}, verified: ${one.verified}] “${clip(squeeze(one.quote))}”`)
    for (const one of nearest.slice(0, 1))
      console.log(`   nearest: [${one.document} ${one.start}–${one.end}] “${clip(squeeze(one.quote))}”`)
    console.log()
  }
}

function showTable(order: readonly Strategy[], results: ReadonlyMap<Strategy, Result>): void {
  console.log(`recall@${TOP} over ${questions.length} questions, and milliseconds per search (embedding of the question included):`)
  for (const name of order) {
    const { found, ms } = results.get(name) ?? { found: 0, ms: 0 }
    console.log(`  ${name.padEnd(10)} ${((100 * found) / questions.length).toFixed(0).padStart(4)} %   ${ms.toFixed(0).padStart(5)} ms`)
  }
}

function secondsSince(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ')
}

function clip(text: string, most = MAX_QUOTE): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}
