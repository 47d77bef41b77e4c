/**
 * The encoders beside each other: the one that comes with Loam in Node and in workerd, the one it replaced (Universal Sentence Encoder Lite), and its
 * teacher (MiniLM, where TEACHER_PYTHON names a Python that has it; encoder/README.md). Texts a second of processor time, and recall@5 with and without titles.
 *   npm run bench encoders -- --data <folder> [--of static,use-lite,minilm] [--sets a,b] [--speed 500]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { embedAll } from '../lib/embeddings'
import { embedStatic, minilm, theStaticEncoder } from '../lib/encoders'
import { load, processorMs } from '../lib/processor'
import { contenders } from '../quality/contenders'
import { corpus, dataFolder, MULTIHOP } from '../quality/corpora'
import { measured, summary } from '../quality/measure'
import { indexed } from '../quality/memory'
import { titleGraph } from '../quality/title-graph'

type Name = 'static' | 'use-lite' | 'minilm'
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    of: { type: 'string', default: process.env.TEACHER_PYTHON ? 'static,use-lite,minilm' : 'static,use-lite' },
    sets: { type: 'string', default: MULTIHOP.join(',') },
    speed: { type: 'string', default: '500' },
  },
})
const folder = dataFolder(values.data)
const names = values.of.split(',') as Name[]
const sets = values.sets.split(',')
const texts = sets.flatMap((set) => corpus(folder, set, true).passages.map((one) => `${one.title}\n${one.text}`))
const every = Math.max(1, Math.floor(texts.length / Number(values.speed)))
const sample = texts.filter((_, i) => i % every === 0)
const average = Math.round(sample.reduce((sum, text) => sum + text.length, 0) / sample.length)

const rates: string[] = []
for (const name of names) {
  const embed = name === 'static' ? embedStatic : name === 'minilm' ? minilm(process.env.TEACHER_PYTHON ?? 'python3') : embedAll
  await embed(['a first text: what is loaded is loaded'])
  const fresh = sample.map((text) => `${text} ${process.pid}`) // known to no cache
  rates.push(`${name} ${rate(fresh.length, await timed(() => embed(fresh)))}`)
}
if (names.includes('static')) rates.push(`static in workerd ${await inWorkerd(sample)}`)
console.log(`texts of ${average} characters a second of one core: ${rates.join('; ')}; ${load()}\n`)

const strategies = contenders('keyword,vector,hybrid,auto')
console.log(
  `| embeddings | titles | set | ${strategies.map((one) => one.name).join(' | ')} |\n|---|---|---|${strategies.map(() => '---|').join('')}`,
)
for (const name of names) {
  for (const titles of [true, false]) {
    const means = strategies.map(() => 0)
    for (const set of sets) {
      const data = corpus(folder, set, titles)
      const index = await indexed(data, name, buildersOf())
      const graph = titleGraph(data.passages)
      const row: string[] = []
      for (const [i, contender] of strategies.entries()) {
        const { recall5 } = summary(await measured(data, index, contender, graph))
        means[i] = (means[i] ?? 0) + recall5 / sets.length
        row.push(recall5.toFixed(1))
      }
      console.log(`| ${name} | ${titles ? 'yes' : 'no'} | ${set} | ${row.join(' | ')} |`)
    }
    console.log(`| ${name} | ${titles ? 'yes' : 'no'} | **mean** | ${means.map((one) => one.toFixed(1)).join(' | ')} |`)
  }
}
process.exit(0)

function buildersOf() {
  const all = strategies.flatMap((one) => one.strategy.builders)
  return [...new Map(all.map((one) => [one.name, { ...one, unitVectors: false }])).values()]
}

/** Milliseconds of processor time, of this process and its children: what else the machine does lengthens it little. */
async function timed(act: () => Promise<unknown>): Promise<number> {
  const spent = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000 + processorMs()
  }
  const began = spent()
  await act()
  return spent() - began
}

function rate(count: number, ms: number): string {
  return Math.round((1000 * count) / ms).toLocaleString('en')
}

/** Timed from outside; a call without texts is taken off. */
async function inWorkerd(list: readonly string[]): Promise<string> {
  const adapter = JSON.stringify(join(process.cwd(), 'src/adapters/static-embedder.ts'))
  const source = `import { staticEmbedder } from ${adapter}
    export default { async fetch(request, env) { const texts = await request.json(); const { vectors } = await staticEmbedder(env.ASSETS, ${theStaticEncoder().dimensions})(texts); return Response.json(vectors.length) } }`
  const built = await build({ stdin: { contents: source, resolveDir: process.cwd() }, bundle: true, format: 'esm', write: false })
  const { Response } = await import('miniflare')
  const worker = new Miniflare({
    modules: true,
    script: built.outputFiles[0]?.text ?? '',
    compatibilityDate: '2026-07-01',
    serviceBindings: { ASSETS: () => new Response(readFileSync(join(process.cwd(), 'encoder/static.bin'))) },
  })
  const call = (some: readonly string[]) =>
    worker.dispatchFetch('http://bench/', { method: 'POST', body: JSON.stringify(some) }).then((reply) => reply.text())
  const first = await timed(() => call(['a']))
  const nothing = await timed(() => call([]))
  const all = (await timed(() => call(list))) - nothing
  await worker.dispose()
  return `${rate(list.length, all)} (first text of an isolate ${Math.round(first)} ms)`
}
