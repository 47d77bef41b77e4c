/**
 * What it costs a question that its asker may not read all: the object's part of it (entry points, walk, evidence), in Node on node:sqlite, at
 * none, 10 and 1,000 lists of labels over the documents. The asker speaks for all of them, and for half. Askers take turns, and the
 * processor's time is counted, so that the machine's other work falls on none. Prints; asserts nothing.
 *   npm run bench access -- --data <folder> [--passages 6000] [--strategies erarag,ketrag] [--rounds 5]
 */
import { parseArgs } from 'node:util'
import { setAccess } from '../../durable-objects/corpus/ingest/set-access'
import { retrieve } from '../../durable-objects/corpus/query/retrieve'
import { hashEmbedding } from '../../local/workerd/hash-embedder'
import { quantize } from '../../src/core/vectors'
import { localObject } from '../lib/object'
import { dataFolder, merged } from '../quality/corpora'
import { quantile } from '../system/loam'

const { values: flags } = parseArgs({
  options: {
    data: { type: 'string' },
    passages: { type: 'string', default: '6000' },
    strategies: { type: 'string', default: 'erarag,cluerag,ketrag' },
    questions: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '5' },
  },
})
const D = 256
const LISTS = [0, 10, 1000]
const ENTRIES = 100 // passages the index gives
const strategies = flags.strategies.split(',').filter(Boolean)
const { documents, questions: all } = merged(dataFolder(flags.data))
const questions = all.slice(0, Number(flags.questions)).map(({ text }) => ({ text, vector: quantize(hashEmbedding(text, D)) }))

function made(lists: number) {
  const object = localObject(strategies, { dimensions: D })
  const { context } = object
  const embed = (texts: readonly string[]) => texts.map((text) => quantize(hashEmbedding(text, D)))
  for (let at = 0; at < documents.length && context.graph.count('passage') < Number(flags.passages); at += 200) {
    const batch = documents.slice(at, at + 200).map((one, i) => {
      return { ...one, url: null, metadata: {}, access: lists > 0 ? [`group:${(at + i) % lists}`] : [] }
    })
    object.ingest(batch, embed)
  }
  return { context, lists, principals: Array.from({ length: lists }, (_, i) => `group:${i}`) }
}

const corpora = LISTS.map(made)
const [plain] = corpora
if (!plain) throw new Error('no corpus')
const near = questions.map(({ vector }) => ({ passage: plain.context.graph.nearest(vector, 'passage', ENTRIES), summary: [], keyword: [] }))
console.log(
  `${plain.context.graph.count('document')} documents, ${plain.context.graph.count('passage')} passages, ${questions.length} questions, ${flags.rounds} rounds`,
)

const askers = corpora.flatMap(({ context, lists, principals }) => [
  { name: `${lists} lists, all of them`, context, asker: principals },
  ...(lists > 0 ? [{ name: `${lists} lists, half of them`, context, asker: principals.filter((_, i) => i % 2 === 0) }] : []),
])
const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const turned = <T>(list: readonly T[], by: number): T[] => [...list.slice(by), ...list.slice(0, by)]
console.log('strategy   asker                     p50 ms   p95 ms   p50 against no labels')
for (const strategy of ['hybrid', 'auto', ...strategies]) {
  const times = askers.map((): number[] => [])
  for (let round = 0; round <= Number(flags.rounds); round++) {
    questions.forEach(({ text, vector }, q) => {
      const first = (q + round) % askers.length // each is asked first as often as the others
      turned(askers, first).forEach(({ context, asker }, k) => {
        const i = (first + k) % askers.length
        const began = processorMs()
        retrieve(context, { strategy, text, vector, near: near[q] ?? {}, topK: 10, budget: 4000, trace: false, options: {}, asker })
        if (round > 0) times[i]?.push(processorMs() - began) // the first warms what an object remembers
      })
    })
  }
  const base = quantile(times[0] ?? [], 0.5)
  askers.forEach(({ name }, i) => {
    const own = times[i] ?? []
    const p50 = quantile(own, 0.5)
    const more = `${p50 >= base ? '+' : ''}${((100 * p50) / base - 100).toFixed(1)} %`
    console.log(
      `${strategy.padEnd(10)} ${name.padEnd(25)} ${p50.toFixed(2).padStart(6)} ${quantile(own, 0.95).toFixed(2).padStart(8)}   ${more}`,
    )
  })
}

// What another list costs a document whose segments stand: the transaction of PATCH.
const [, , many] = corpora
if (many) {
  const spent: number[] = []
  const { context } = many
  for (const id of context.graph.page('document', '', 100)) {
    const began = performance.now()
    context.atomically(() => setAccess(context, [{ document: id, access: ['group:0', 'group:new'], active: true }]))
    spent.push(performance.now() - began)
  }
  console.log(`other labels for a document: p50 ${quantile(spent, 0.5).toFixed(2)} ms, p95 ${quantile(spent, 0.95).toFixed(2)} ms`)
}
