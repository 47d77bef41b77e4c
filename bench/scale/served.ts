/**
 * The same corpus through the whole local Loam, where the runtime keeps an isolate's memory within the platform's limit and says what is live after each full collection.
 *   npm run bench scale/served [-- --chunks 5000 --minutes 20]
 */
import { parseArgs } from 'node:util'
import { defaultStrategies } from '../../src/core/strategies/registry'
import { load, runtimeThreads } from '../lib/processor'
import { asStrategies, ingest, quantile, start } from '../system/loam'
import { Corpus, type Page } from './corpus'

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '5000' },
    minutes: { type: 'string', default: '20' }, // then it ends with what is in
    batch: { type: 'string', default: '320000' }, // bytes
    questions: { type: 'string', default: '10' }, // in each share
  },
})
const SHARES = 10 // lines printed
const MB = (bytes: number): string => (bytes / 1e6).toFixed(0)

const pages = new Corpus()
const loam = await start('real', { LOCAL_MEMORY: 'all' })
try {
  const corpus = loam.client.corpus('scale')
  await corpus.create({ strategies: asStrategies(defaultStrategies) })
  console.log(
    '| chunks | chunks/s: clock, of the object’s thread | heap, MB | buffers | both at once | restarts | `auto`, p50, most, ms |\n|---|---|---|---|---|---|---|',
  )
  const threads = runtimeThreads()
  const until = performance.now() + 60_000 * Number(values.minutes)
  let next = 0
  let before = { chunks: 0, at: performance.now(), busy: threads()[0] ?? 0 }
  for (let chunks = 0; chunks < Number(values.chunks) && performance.now() < until; ) {
    const batch: Page[] = []
    for (let bytes = 0; bytes < Number(values.batch); bytes += batch.at(-1)?.text.length ?? 0) batch.push(pages.page(next++))
    await ingest(corpus, batch)
    chunks = (await corpus.info()).counts.chunks ?? 0
    if (chunks - before.chunks < Number(values.chunks) / SHARES && chunks < Number(values.chunks)) continue
    const now = { chunks, at: performance.now(), busy: threads()[0] ?? 0 }
    const times: number[] = []
    for (let n = 0; n < Number(values.questions); n++) {
      const since = performance.now()
      await corpus.search({ query: pages.question(n, next), strategy: 'auto' })
      times.push(performance.now() - since)
    }
    const { heap, buffers, live, restarts } = await loam.memory()
    const made = now.chunks - before.chunks
    const rates = [(1000 * made) / (now.at - before.at), (1000 * made) / (now.busy - before.busy)].map((one) => one.toFixed(0))
    console.log(
      `| ${chunks} | ${rates.join(', ')} | ${MB(heap)} | ${MB(buffers)} | ${MB(live)} | ${restarts} | ${quantile(times, 0.5).toFixed(0)}, ${Math.max(...times).toFixed(0)} |`,
    )
    before = { chunks, at: performance.now(), busy: threads()[0] ?? 0 }
  }
  console.log(load())
} finally {
  await loam.stop()
}
process.exit(0)
