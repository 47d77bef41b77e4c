/** How long a question takes while 1,000 documents go in, beside how long it takes when nothing else is done: HTTP to HTTP, one after the other. */
import type { CorpusClient } from '../../src/client/client'
import { load } from '../lib/processor'
import { longestOf, profiler } from '../lib/profile'
import { asStrategies, quantile, settled, start } from '../system/loam'
import { type Text, take, texts } from '../system/texts'

const THERE = 200 // documents that are asked
const COMING = 1000
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

/** `profile`: port of an inspector; then what held the thread longest is printed, too. */
export async function askWhileIndexing(strategies?: readonly string[], profile?: number): Promise<void> {
  const loam = await start('real', profile ? { LOAM_INSPECT: String(profile) } : {})
  try {
    const corpus = loam.client.corpus('busy')
    await corpus.create(strategies ? { strategies: asStrategies(strategies) } : {})
    const source = texts()
    await put(corpus, take(source, THERE))
    await settled(corpus, LOOK)
    const idle = await times(corpus, (asked) => asked < IDLE)
    const profiling = profile ? await profiler(profile) : undefined
    const began = performance.now()
    let isOver = false
    const taking = (async () => {
      for (let at = 0; at < COMING; at += BATCH) await put(corpus, take(source, BATCH))
      await settled(corpus, LOOK)
      isOver = true
    })()
    const busy = await times(corpus, () => !isOver)
    await taking
    const found = await profiling?.stop()
    if (found) console.log(longestOf(found, SLICES).join('\n'))
    const said = (list: readonly number[]): string =>
      `p50 ${quantile(list, 0.5).toFixed(0)} ms, p95 ${quantile(list, 0.95).toFixed(0)} ms, most ${Math.max(...list).toFixed(0)} ms of ${list.length}`
    const ratio = quantile(busy, 0.95) / quantile(idle, 0.95)
    console.log(
      `questions, nothing else under way: ${said(idle)}\n` +
        `while ${COMING} documents go in (${((performance.now() - began) / 1000).toFixed(0)} s): ${said(busy)}; p95 ${ratio.toFixed(1)} times; ${load()}`,
    )
  } finally {
    await loam.stop()
  }
}

async function times(corpus: CorpusClient, goesOn: (asked: number) => boolean): Promise<number[]> {
  const out: number[] = []
  while (goesOn(out.length)) {
    const since = performance.now()
    await corpus.search({ query: ASKED[out.length % ASKED.length] ?? '' })
    out.push(performance.now() - since)
  }
  return out
}

async function put(corpus: CorpusClient, documents: readonly Text[]): Promise<void> {
  for (let at = 0; at < documents.length; at += BATCH) await corpus.batch({ upserts: documents.slice(at, at + BATCH) })
}
