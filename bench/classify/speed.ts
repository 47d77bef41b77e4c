/**
 * How long a classification takes in local workerd, embedding apart, what the index holds in memory (in Node), and how long the first one takes in
 * Node after waking up. Each request carries one text.
 * `npm run bench classify/speed --data <folder> [--set ifs_5shot]`
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { classify } from '../../src/core/strategies/gorag/gorag'
import { goragIndex } from '../../src/core/strategies/gorag/index'
import { goragDefaults } from '../../src/core/strategies/gorag/settings'
import { dataFolder } from '../quality/corpora'
import { roundSet, type SetName } from './data'
import { addRound, emptyCorpus, nameText, vectorsOf } from './run'

const TEXTS = 200

const { values } = parseArgs({ options: { data: { type: 'string' }, set: { type: 'string', default: 'ifs_5shot' } } })
const set = roundSet(dataFolder(values.data), values.set as SetName)
const vectors = await vectorsOf(set)
const texts = set.rounds.flatMap((round) => round.tests).slice(-TEXTS)

const bundle = await build({
  entryPoints: ['bench/classify/speed-worker.ts'],
  bundle: true,
  format: 'esm',
  target: 'es2022',
  write: false,
})
const worker = new Miniflare({
  modules: [{ type: 'ESModule', path: 'worker.js', contents: bundle.outputFiles[0]?.text ?? '' }],
  compatibilityDate: '2026-01-01',
})
const post = async (path: string, body: unknown): Promise<unknown> =>
  (await worker.dispatchFetch(`http://bench${path}`, { method: 'POST', body: JSON.stringify(body) })).json()
const withVector = (text: string) => ({ text, vector: [...(vectors.get(text) ?? [])] })

const labels = set.rounds.flatMap((round) =>
  round.labels.map((id) => ({
    id,
    name: nameText(id) ? withVector(nameText(id)) : null,
    examples: round.shots.filter((one) => one.label === id).map((one) => withVector(one.text)),
  })),
)
const size = await post('/labels', labels)
const times: Record<string, string> = {}
for (const path of ['/empty', '/classify', '/learn']) {
  const took: number[] = []
  const spent = cpu()
  for (const { text } of texts) {
    const started = performance.now()
    await post(path, path === '/empty' ? [] : [withVector(text)])
    took.push(performance.now() - started)
  }
  took.sort((a, b) => a - b)
  times[path] = `p50 ${at(took, 0.5)} ms, p95 ${at(took, 0.95)} ms, cpu ${((cpu() - spent) / TEXTS).toFixed(1)} ms`
}
await worker.dispose()

setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void
const heap = (): number => {
  collect()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return (heapUsed + external + arrayBuffers) / 1e6
}
const corpus = emptyCorpus(goragDefaults)
for (const round of set.rounds) addRound(corpus, round, vectors)
const woken = performance.now()
corpus.index = goragIndex(corpus.graph, goragDefaults)
classify(corpus.graph, { text: texts[0]?.text ?? '', vector: vectors.get(texts[0]?.text ?? ''), now: 0 }, goragDefaults, corpus.index)
const first = performance.now() - woken // rows read, counts, leave-one-out and tree made
const full = heap()
corpus.index = goragIndex(emptyCorpus(goragDefaults).graph, goragDefaults)
console.log(
  JSON.stringify(
    { set: set.name, size, load: loadavg()[0]?.toFixed(1), times, indexMegabytes: (full - heap()).toFixed(1), firstMs: first.toFixed(0) },
    null,
    2,
  ),
)

/** Milliseconds of processor time the newest workerd of this process has used; 0 where the system does not say. */
function cpu(): number {
  try {
    const pids = execFileSync('pgrep', ['-P', String(process.pid), 'workerd'])
      .toString()
      .trim()
      .split('\n')
    const fields =
      readFileSync(`/proc/${pids.at(-1)}/stat`, 'utf8')
        .split(') ')[1]
        ?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10 // ticks of 10 ms
  } catch {
    return 0
  }
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
}
