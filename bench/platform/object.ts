/**
 * What a corpus costs the object itself, without network, Workflow and a real model: taking documents in, asking, consolidating.
 *   npm run bench object [-- --strategies erarag,… --batches 5 --size 200]
 *   npm run bench object -- --data <folder> --strategies archrag --asked archrag [--passages 10000] [--consolidate]
 * With `--data` the texts are real and embedded by the hash of their words. Run it under `node --cpu-prof` to see where the time goes, and
 * under `node --expose-gc` to see what it keeps.
 */
import { parseArgs } from 'node:util'
import { retrieve } from '../../durable-objects/corpus/query/retrieve'
import { hashEmbedding } from '../../local/workerd/hash-embedder'
import { random } from '../../src/core/random'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { quantize } from '../../src/core/vectors'
import { type LocalObject, localObject } from '../lib/object'
import { watched } from '../lib/watched'
import { merged } from '../quality/corpora'
import { quantile } from '../system/loam'
import { take, texts } from '../system/texts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    strategies: { type: 'string', default: '' },
    asked: { type: 'string', default: '' },
    batches: { type: 'string', default: '5' },
    size: { type: 'string', default: '200' },
    passages: { type: 'string', default: '10000' },
    questions: { type: 'string', default: '100' },
    dimensions: { type: 'string', default: '512' },
    archrag: { type: 'string', default: '{}' },
    consolidate: { type: 'boolean', default: false },
  },
})
const list = (text: string): string[] => text.split(',').filter(Boolean)
const dimensions = Number(values.dimensions)
const real = values.data === undefined ? undefined : merged(values.data)
const noise = random(7)
const pool = Array.from({ length: 997 }, () => quantize(Array.from({ length: dimensions }, () => noise.normal())))
let at = 0
const embed = (list: readonly string[]): Int8Array[] =>
  list.map((text) => (real ? quantize(hashEmbedding(text, dimensions)) : (pool[at++ % pool.length] as Int8Array)))

const archrag = { ...defaultSettings.archrag, ...(JSON.parse(values.archrag) as object) }
const object = localObject(list(values.strategies), { dimensions, archrag })
const { graph } = object.context
const source = real ? real.documents.values() : texts()
let wait = { accept: 0, commit: 0, longest: 0 }
for (let batch = 0; real ? graph.count('passage') < Number(values.passages) : batch < Number(values.batches); batch++) {
  const documents = take(source, Number(values.size))
    .filter(Boolean)
    .map((one) => ({ ...one, url: null, metadata: {} }))
  if (documents.length === 0) break
  const before = { chunks: graph.count('chunk'), rows: graph.rowsWritten }
  const { accept, commit, longest, peak } = object.ingest(documents, embed)
  const made = graph.count('chunk') - before.chunks
  wait = { accept: wait.accept + accept, commit: wait.commit + commit, longest: Math.max(wait.longest, longest) }
  console.log(
    `${graph.count('chunk')} chunks, ${graph.count('passage')} passages, ${graph.count('entity')} entities: accept ${((1000 * accept) / made).toFixed(2)} ms, commit ${((1000 * commit) / made).toFixed(2)} ms, ${((graph.rowsWritten - before.rows) / made).toFixed(0)} rows per chunk, ${longest.toFixed(2)} s at a time${peak > 0 ? `, ${peak} MB at most` : ''}`,
  )
}
const chunks = graph.count('chunk')
console.log(
  `all: accept ${((1000 * wait.accept) / chunks).toFixed(2)} ms, commit ${((1000 * wait.commit) / chunks).toFixed(2)} ms per chunk; state ${graph.state}`,
)
for (const strategy of list(values.asked)) ask(object, strategy)
if (values.consolidate) consolidate(object)

function ask({ context }: LocalObject, strategy: string): void {
  const times: number[] = []
  const found: string[] = []
  let distances = 0
  for (const { text } of real?.questions.slice(0, Number(values.questions)) ?? []) {
    const [vector] = embed([text])
    const near = { passage: graph.nearest(vector as Int8Array, 'passage', 100) }
    const request = { strategy, text, ...(vector ? { vector } : {}), near, topK: 20, budget: 4000, trace: true, options: {} }
    const since = performance.now()
    const result = retrieve(context, request)
    times.push(performance.now() - since)
    if (result.kind !== 'evidence') continue
    found.push(...result.evidence.map((one) => one.id))
    const layers = (result.trace as { found?: { distances?: number }[] } | undefined)?.found
    for (const layer of Array.isArray(layers) ? layers : []) distances += layer.distances ?? 0
  }
  console.log(
    `${strategy}: p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms; ${found.length} found, ${Math.round(distances / times.length)} distances`,
  )
}

function consolidate({ context }: LocalObject): void {
  for (const builder of context.builders) {
    if (!builder.consolidate) continue
    const { result, seconds, peak } = watched(() =>
      context.atomically(() => {
        const update = builder.consolidate?.(graph, context.config.settings)
        if (update) graph.apply(update.patch, graph.version + 1)
        return update
      }),
    )
    console.log(
      `consolidate ${builder.name}: ${seconds.toFixed(2)} s${peak === undefined ? '' : `, ${peak} MB at most`}, ${result?.patch.length} changes; state ${graph.state}`,
    )
  }
}
