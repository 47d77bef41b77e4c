/**
 * What the pool of `auto` holds for each question of a set, and what is known of each candidate: the material from which its scorer is fitted.
 *   npm run bench quality/fit/dump -- --data <folder> --out <folder> [--sets a,b] [--titles yes,no] [--embedding static|none|minilm] [--questions 300]
 * One JSONL file a set and condition: a line a question, with the documents that hold the answer, those `auto` and `hybrid` find, and the candidates.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { namesIn } from '../../../src/core/channels/names'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { Hit } from '../../../src/core/graph/types'
import { chunkOf } from '../../../src/core/ids'
import { auto } from '../../../src/core/strategies/auto/auto'
import { readChannels } from '../../../src/core/strategies/auto/channels'
import { fuse } from '../../../src/core/strategies/auto/fuse'
import { FEATURES, poolFor } from '../../../src/core/strategies/auto/pool'
import { weightsOf } from '../../../src/core/strategies/auto/weights'
import { hybrid } from '../../../src/core/strategies/baselines/hybrid'
import type { Strategy } from '../../../src/core/strategy'
import { corpus, corpusNames, dataFolder } from '../corpora'
import { type Embedding, indexed } from '../memory'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string', default: corpusNames.join(',') },
    titles: { type: 'string', default: 'yes,no' },
    embedding: { type: 'string', default: 'static' },
    questions: { type: 'string', default: '300' },
    out: { type: 'string', default: join('bench', 'results', 'pools') },
  },
})
const TOP = 100
mkdirSync(values.out, { recursive: true })
for (const titles of values.titles.split(',').map((one) => one === 'yes')) {
  for (const set of values.sets.split(',')) {
    const whole = corpus(dataFolder(values.data), set, titles)
    const every = Math.max(1, Math.floor(whole.questions.length / Number(values.questions)))
    const data = { ...whole, questions: whole.questions.filter((_, i) => i % every === 0) }
    const index = await indexed(data, values.embedding as Embedding, auto.builders)
    const times: number[] = []
    const lines: string[] = []
    const documentsIn = (graph: GraphReader, hits: readonly Hit[]): string[] => [
      ...new Set(hits.filter((hit) => hit.score > 0).flatMap((hit) => graph.placements(chunkOf(hit.id))[0]?.document ?? [])),
    ]
    for (const { id, text, gold } of data.questions) {
      const { documents: hybridDocuments } = await index.ask(hybrid, text, { topK: TOP })
      const dumping: Strategy = {
        ...auto,
        retrieve(graph, query) {
          const started = process.cpuUsage()
          const isNamed = namesIn(graph, text).some((name) => name.documents.length > 0)
          const weights = weightsOf(graph, {}, isNamed)
          const said = readChannels(graph, query, { dense: weights.dense > 0, paths: weights.paths > 0 })
          const fused = fuse(graph, said, weights)
          const before = process.cpuUsage(started)
          const pool = poolFor(graph, query, { said, fused })
          const candidates = pool.candidates()
          const after = process.cpuUsage(started)
          times.push((after.user - before.user) / 1000)
          const sum = fused.ranking.slice(0, TOP)
          lines.push(
            JSON.stringify({
              id,
              q: text,
              gold,
              weights: [isNamed ? 1 : 0, weights.dense, weights.paths, weights.links],
              w: said.terms.map((one) => rounded(one.idf)),
              sum: documentsIn(graph, sum).slice(0, 10),
              hybrid: hybridDocuments.slice(0, 10),
              shares: Object.fromEntries(sum.map((hit) => [hit.id, rounded(hit.score / (sum[0]?.score || 1))])),
              candidates: candidates.map(({ passage, features }) => ({
                id: passage.id,
                d: passage.document,
                m: passage.covers() >>> 0,
                f: FEATURES.map((name) => rounded(features[name])),
              })),
            }),
          )
          return { kind: 'evidence', found: [] }
        },
      }
      await index.ask(dumping, text, { topK: TOP })
    }
    const name = `${set}-${titles ? 'titles' : 'plain'}-${values.embedding}`
    writeFileSync(join(values.out, `${name}.jsonl`), `${lines.join('\n')}\n`)
    times.sort((a, b) => a - b)
    console.log(`${name}: ${lines.length} questions, pool ${times[times.length >> 1]?.toFixed(1)} ms of processor at the median`)
  }
}
console.log(FEATURES.join(' '))

function rounded(value: number): number {
  return Number(value.toFixed(4))
}
