/**
 * One corpus divided into several and asked as one (src/flows/several): recall at 5 beside the whole, with the merging that serves, ranks dealt out in turn, and
 * scores as they are. Documents are divided in turn, which parts what belongs together: the worst case, since no link leads from one corpus into another.
 *   npm run bench quality/several -- --data <folder> [--sets a,b] [--of auto,hybrid,keyword]
 */
import { parseArgs } from 'node:util'
import type { Evidence } from '../../src/core/evidence'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { distinct, terms } from '../../src/core/text/terms'
import { mergeEvidence, type Part } from '../../src/flows/several/merge'
import { contenders } from './contenders'
import { type Corpus, corpus, dataFolder, MULTIHOP } from './corpora'
import { type Index, indexed } from './memory'
import { mean, recall } from './metrics/ranking'

const TOP = 20 // pieces of each corpus
const PARTS = [1, 2, 4]

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string', default: MULTIHOP.join(',') },
    of: { type: 'string', default: 'auto,hybrid,keyword' },
  },
})
const folder = dataFolder(values.data)
const asked = contenders(values.of)
const builders = [...new Map(asked.flatMap((one) => one.strategy.builders).map((one) => [one.name, one])).values()]

const ways: { readonly [way: string]: (parts: readonly Part[]) => readonly Evidence[] } = {
  merged: (parts) => mergeEvidence(parts).map(({ evidence }) => evidence),
  'in turn': (parts) => Array.from({ length: TOP }, (_, i) => parts.flatMap(({ evidence }) => evidence.slice(i, i + 1))).flat(),
  'by score': (parts) => parts.flatMap(({ evidence }) => evidence).sort((a, b) => b.score - a.score),
}

for (const set of values.sets.split(',')) {
  const data = corpus(folder, set, true)
  for (const count of PARTS) {
    const indexes: Index[] = []
    for (let part = 0; part < count; part++) {
      indexes.push(
        await indexed({ ...data, passages: data.passages.filter((_, at) => at % count === part) }, 'static', builders, defaultSettings),
      )
    }
    for (const contender of asked)
      console.log([set.padEnd(18), count, contender.name.padEnd(8), await recalls(data, indexes, contender)].join(' '))
  }
}
process.exit()

async function recalls(data: Corpus, indexes: readonly Index[], { strategy, own }: (typeof asked)[number]): Promise<string> {
  const found = new Map<string, number[]>()
  for (const question of data.questions) {
    const parts = await Promise.all(
      indexes.map((index, at) => partOf(index, String(at), () => index.ask(strategy, question.text, { topK: TOP, own }))),
    )
    for (const [way, merge] of Object.entries(ways)) {
      const documents = [...new Set(merge(parts).flatMap((one) => one.document ?? []))]
      found.set(way, [...(found.get(way) ?? []), recall(documents, question.gold, 5)])
    }

    async function partOf({ graph }: Index, name: string, ask: () => ReturnType<Index['ask']>): Promise<Part> {
      const words = distinct(terms(question.text))
      const counts = graph.frequency(words)
      const { evidence } = await ask()
      return {
        corpus: name,
        evidence,
        frequencies: words.map((word, i) => [word, counts[i] ?? 0] as const),
        passages: graph.count('passage'),
      }
    }
  }
  return [...found].map(([way, all]) => `${way} ${(100 * mean(all)).toFixed(1)}`).join('  ')
}
