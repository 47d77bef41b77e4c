/**
 * How long a question takes at some 10,000 passages, and what a chunk costs to insert, in the object's own SQLite under local workerd: real texts, no
 * HTTP, no Workflow. Questions are timed from outside, the cost of an empty call taken off. Prints; asserts nothing.
 *   npm run bench latency -- --data <folder> [--passages 10000] [--questions 100]      the channels and Clue-RAG, random vectors
 *   npm run bench latency -- --data <folder> --strategies archrag [--archrag '{"exact":20000}'] [--commit 20]   vectors by the hash of words
 */
import { parseArgs } from 'node:util'
import { benchObject } from '../lib/miniflare'
import { dataFolder, merged } from '../quality/corpora'
import { quantile } from '../system/loam'
import { busy } from './busy'
import type { Built, Taken } from './grown'

const { values: flags } = parseArgs({
  options: {
    data: { type: 'string' },
    passages: { type: 'string', default: '10000' },
    questions: { type: 'string', default: '100' },
    strategies: { type: 'string', default: '' },
    archrag: { type: 'string', default: '{}' },
    mark: { type: 'string', default: '2500' }, // passages between two reports
    long: { type: 'boolean', default: false }, // long documents first: ten times as many passages to a chunk
    commit: { type: 'string', default: '20' }, // documents
  },
})
const COMMIT = Number(flags.commit)
const MARK = Number(flags.mark)
const own = flags.strategies.split(',').filter(Boolean)
const names = own.length > 0 ? own : ['auto', 'cluerag', 'ketrag']

type Asked = readonly [string, { readonly [key: string]: string | number }]
const CHANNELS: readonly Asked[] = [
  ['keyword', {}],
  ['hybrid', {}],
  ['cluerag', {}],
  ['cluerag', { scorer: 'embedding' }],
  ['auto', { dense: 0 }],
  ['auto', { dense: 0.3 }],
  ['ketrag', {}],
  ['auto', { dense: 0, paths: 0 }],
  ['auto', { dense: 0, links: 0 }],
]
const NARROW: Asked = ['archrag', { ef: 16 }]
const asked: readonly Asked[] =
  own.length > 0 ? own.flatMap((name): Asked[] => [[name, {}], ...(name === 'archrag' ? [NARROW] : [])]) : CHANNELS

const object = await benchObject('bench/latency/object.mts', {
  strategies: names,
  hash: own.length > 0,
  archrag: JSON.parse(flags.archrag),
})

interface Timed<T> {
  readonly answer: T
  readonly ms: number
  /** Of the processor; the clock's where the system does not report it. */
  readonly cpu: number
}

async function timed<T>(call: string, ...args: unknown[]): Promise<Timed<T>> {
  const before = busy()
  const { ms, answer } = await object.call<T>(call, args)
  const after = busy()
  return { answer, ms, cpu: before === undefined || after === undefined ? ms : after - before }
}

interface Tally {
  chunks: number
  /** Of one builder's call, ms of the processor. */
  longest: number
  readonly rows: Map<string, number>
  readonly told: Map<string, number>
  readonly ms: Map<string, number>
}

const fresh = (): Tally => ({ chunks: 0, longest: 0, rows: new Map(), told: new Map(), ms: new Map() })
const add = (to: Map<string, number>, name: string, by: number): void => void to.set(name, (to.get(name) ?? 0) + by)

function report({ chunks, longest, rows, told, ms }: Tally, where: string): void {
  const each = (map: ReadonlyMap<string, number>, name: string): string => ((map.get(name) ?? 0) / chunks).toFixed(1)
  const cells = [...rows.keys()].map((name) => `${name} ${each(rows, name)} + ${each(told, name)} rows, ${each(ms, name)} ms`)
  console.log(
    `${where}; of each of the last ${chunks} chunks (rows in the object + in the read model, time of the processor): ${cells.join(', ')}; ${(longest / 1000).toFixed(1)} s at a time`,
  )
}

/** Texts in, and each builder's share, until there are passages enough. */
async function grow(empty: number): Promise<string> {
  const { answer: builders } = await timed<readonly string[]>('names')
  let recent = fresh()
  let where = ''
  let marked = 0
  for (let at = 0, passages = 0; at < documents.length && passages < Number(flags.passages); at += COMMIT) {
    const { answer: taken, cpu } = await timed<Taken>('take', documents.slice(at, at + COMMIT))
    recent.chunks += taken.chunks
    add(recent.rows, 'text', taken.rows)
    add(recent.ms, 'text', own.length > 0 ? 0 : cpu) // the hash of the words would be counted too
    for (const name of builders) {
      for (let call = 'build', behind = true; behind; call = 'catchUp') {
        const { answer: built, cpu } = await timed<Built>(call, name)
        add(recent.rows, name, built.rows)
        add(recent.told, name, built.told)
        add(recent.ms, name, cpu)
        recent.longest = Math.max(recent.longest, cpu)
        behind = built.behind
      }
    }
    passages = taken.passages
    if (passages < marked + MARK && passages < Number(flags.passages)) continue
    where = `${passages} passages, ${(await timed<number>('entities')).answer} entities`
    report(recent, where)
    if (own.length > 0) for (const woken of [true, false]) await ask(empty, where, woken)
    marked = passages
    recent = fresh()
  }
  return where
}

async function ask(empty: number, where: string, woken: boolean): Promise<void> {
  for (const [name, options] of asked) {
    const times: number[] = []
    let cpu = 0
    for (const { text } of questions) {
      await timed('aim', text)
      if (woken) await timed('forget')
      const answered = await timed('ask', name, options)
      times.push(answered.ms - empty)
      cpu += answered.cpu / questions.length
    }
    const at = (share: number): string => quantile(times, share).toFixed(1)
    const how = woken ? 'caches empty' : 'caches as they stand'
    console.log(
      `${where}, ${name} ${JSON.stringify(options)}, ${how}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, ${cpu.toFixed(1)} ms of the processor on average`,
    )
  }
}

const { documents: given, questions: all } = merged(dataFolder(flags.data))
const isLong = ({ id }: { readonly id: string }): number => Number(/^long\d/.test(id))
const documents = flags.long ? [...given].sort((a, b) => isLong(b) - isLong(a)) : given
const questions = all.filter((_, i) => i % Math.max(1, Math.floor(all.length / Number(flags.questions))) === 0)
try {
  const calls: number[] = []
  for (let i = 0; i < 40; i++) calls.push((await timed('nothing')).ms)
  const empty = quantile(calls, 0.5)
  const where = await grow(empty)
  if (own.length === 0) {
    await timed('consolidate', 'keywords') // what the schedule publishes for vector search
    console.log('asking') // from here on a quiet machine matters
    await ask(empty, where, true)
  }
  for (const name of own) {
    const { ms, cpu, answer } = await timed<number>('consolidate', name)
    console.log(`consolidate ${name}: ${(ms / 1000).toFixed(2)} s, ${(cpu / 1000).toFixed(2)} s of the processor, ${answer} changes`)
  }
} finally {
  await object.dispose()
}
