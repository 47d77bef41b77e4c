/** How long a question takes while documents go in (1,000 unless told), beside how long it takes when nothing else is done: HTTP to HTTP, one after the other. */
import type { CorpusClient } from '../../src/client/client'
import { load, runtimeThreads } from '../lib/processor'
import { longestOf, profiler } from '../lib/profile'
import { asStrategies, quantile, settled, start } from '../system/loam'
import { type Text, take, texts } from '../system/texts'

const THERE = 200 // documents that are asked
const BATCH = 50
const IDLE = 150 // questions
const LOOK = 200 // ms between two looks
const SLICES = [
  'commitResults',
  'integrateNextPart',
  'commitWaiting',
  'completeIntegration',
  'accept',
  'openTasks',
  'drainModel',
  'sendBatch',
  'encode',
  'retrieve',
  'processBacklog',
  'runMaintenanceSlice',
  'runScheduledMaintenance',
  'freeze',
  'thaw',
  'runBuilders',
  'replaceRevisions',
  'receiveVectors',
  'publish',
]
const ASKED = [
  'Which treaty was concluded with the Indian tribes?',
  'What should Congress do about the tariff on wool?',
  'How large is the surplus in the treasury this year?',
  'When was the canal through the isthmus opened?',
  'Why must the currency be sound?',
]

interface BusyOptions {
  readonly strategies?: readonly string[]
  /** Of one chunk each. */
  readonly documents?: number
  /** Then it ends, with as many as have gone in by then. */
  readonly minutes?: number
  /** Port of an inspector; then what held the thread longest is printed, too. */
  readonly profile?: number
}

export async function askWhileIndexing({
  strategies,
  documents: coming = 1000,
  minutes = Number.POSITIVE_INFINITY,
  profile,
}: BusyOptions): Promise<void> {
  const loam = await start('real', profile ? { LOAM_INSPECT: String(profile) } : {})
  try {
    const corpus = loam.client.corpus('busy')
    await corpus.create(strategies ? { strategies: asStrategies(strategies) } : {})
    const source = texts()
    await put(corpus, take(source, THERE))
    await tuned(corpus)
    const idle = await times(corpus, (asked) => asked < IDLE)
    const profiling = profile ? await profiler(profile) : undefined
    const began = performance.now()
    let isOver = false
    const taking = (async () => {
      for (let at = 0; at < coming; at += BATCH) await put(corpus, take(source, BATCH))
      await settled(corpus, LOOK)
      isOver = true
    })()
    taking.catch(() => {}) // reported below, unless the time was up first
    const busy = await times(corpus, () => !isOver && performance.now() - began < 60_000 * minutes)
    if (performance.now() - began < 60_000 * minutes) await taking
    const { documents = 0 } = (await corpus.info()).counts
    const found = await profiling?.stop()
    if (found) console.log(longestOf(found, SLICES).join('\n'))
    console.log(
      `nothing else under way: ${saidOf(idle)}\n` +
        `while ${documents - THERE} of ${coming} documents go in (${((performance.now() - began) / 1000).toFixed(0)} s): ${saidOf(busy)}\n` +
        `p95 ${ratioOf(idle, busy, 'ms')} times that of an idle server, of the busier thread ${ratioOf(idle, busy, 'thread')} times; ${load()}`,
    )
  } finally {
    await loam.stop()
  }
}

interface Waited {
  /** HTTP to HTTP, on this machine as busy as it is. */
  readonly ms: number
  /** The busier of the two runtimes' threads was at work meanwhile: on a machine that does nothing else it would have been hardly more. */
  readonly thread: number
}

function saidOf(all: readonly Waited[]): string {
  const of = (list: readonly number[]): string =>
    `p50 ${quantile(list, 0.5).toFixed(0)} ms, p95 ${quantile(list, 0.95).toFixed(0)} ms, most ${Math.max(...list).toFixed(0)} ms`
  return `${all.length} questions, ${of(all.map(({ ms }) => ms))}; of the busier thread ${of(all.map(({ thread }) => thread))}`
}

function ratioOf(idle: readonly Waited[], busy: readonly Waited[], what: keyof Waited): string {
  const p95 = (all: readonly Waited[]): number =>
    quantile(
      all.map((one) => one[what]),
      0.95,
    )
  return (p95(busy) / p95(idle)).toFixed(1)
}

async function times(corpus: CorpusClient, goesOn: (asked: number) => boolean): Promise<Waited[]> {
  const threads = runtimeThreads()
  const out: Waited[] = []
  while (goesOn(out.length)) {
    const [since, before] = [performance.now(), threads()]
    await corpus.search({ query: ASKED[out.length % ASKED.length] ?? '' })
    out.push({ ms: performance.now() - since, thread: Math.max(...threads().map((ms, i) => ms - (before[i] ?? 0))) })
  }
  return out
}

/** Settled, and `auto` has measured its channels, which it does beside questions, too. */
async function tuned(corpus: CorpusClient): Promise<void> {
  while ((await settled(corpus, LOOK)).tuning) await new Promise((resolve) => setTimeout(resolve, LOOK))
}

async function put(corpus: CorpusClient, documents: readonly Text[]): Promise<void> {
  for (let at = 0; at < documents.length; at += BATCH) await corpus.batch({ upserts: documents.slice(at, at + BATCH) })
}
