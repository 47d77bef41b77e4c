/**
 * The stand-in's search in a large index beside a scan of all its vectors, in one run: recall@50 and time, on sentences of real texts by the encoder that comes with
 * Loam. Prints; asserts nothing.   npm run bench platform/shelf -- --data <folder> [--vectors 100000] [--questions 100]
 */
import { parseArgs } from 'node:util'
import { Shelf } from '../../local/workerd/shelf'
import { theStaticEncoder } from '../lib/encoders'
import { load } from '../lib/processor'
import { dataFolder, merged } from '../quality/corpora'
import { quantile } from '../system/loam'

const { values } = parseArgs({
  options: { data: { type: 'string' }, vectors: { type: 'string', default: '100000' }, questions: { type: 'string', default: '100' } },
})
const K = 50
const WINDOWS = [24, 12, 40, 60, 90] // words of a piece, when one length has been through all texts the next begins

const { documents, questions } = merged(dataFolder(values.data))
const encode = (text: string): Float32Array => Float32Array.from(theStaticEncoder().encode(text))

function* pieces(): Generator<string> {
  for (const words of WINDOWS) {
    for (const { text } of documents) {
      const all = text.split(/\s+/)
      for (let at = 0; at < all.length; at += words / 2) yield all.slice(at, at + words).join(' ')
    }
  }
}

const shelves = { scan: new Shelf(Number.POSITIVE_INFINITY), signs: new Shelf() }
let count = 0
for (const text of pieces()) {
  if (count >= Number(values.vectors)) break
  const vector = encode(text)
  for (const shelf of Object.values(shelves)) shelf.put(`v${count}`, 'n', vector, { kind: 'passage' })
  count++
}
const every = Math.max(1, Math.floor(questions.length / Number(values.questions)))
const asked = questions.filter((_, i) => i % every === 0).map(({ text }) => encode(text))
const filter = (indexed: { readonly [property: string]: unknown }): boolean => indexed.kind === 'passage'
const wanted = { k: K, namespace: 'n', values: false, metadata: 'none' as const, filter }
const found = new Map<string, Set<string>[]>()
for (const [name, shelf] of Object.entries(shelves)) {
  const [clock, cpu]: [number[], number[]] = [[], []]
  const lists = asked.map((vector) => {
    const [since, used] = [performance.now(), process.cpuUsage()]
    const near = shelf.nearest(vector, wanted)
    clock.push(performance.now() - since)
    const { user, system } = process.cpuUsage(used)
    cpu.push((user + system) / 1000)
    return new Set(near.map(({ id }) => id))
  })
  found.set(name, lists)
  const at = (times: number[], share: number): string => quantile(times, share).toFixed(1)
  console.log(`${count} vectors, ${name}: p50 ${at(clock, 0.5)} ms, p95 ${at(clock, 0.95)}; of the processor p50 ${at(cpu, 0.5)} ms`)
}
const both = (found.get('scan') ?? []).map((scan, i) => [...scan].filter((id) => found.get('signs')?.[i]?.has(id)).length / scan.size)
console.log(
  `recall@${K} ${((100 * both.reduce((sum, one) => sum + one, 0)) / both.length).toFixed(2)} %, least ${(100 * Math.min(...both)).toFixed(0)} %; ${load()}`,
)
