/**
 * What many corpora hold in one isolate, by a fixed amount of work, however long it takes: some get batches in turns, all are asked beside that, and the most V8 still reached is told after
 * each turn, with how often the runtime had to begin anew and how often a call was asked to come back.
 *   npm run bench load/memory [-- --corpora 110 --busy 30 --documents 45 --turns 3]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Loam } from '../../src/client/client'
import { atOnce } from '../../src/core/at-once'
import { load } from '../lib/processor'
import { Corpus } from '../scale/corpus'
import { quantile, settled, start } from '../system/loam'
import { outcomeOf } from './ledger'

const { values } = parseArgs({
  options: {
    corpora: { type: 'string', default: '110' },
    busy: { type: 'string', default: '30' }, // of them
    documents: { type: 'string', default: '45' }, // of a busy one
    turns: { type: 'string', default: '3' },
  },
})
const [corpora, busy, documents, turns] = [values.corpora, values.busy, values.documents, values.turns].map(Number) as [
  number,
  number,
  number,
  number,
]
const TEXT = 1800 // characters
const FIRST = 600 // of the only document of an idle one
const OF_A_CORPUS = 300 // pages of the generator
const WRITERS = 4
const ASKERS = 3
const MAX_WAIT = 5 // s
const LOOK = 500 // ms

const loam = await start('real')
const { client } = loam
const patient = new Loam({ url: loam.url, key: loam.key }) // waits where it is told to: what it does is not counted
const pages = new Corpus('load')
const numbers = Array.from({ length: corpora }, (_, n) => n)
const nameOf = (n: number): string => `corpus-${n}`
const times: number[] = []
let refused = 0
try {
  console.log('| after | restarts | calls asked to come back | heap, MiB | buffers | both at once |\n|---|---|---|---|---|---|')
  await inTurns(numbers, WRITERS, async (n) => {
    await accepted(() => client.corpus(nameOf(n)).create())
    const text = pages.page(n).text.slice(0, FIRST)
    await accepted(() => client.corpus(nameOf(n)).put('first', { title: nameOf(n), text }))
  })
  await tell('one document each')
  const writing = numbers.slice(0, busy)
  for (let turn = 0; turn < turns; turn++) {
    await Promise.all([
      inTurns(writing, WRITERS, (n) => accepted(() => client.corpus(nameOf(n)).batch({ upserts: batch(n, turn) }))),
      inTurns(numbers, ASKERS, (n) => ask(n, turn)),
    ])
    await inTurns(writing, writing.length, (n) => settled(patient.corpus(nameOf(n)), LOOK))
    await inTurns(writing, ASKERS, (n) => ask(n, turns + turn))
    await tell(`turn ${turn + 1}`)
  }
  console.log(
    `\n\`auto\`: p50 ${quantile(times, 0.5).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms of ${times.length}; ${load()}`,
  )
} finally {
  await loam.stop()
}
process.exit()

function batch(n: number, turn: number) {
  const each = Math.ceil(documents / turns)
  return Array.from({ length: each }, (_, i) => {
    const { title, text } = pages.page(corpora + OF_A_CORPUS * n + each * turn + i)
    return { id: `${turn}-${i}`, title, text: text.slice(0, TEXT) }
  })
}

async function ask(n: number, of: number): Promise<void> {
  const query = pages.question(2 * turns * n + of, corpora + OF_A_CORPUS * busy)
  const since = performance.now()
  await accepted(() => client.corpus(nameOf(n)).query({ query, strategy: 'auto' }))
  times.push(performance.now() - since)
}

/** Again, where it was asked to come back. */
async function accepted<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const { wait } = outcomeOf(error)
      if (wait === undefined) throw error
      refused++
      await sleep(1000 * Math.min(MAX_WAIT, wait))
    }
  }
}

async function tell(after: string): Promise<void> {
  const { heap, buffers, live, restarts } = await loam.memory()
  const mib = [heap, buffers, live].map((bytes) => (bytes / 2 ** 20).toFixed(0))
  console.log(`| ${[after, restarts, refused, ...mib].join(' | ')} |`)
}

async function inTurns(items: readonly number[], together: number, work: (item: number) => Promise<unknown>): Promise<void> {
  const turn = atOnce(together)
  await Promise.all(items.map((item) => turn(() => work(item))))
}
