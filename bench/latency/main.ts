/**
 * How long a question takes at some 10,000 passages, and what a chunk costs to insert, in the object's own SQLite under local workerd. Real texts, random
 * vectors. Timed from outside, the cost of an empty call taken off. Prints; asserts nothing.
 *   npm run bench latency -- --data <folder> [--passages 10000] [--questions 100]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { corpus, dataFolder, MULTIHOP, type Passage } from '../quality/corpora'
import type { Grown } from './grown'

const { values: flags } = parseArgs({
  options: { data: { type: 'string' }, passages: { type: 'string', default: '10000' }, questions: { type: 'string', default: '100' } },
})
const PIECE = 40_000 // characters of a long document put in at once
const COMMIT = 20 // documents

const ASKED: readonly (readonly [string, { readonly [key: string]: string | number }])[] = [
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

function longDocuments(folder: string): Passage[] {
  const files = [
    'ultradomain_mix',
    'news_01',
    'news_02',
    'news_03',
    'news_04',
    'news_05',
    'news_06',
    'news_07',
    'news_08',
    'news_09',
    'news_10',
  ]
  const lines = files.flatMap((file) =>
    readFileSync(join(folder, 'insertion', `${file}.jsonl`), 'utf8')
      .split('\n')
      .filter(Boolean),
  )
  return lines.flatMap((line, at) => {
    const { title, context } = JSON.parse(line) as { title?: string; context: string }
    const pieces = Math.ceil(context.length / PIECE)
    return Array.from({ length: pieces }, (_, i) => ({
      id: `long${at}.${i}`,
      title: title ?? '',
      text: context.slice(i * PIECE, (i + 1) * PIECE),
    }))
  })
}

const bundle = await build({
  entryPoints: ['bench/latency/object.mts'],
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  external: ['cloudflare:*'],
})
const folder = mkdtempSync(join(tmpdir(), 'loam-bench-'))
const miniflare = new Miniflare({
  modules: true,
  script: bundle.outputFiles[0]?.text ?? '',
  compatibilityDate: '2026-07-01',
  durableObjects: { BENCH: { className: 'Bench', useSQLite: true } },
  durableObjectsPersist: folder,
})

async function timed<T>(call: string, ...args: unknown[]): Promise<{ readonly ms: number; readonly answer: T }> {
  const began = performance.now()
  const response = await miniflare.dispatchFetch('http://bench/', { method: 'POST', body: JSON.stringify({ call, args }) })
  return { answer: (await response.json()) as T, ms: performance.now() - began }
}

const total = (list: readonly Grown[], pick: (one: Grown) => number): number => list.reduce((sum, one) => sum + pick(one), 0)

function report(grown: readonly Grown[], passages: number): void {
  const chunks = total(grown, (one) => one.chunks)
  const names = Object.keys(grown[0]?.rows ?? {})
  const cells = names.map(
    (name) =>
      `${name} ${(total(grown, (one) => one.rows[name] ?? 0) / chunks).toFixed(1)} + ${(total(grown, (one) => one.told[name] ?? 0) / chunks).toFixed(1)}`,
  )
  console.log(
    `up to ${passages} passages: rows written per chunk in the object + in the read model, last ${chunks} chunks: ${cells.join(', ')}`,
  )
}

try {
  const data = dataFolder(flags.data)
  const sets = MULTIHOP.map((name) => corpus(data, name, true))
  // Long documents first and last, short ones between: the marks compare chunks of the same kind.
  const long = longDocuments(data)
  const short = sets.flatMap((set) => set.passages.map((one) => ({ ...one, id: `${set.name} ${one.id}` })))
  const docs = [...long.slice(0, 20), ...short, ...long.slice(20)]
  let recent: Grown[] = []
  let passages = 0
  const goal = Number(flags.passages)
  for (let at = 0; at < docs.length && passages < goal; at += COMMIT) {
    const { answer } = await timed<Grown>('grow', docs.slice(at, at + COMMIT))
    recent = [...recent, answer].slice(-4)
    if (passages < 1000 && answer.passages >= 1000) report(recent, answer.passages)
    passages = answer.passages
  }
  report(recent, passages)
  await timed('publish')
  console.log('asking') // from here on a quiet machine matters
  const questions = sets.flatMap((set) => set.questions.slice(0, Math.ceil(Number(flags.questions) / sets.length)).map((one) => one.text))
  const calls: number[] = []
  for (let i = 0; i < 40; i++) calls.push((await timed('nothing')).ms)
  const empty = calls.sort((a, b) => a - b)[20] ?? 0
  for (const [name, own] of ASKED) {
    const times: number[] = []
    for (const question of questions) {
      await timed('aim', question)
      times.push((await timed('ask', name, own)).ms - empty)
    }
    times.sort((a, b) => a - b)
    const at = (share: number): string => (times[Math.floor(share * times.length)] ?? 0).toFixed(1)
    console.log(`${passages} passages, ${name} ${JSON.stringify(own)}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`)
  }
} finally {
  await miniflare.dispose()
  rmSync(folder, { recursive: true, force: true })
}
