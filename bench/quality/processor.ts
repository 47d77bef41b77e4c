/**
 * Processor time of a question by `auto`, in the corpus object's own SQLite in Node, at 15,273 passages (the multi-hop sets between long documents), and what was
 * found, as one hash, which no optimisation may change.
 *   npm run bench quality/processor -- --data <folder> [--sets web_nature,web_philosophy] [--passages 10000] [--questions 120] [--rounds 3] [--object <file>] [--statements] [--profile] [--flame <file.svg>]
 *   npm run bench quality/processor -- --pages 23265 …   (made pages of bench/scale, no data)
 * `--sets`: other documents and questions than those. `--passages`: no more documents are taken in once there are so many.
 * `--profile`: nothing else but where the time of `auto` goes, by function, caches as the question before left them.
 * `--flame` draws that.
 * `--object` keeps the object between runs: two checkouts that read the same file can be compared. The search of vectors is not in the time; it is another service's.
 */
import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Hit, Vector } from '../../src/core/graph/types'
import { passageId } from '../../src/core/ids'
import { auto } from '../../src/core/strategies/auto/auto'
import { hybrid } from '../../src/core/strategies/baselines/hybrid'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import type { Query, Strategy } from '../../src/core/strategy'
import { distinct, terms } from '../../src/core/text/terms'
import { cosine, quantize } from '../../src/core/vectors'
import { STATIC_DIMENSIONS, theStaticEncoder } from '../lib/encoders'
import { flame } from '../lib/flame'
import { localObject, openSql } from '../lib/object'
import { load } from '../lib/processor'
import { heaviest, profiled } from '../lib/profile'
import { made } from '../partitions/corpora'
import { corpus, dataFolder, merged } from './corpora'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string' },
    pages: { type: 'string' },
    passages: { type: 'string', default: 'Infinity' },
    questions: { type: 'string', default: '120' },
    rounds: { type: 'string', default: '3' },
    object: { type: 'string', default: ':memory:' },
    statements: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    flame: { type: 'string' },
  },
})
const BATCH = 100 // documents taken in at once
const NEAREST = 100 // passages the index of vectors gives
const TOP = 20

const encode = (text: string): Vector => quantize(theStaticEncoder().encode(text))
const { documents, questions } = asked()
const isMade = existsSync(values.object)
const sql = openSql(values.object)
const { context, ingest } = localObject(['auto'], { dimensions: STATIC_DIMENSIONS }, sql)
const { graph } = context
for (let at = 0; !isMade && at < documents.length && graph.count('passage') < Number(values.passages); at += BATCH) {
  ingest(
    documents.slice(at, at + BATCH).map((one) => ({ ...one, url: null, metadata: {} })),
    (texts) => texts.map(encode),
  )
}
console.log(`${graph.count('passage')} passages of ${graph.count('document')} documents; state ${graph.state.slice(0, 16)}; ${load()}`)

const every = Math.max(1, Math.floor(questions.length / Number(values.questions)))
const passages = graph
  .page('chunk', '', 1e9)
  .flatMap((id) => (graph.chunk(id)?.passages ?? []).map((_, i) => passageId(id, i)))
  .flatMap((id) => ({ id, vector: graph.vector(id) }))
const queries = questions
  .filter((_, i) => i % every === 0)
  .map(({ text }): Query => {
    const vector = encode(text)
    const near = passages
      .map(({ id, vector: own }): Hit => ({ id, score: own ? cosine(vector, own) : -1 }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, NEAREST)
    return { text, terms: distinct(terms(text)), near: { passage: near }, vector }
  })

interface Way {
  readonly name: string
  readonly strategy: Strategy
  readonly own: { readonly [key: string]: string }
}

const ways: readonly Way[] = [
  { name: 'hybrid', strategy: hybrid, own: {} },
  { name: "auto by the channels' sum", strategy: auto, own: { scorer: 'sum' } },
  { name: 'auto', strategy: auto, own: {} },
]

const ask = (query: Query, { strategy, own }: Way): unknown =>
  strategy.retrieve(graph, query, new Map(), { topK: TOP, budget: 100_000, trace: false, own }, defaultSettings)

if (values.profile || values.flame) {
  const way = ways.at(-1)
  const round = (): void => {
    for (const query of queries) if (way) ask(query, way)
  }
  round() // compiled, and caches full
  for (const ran of sql.statements.values()) Object.assign(ran, { runs: 0, ms: 0, rows: 0 })
  const profile = await profiled(() => {
    for (let i = 0; i < Number(values.rounds); i++) round()
  })
  const title = `A question by auto among ${graph.count('passage').toLocaleString('en')} passages, asked again`
  if (values.flame) writeFileSync(values.flame, flame(profile, 'ask', { runs: Number(values.rounds) * queries.length, title }))
  const { self, total } = heaviest(profile, 45)
  console.log(['by themselves', ...self, 'with all they call', ...total].join('\n'))
  if (values.statements) statements()
  process.exit(0)
}

/** Caches emptied before each question, or as the question before left them. */
for (const isCold of [true, false]) {
  const times = new Map(ways.map(({ name }) => [name, [] as number[]]))
  const found = new Map(ways.map(({ name }) => [name, createHash('sha256')]))
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const query of queries) {
      for (const { name, strategy, own } of ways) {
        if (isCold) graph.forget()
        const since = process.cpuUsage()
        const retrieved = ask(query, { name, strategy, own })
        const { user, system } = process.cpuUsage(since)
        times.get(name)?.push((user + system) / 1000)
        if (round === 0) found.get(name)?.update(JSON.stringify(retrieved))
      }
    }
  }
  for (const [name, all] of times) {
    const sorted = all.sort((a, b) => a - b)
    const at = (share: number): string => (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(1)
    const mean = (sorted.reduce((sum, one) => sum + one, 0) / sorted.length).toFixed(1)
    console.log(
      `${isCold ? 'cold' : 'warm'} ${name}: mean ${mean} ms, p50 ${at(0.5)}, p95 ${at(0.95)}; found ${found.get(name)?.digest('hex').slice(0, 16)}`,
    )
  }
}
function asked() {
  if (values.sets) return several(values.sets)
  if (!values.pages) return merged(dataFolder(values.data))
  const { passages, questions } = made(Number(values.pages))
  return { documents: passages, questions }
}

function several(sets: string) {
  const all = sets.split(',').map((name) => corpus(dataFolder(values.data), name, true))
  const documents = all.flatMap(({ name, passages }) => passages.map((one) => ({ ...one, id: `${name} ${one.id}` })))
  return { documents, questions: all.flatMap((one) => one.questions) }
}

function statements(): void {
  for (const [query, { runs, ms }] of [...sql.statements].sort(([, a], [, b]) => b.ms - a.ms).slice(0, 30))
    console.log(`${ms.toFixed(0).padStart(7)} ms ${String(runs).padStart(8)} times  ${query.replace(/\s+/g, ' ').slice(0, 160)}`)
}
if (values.statements) statements()
console.log(load())
