/**
 * Many corpora at once for a bounded time: writers and askers over all of them, with replacements, deletions and batches, beside corpora that only lie there. Fails where an answer was
 * neither a success nor a 429 or 503 with `Retry-After`, or where anything accepted is missing, deleted texts are found, or the corpora do not settle.
 *   npm run bench load [-- --minutes 10 --corpora 30 --idle 100 --writers 6 --askers 4 --quiet 60]
 * `--quiet`: seconds for which one small corpus is asked alone, beside a flood of documents for another, and beside one of documents and questions.
 * `npm run bench load/fairness` has what many corpora get of the account's model rate, with a clock of its own.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Loam } from '../../src/client/client'
import { load } from '../lib/processor'
import { Corpus } from '../scale/corpus'
import { settled, start } from '../system/loam'
import { isError, Ledger } from './ledger'
import { ask, type Storm, Tally, write } from './traffic'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    corpora: { type: 'string', default: '30' },
    idle: { type: 'string', default: '100' },
    writers: { type: 'string', default: '6' },
    askers: { type: 'string', default: '4' },
    quiet: { type: 'string', default: '60' },
    sample: { type: 'string', default: '5' }, // texts of each corpus that are looked for at the end
  },
})
if (Number(values.writers) > Number(values.corpora))
  throw new Error(`--writers ${values.writers}: a corpus is written by one writer at a time, and there are ${values.corpora} (--corpora)`)
const numbered = (prefix: string, n: number): string[] => Array.from({ length: n }, (_, at) => `${prefix}-${at}`)
const PAUSE = 100 // ms between a quiet corpus's answer and its next question
const MADE_AT_ONCE = 8
const LOOK = 1000 // ms between two looks at a corpus that is to settle
const SETTLED_WITHIN = 15 * 60_000

const loam = await start('real')
const { client } = loam
const patient = new Loam({ url: loam.url, key: loam.key }) // comes back where it is told to: what it does is not measured
const pages = new Corpus('load')
const tally = new Tally()
const ledger = new Ledger()
try {
  const busy = numbered('busy', Number(values.corpora))
  const idle = numbered('idle', Number(values.idle))
  const since = performance.now()
  await inTurns([...busy, ...idle], async (name) => {
    await client.corpus(name).create()
    const { title, text } = pages.page(busy.length + idle.indexOf(name) + 1)
    const mark = `first-${name}`
    await client.corpus(name).put('first', { title, text: `${mark} is the mark of this text. ${text.slice(0, 600)}`, metadata: { mark } })
    ledger.wrote(name, 'first', mark)
  })
  await inTurns([...busy, ...idle], (name) => settled(patient.corpus(name), LOOK))
  console.log(`${busy.length + idle.length} corpora made and settled in ${((performance.now() - since) / 1000).toFixed(0)} s; ${load()}`)

  if (Number(values.quiet) > 0) await besideANoisyOne(Number(values.quiet) * 1000)

  const begun = performance.now()
  const storm: Storm = { loam: client, corpora: busy, pages, ledger, tally, until: performance.now() + Number(values.minutes) * 60_000 }
  await Promise.all([
    ...numbered('', Number(values.writers)).map((_, own) => write(storm, own, Number(values.writers))),
    ...numbered('', Number(values.askers)).map((_, own) => ask({ ...storm, corpora: [...busy, ...idle] }, own, 0)),
  ])
  const seconds = (performance.now() - begun) / 1000
  const ended = performance.now()
  print(tally)
  await Promise.race([
    inTurns(busy, (name) => settled(patient.corpus(name), LOOK)),
    sleep(SETTLED_WITHIN).then(() => Promise.reject(new Error('not settled a quarter of an hour after the last write'))),
  ])
  console.log(`the storm: ${seconds.toFixed(0)} s, settled ${((performance.now() - ended) / 1000).toFixed(0)} s after it; ${load()}`)
  const { restarts, held } = await loam.memory()
  console.log(`the runtime began anew ${restarts} times; its heap and buffers held ${(held / 2 ** 20).toFixed(0)} MiB at most`)

  const lost = await ledger.compare(patient, Number(values.sample))
  const { standing, deleted } = ledger.counted
  console.log(`${standing} documents accepted and standing, ${deleted} deleted: ${lost.length} lost or wrong`)
  for (const one of lost.slice(0, 20)) console.log(`  ${one.corpus}/${one.document}: expected ${one.expected}, found ${one.found}`)
  const errors = [...tally.outcomes].filter(([key]) => isError(key.split('\t')[1] ?? ''))
  if (errors.length > 0 || lost.length > 0) process.exitCode = 1
  console.log(errors.length === 0 ? 'no error' : `errors:\n${errors.map(([key, n]) => `  ${n} × ${key}`).join('\n')}`)
} finally {
  await loam.stop()
}
process.exit()

/** One small corpus asked at leisure: alone, and beside another that is flooded. */
async function besideANoisyOne(ms: number): Promise<void> {
  await client.corpus('quiet').create()
  const upserts = Array.from({ length: 60 }, (_, at) => ({ ...pages.page(at), text: pages.page(at).text.slice(0, 2000) }))
  const { job } = await client.corpus('quiet').batch({ upserts })
  if (job) await client.corpus('quiet').waitForJob(job)
  await settled(patient.corpus('quiet'), LOOK)
  await client.corpus('noisy').create()
  const quiet = (until: number, kind: string) => ask({ loam: client, corpora: ['quiet'], pages, tally, until }, 0, PAUSE, kind)
  await quiet(performance.now() + ms, 'alone: ')
  const beside = async (kind: string, askers: number): Promise<void> => {
    const until = performance.now() + ms
    const noise: Storm = { loam: client, corpora: ['noisy'], pages, ledger, tally: new Tally(), until }
    await Promise.all([quiet(until, kind), write(noise, 0, 1), ...numbered('', askers).map((_, own) => ask(noise, 1 + own, 0))])
    await settled(patient.corpus('noisy'), LOOK)
    const done = noise.tally.kinds.map((each) => `${noise.tally.times(each).n} × ${each}`).join(', ')
    console.log(`a quiet corpus alone and ${kind}${done}; ${load()}`)
  }
  await beside('beside documents for another: ', 0)
  await beside('beside documents and questions for another: ', 2)
}

function print(of: Tally): void {
  console.log('| call | answered | p50 ms | p95 ms | p99 ms | asked to come back |\n|---|---|---|---|---|---|')
  for (const kind of of.kinds) {
    const { n, p50, p95, p99 } = of.times(kind)
    const back = [...of.outcomes].filter(
      ([key]) => key.startsWith(`${kind}\t`) && !key.endsWith('\tok') && !isError(key.split('\t')[1] ?? ''),
    )
    const times = [p50, p95, p99].map((one) => one.toFixed(0)).join(' | ')
    console.log(`| ${kind} | ${n} | ${times} | ${back.map(([key, count]) => `${count} × ${key.split('\t')[1]}`).join(', ')} |`)
  }
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items]
  await Promise.all(
    Array.from({ length: MADE_AT_ONCE }, async () => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one)
    }),
  )
}
