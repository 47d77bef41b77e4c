/** Grows a corpus step by step and says, for each, what its last chunks cost and how it answers at that size. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Ran } from '../lib/object'
import { quantile } from '../system/loam'
import type { Corpus, Page } from './corpus'
import { GrowingObject, type Turn } from './growing-object'

const BESIDE = 1 // batches taken in while questions come
const EVERY = 6 // turns of which a question comes after one
const DELETED = 0.01 // of the documents, at the largest size

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

export interface Step {
  readonly chunks: number
  readonly passages: number
  readonly entities: number
  /** Since the step before: chunks for a second of the clock, and of the processor. */
  readonly clockRate: number
  readonly cpuRate: number
  readonly rowsPerChunk: number
  /** Of the database, for a byte of text. */
  readonly bytesPerByte: number
  /** After a collection of everything, array buffers included, without what the bench itself holds. */
  readonly heap: number
  /** Longest turn in ms: while nobody asks, and while questions come. */
  readonly longest: Turn
  readonly longestBeside: Turn
  readonly question: { readonly p50: number; readonly p95: number; readonly cpu: number }
  readonly beside: { readonly p50: number; readonly p95: number }
  /** ms of the processor a chunk, by part. */
  readonly parts: { readonly [what: string]: number }
}

export interface Growth {
  readonly sizes: readonly number[]
  readonly batch: number
  readonly statements: number
  readonly path: string
  readonly strategies: readonly string[]
  /** At each size; with 0 none come beside indexing either. */
  readonly questions: number
}

export async function grow(object: GrowingObject, corpus: Corpus, options: Growth): Promise<Step[]> {
  const { graph } = object.context
  const steps: Step[] = []
  const empty = heap()
  let next = 0
  let text = 0
  const batch = (): Page[] => {
    const pages: Page[] = []
    for (let bytes = 0; bytes < options.batch; ) {
      const page = corpus.page(next++)
      bytes += page.text.length
      pages.push(page)
    }
    text += pages.reduce((sum, page) => sum + page.text.length, 0)
    return pages
  }
  for (const size of options.sizes) {
    const before = { chunks: graph.count('chunk'), rows: graph.rowsWritten, statements: ranSoFar(object) }
    object.turns = []
    object.quiet()
    while (graph.count('chunk') < size) await object.take(batch())
    const made = graph.count('chunk') - before.chunks
    const rows = graph.rowsWritten - before.rows
    const turns = object.turns
    if (options.statements > 0) printStatements(object, before.statements, made, options.statements)
    const sum = (of: 'clock' | 'cpu', what?: string): number =>
      turns.filter((one) => !what || one.what === what).reduce((total, one) => total + one[of], 0)
    const held = heap() - empty
    const asked = Array.from({ length: options.questions }, (_, n) => object.ask(corpus, n, next))
    object.turns = []
    const besides: Turn[] = []
    let turn = 0
    const beside = (): void => {
      if (options.questions > 0 && turn++ % EVERY === 0) besides.push(object.ask(corpus, options.questions + besides.length, next))
    }
    for (let i = 0; i < BESIDE; i++) await object.take(batch(), beside)
    const step: Step = {
      chunks: graph.count('chunk'),
      passages: graph.count('passage'),
      entities: graph.count('entity'),
      clockRate: (1000 * made) / sum('clock'),
      cpuRate: (1000 * made) / sum('cpu'),
      rowsPerChunk: rows / made,
      bytesPerByte: object.bytes / text,
      heap: held,
      longest: longestOf(turns),
      longestBeside: longestOf(object.turns),
      question: { ...quantiles(asked), cpu: asked.reduce((total, one) => total + one.cpu, 0) / Math.max(1, asked.length) },
      beside: quantiles(besides),
      parts: Object.fromEntries([...new Set(turns.map((one) => one.what))].map((what) => [what, sum('cpu', what) / made])),
    }
    steps.push(step)
    console.log(JSON.stringify(step))
  }
  await removeSome(object, next)
  await reopen(object, corpus, options, next)
  return steps
}

/** One document in a hundred, spread over the corpus. */
async function removeSome(object: GrowingObject, pages: number): Promise<void> {
  const { graph } = object.context
  const before = { chunks: graph.count('chunk'), rows: graph.rowsWritten }
  const every = Math.round(1 / DELETED)
  const gone = Array.from({ length: Math.floor(pages / every) }, (_, i) => `page-${i * every + 50}`).filter((id) => graph.document(id))
  object.turns = []
  object.quiet()
  await object.remove(gone)
  const chunks = before.chunks - graph.count('chunk')
  const cpu = object.turns.reduce((sum, one) => sum + one.cpu, 0)
  const longest = longestOf(object.turns)
  console.log(
    `${gone.length} of ${pages} documents deleted (${chunks} chunks): ${(cpu / chunks).toFixed(2)} ms of the processor and ${((graph.rowsWritten - before.rows) / chunks).toFixed(0)} rows a chunk; longest turn ${longest.cpu.toFixed(0)} ms`,
  )
}

/** As an object that was away: opened anew, and asked. */
async function reopen(object: GrowingObject, corpus: Corpus, { path, strategies }: Growth, pages: number): Promise<void> {
  const { state } = object.context.graph
  const since = performance.now()
  const used = process.cpuUsage()
  const woken = new GrowingObject(path, strategies)
  const opened = performance.now() - since
  const first = woken.ask(corpus, 1, pages)
  const { user, system } = process.cpuUsage(used)
  console.log(
    `woken: ${opened.toFixed(0)} ms, its first question ${first.clock.toFixed(0)} ms; ${((user + system) / 1000).toFixed(0)} ms of the processor in all${woken.context.graph.state === state ? '' : '; ANOTHER STATE'}`,
  )
}

function heap(): number {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function longestOf(turns: readonly Turn[]): Turn {
  const own = turns.filter((one) => one.what !== 'embed' && one.what !== 'index' && one.what !== 'read model') // these pause within
  return own.reduce((most, one) => (one.cpu > most.cpu ? one : most), { what: 'none', clock: 0, cpu: 0 })
}

function quantiles(turns: readonly Turn[]): { readonly p50: number; readonly p95: number } {
  const clocks = turns.map((one) => one.clock)
  return { p50: quantile(clocks, 0.5), p95: quantile(clocks, 0.95) }
}

type All = ReadonlyMap<string, Ran>

function ranSoFar({ sql }: GrowingObject): All {
  return new Map([...sql.statements].map(([query, one]) => [query, { ...one }]))
}

/** Those that took most since then, for a chunk: ms, runs and rows. */
function printStatements({ sql }: GrowingObject, before: All, made: number, most: number): void {
  const all = [...sql.statements].map(([query, { runs, ms, rows }]) => {
    const then = before.get(query) ?? { runs: 0, ms: 0, rows: 0 }
    return { query, runs: (runs - then.runs) / made, ms: (ms - then.ms) / made, rows: (rows - then.rows) / made }
  })
  all.sort((a, b) => b.ms - a.ms)
  const sum = (of: 'runs' | 'ms' | 'rows'): string => all.reduce((total, one) => total + one[of], 0).toFixed(2)
  console.log(`statements: ${sum('ms')} ms, ${sum('runs')} runs, ${sum('rows')} rows a chunk`)
  for (const { query, runs, ms, rows } of all.slice(0, most))
    console.log(
      `${ms.toFixed(3).padStart(8)} ms ${runs.toFixed(2).padStart(7)} ${rows.toFixed(1).padStart(7)} rows  ${query.replace(/\s+/g, ' ').slice(0, 150)}`,
    )
}
