/** How long a question takes while 1,000 documents go in, beside how long it takes when nothing else is done: HTTP to HTTP, one after the other. */
import { load } from '../lib/processor'
import { longestOf, profiler } from '../lib/profile'
import { type Loam, quantile, start } from '../system/loam'
import { type Text, take, texts } from '../system/texts'

const THERE = 200 // documents that are asked
const COMING = 1000
const BATCH = 50
const IDLE = 150 // questions
const SLICES = [
  'commitResults',
  'integrateOnce',
  'commitWaiting',
  'flip',
  'accept',
  'openTasks',
  'drainModel',
  'sendBatch',
  'encode',
  'retrieve',
  'processBacklog',
  'workOnce',
  'tend',
  'freeze',
  'thaw',
  'runBuilders',
  'swap',
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
    await loam.call('PUT', '/v1/corpora/busy', strategies ? { strategies } : {})
    const source = texts()
    await put(loam, take(source, THERE))
    await settled(loam)
    const idle = await times(loam, (asked) => asked < IDLE)
    const profiling = profile ? await profiler(profile) : undefined
    const began = performance.now()
    let isOver = false
    const taking = (async () => {
      for (let at = 0; at < COMING; at += BATCH) await put(loam, take(source, BATCH))
      await settled(loam)
      isOver = true
    })()
    const busy = await times(loam, () => !isOver)
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

async function times(loam: Loam, goesOn: (asked: number) => boolean): Promise<number[]> {
  const out: number[] = []
  while (goesOn(out.length)) {
    const since = performance.now()
    await loam.call('POST', '/v1/corpora/busy/search', { query: ASKED[out.length % ASKED.length] })
    out.push(performance.now() - since)
  }
  return out
}

async function put(loam: Loam, documents: readonly Text[]): Promise<void> {
  for (let at = 0; at < documents.length; at += BATCH)
    await loam.call('POST', '/v1/corpora/busy/documents:batch', { upserts: documents.slice(at, at + BATCH) })
}

async function settled(loam: Loam): Promise<void> {
  for (;;) {
    const { status } = await loam.call<{ status: string }>('GET', '/v1/corpora/busy')
    if (status === 'settled') return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
