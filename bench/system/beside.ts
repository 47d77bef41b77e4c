/**
 * What a question and a document cost today beside another checkout, in processor time of the local runtime (objects, Worker, stand-ins), which other
 * work on the machine lengthens less than the clock: both run at once, are given the same documents by turns, and are asked the same questions by turns.
 *   npm run bench system/beside -- --data <folder> --before <checkout with node_modules> [--set dev_2wiki] [--documents 600] [--questions 60] [--rounds 3] [--ways auto,hybrid]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { load } from '../lib/processor'
import { corpus, dataFolder } from '../quality/corpora'
import { quantile } from './loam'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    before: { type: 'string' },
    set: { type: 'string', default: 'dev_2wiki' },
    documents: { type: 'string', default: '600' },
    questions: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '3' },
    ways: { type: 'string', default: 'auto,hybrid,keyword' },
  },
})
const BATCH = 50 // documents put in at once
const TUNING_LOOKS = 120 // a second each, until `auto` has measured its channels
const NS = 1e6

if (!values.before) throw new Error('--before <checkout>: what is today compared with?')
const { passages, questions } = corpus(dataFolder(values.data), values.set, true)
const documents = passages.slice(0, Number(values.documents)).map(({ id, title, text }) => ({ id, title, text }))
const every = Math.max(1, Math.floor(questions.length / Number(values.questions)))
const asked = questions.filter((_, at) => at % every === 0).slice(0, Number(values.questions))

interface Side {
  readonly name: string
  readonly process: ChildProcess
  readonly state: string
  readonly url: string
  readonly key: string
}

async function started(name: string, folder: string): Promise<Side> {
  const state = mkdtempSync(join(tmpdir(), 'loam-beside-'))
  const env = { ...process.env, PORT: String(20_000 + Math.floor(Math.random() * 20_000)), LOAM_STATE: state, LOCAL_AI_RATES: 'off' }
  const child = spawn('node', ['scripts/start.mjs', '--json'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith('{')) continue
    const { url, key } = JSON.parse(line) as { url: string; key: string }
    return { name, process: child, state, url, key }
  }
  throw new Error(`${folder} did not start`)
}

async function call<T>({ url, key }: Side, method: string, path: string, body?: unknown): Promise<T> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/v1/corpora${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}

/** Milliseconds that all threads of this side's runtimes have been at work. Linux. */
function worked(side: Side): number {
  return descendants(Number(side.process.pid))
    .filter((pid) => read(`/proc/${pid}/comm`).trim() === 'workerd')
    .flatMap((pid) => readdirSync(`/proc/${pid}/task`).map((thread) => read(`/proc/${pid}/task/${thread}/schedstat`)))
    .reduce((sum, line) => sum + Number(line.split(' ')[0] ?? 0) / NS, 0)
}

function descendants(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(' '))
  return children.filter((one) => one.trim()).flatMap((one) => [Number(one), ...descendants(Number(one))])
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // a thread that has ended meanwhile
  }
}

const sides = [await started('before', values.before), await started('today', process.cwd())]
const turned = (turn: number): readonly Side[] => (turn % 2 ? [...sides].reverse() : sides)

/** Both sides' values of the same piece of work, one after the other, who is first by turns. */
async function paired<T>(turn: number, work: (side: Side) => Promise<T>): Promise<Map<Side, T>> {
  const out = new Map<Side, T>()
  for (const side of turned(turn)) out.set(side, await work(side))
  return out
}

interface Cost {
  readonly processor: number
  readonly clock: number
}

async function cost(side: Side, work: () => Promise<unknown>): Promise<Cost> {
  const [since, began] = [worked(side), performance.now()]
  await work()
  return { clock: performance.now() - began, processor: worked(side) - since }
}

function reported(name: string, pairs: readonly Map<Side, Cost>[], each: number): void {
  const of = (side: Side | undefined, what: keyof Cost): number[] =>
    pairs.map((pair) => ((side && pair.get(side)?.[what]) ?? Number.NaN) / each)
  const [before, today] = [of(sides[0], 'processor'), of(sides[1], 'processor')]
  const ratios = before.map((one, at) => (today[at] ?? Number.NaN) / one)
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0)
  const [was, is] = [quantile(of(sides[0], 'clock'), 0.5), quantile(of(sides[1], 'clock'), 0.5)]
  console.log(
    `${name}: processor ${quantile(before, 0.5).toFixed(2)} → ${quantile(today, 0.5).toFixed(2)} ms (median of ${pairs.length}); ratio of sums ${(sum(today) / sum(before)).toFixed(3)}, ` +
      `median of ratios ${quantile(ratios, 0.5).toFixed(3)}; clock p50 ${was.toFixed(1)} → ${is.toFixed(1)} ms; ${load()}`,
  )
}

try {
  await paired(0, (side) => call(side, 'PUT', '/bench', {}))
  const inserts: Map<Side, Cost>[] = []
  for (let at = 0; at < documents.length; at += BATCH) {
    const upserts = documents.slice(at, at + BATCH)
    const put = async (side: Side): Promise<Cost> =>
      cost(side, async () => {
        const { job } = await call<{ job: string }>(side, 'POST', '/bench/documents:batch', { upserts })
        for (;;) {
          const { status } = await call<{ status: string }>(side, 'GET', `/bench/jobs/${job}?wait=20`)
          if (status === 'succeeded') return
          if (status !== 'running' && status !== 'queued') throw new Error(`${side.name}: ${status}`)
        }
      })
    inserts.push(await paired(at / BATCH, put))
  }
  reported(`a document put in, of batches of ${BATCH}`, inserts, BATCH)
  await paired(0, async (side) => {
    for (let look = 0; look < TUNING_LOOKS; look++) {
      const one = await call<{ tuning?: boolean }>(side, 'GET', '/bench')
      if (!one.tuning) return
      await sleep(1000)
    }
    console.log(`${side.name}: still measuring its channels`)
  })
  for (const route of ['search', 'query'])
    for (const strategy of values.ways.split(',')) {
      const pairs: Map<Side, Cost>[] = []
      for (let round = -1; round < Number(values.rounds); round++)
        for (const [at, { text }] of asked.entries()) {
          const body = { query: text, strategy }
          const pair = await paired(at + round, (side) => cost(side, () => call(side, 'POST', `/bench/${route}`, body)))
          if (round >= 0) pairs.push(pair) // what is compiled and cached at the first asking is not counted
        }
      reported(`${route} by ${strategy}`, pairs, 1)
    }
} finally {
  for (const { process: child } of sides) child.kill('SIGTERM')
  await Promise.all(sides.map(({ process: child }) => child.exitCode ?? new Promise((done) => child.once('exit', done))))
  for (const { state } of sides) rmSync(state, { recursive: true, force: true })
}
