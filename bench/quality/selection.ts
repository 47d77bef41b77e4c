/**
 * What choosing evidence as a set is worth: recall by document among the passages that a question is given, with a cap per document and with diversity.
 *   npm run bench quality/selection -- --data <folder> [--sets a,b] [--titles yes] [--of auto,hybrid] [--top 10,20]
 * Every variant is compared with the ranking as it is, paired over questions.
 */
import { parseArgs } from 'node:util'
import { strategies } from '../../src/core/strategies/registry'
import type { SelectionDefaults } from '../../src/core/strategy'
import { corpus, dataFolder } from './corpora'
import { type Asking, indexed } from './memory'
import { accuracy } from './metrics/answers'
import { interval, mean, pairedBootstrap, recall } from './metrics/ranking'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: {
      type: 'string',
      default: 'web_mathematics,web_nature,web_philosophy,lihua,dev_2wiki,dev_hotpot,hotpotqa_train100,musique_train100',
    },
    titles: { type: 'string', default: 'yes' },
    of: { type: 'string', default: 'auto,hybrid' },
    top: { type: 'string', default: '10,20' },
  },
})

interface Variant {
  readonly name: string
  readonly own?: NonNullable<Asking['own']>
  readonly selection?: SelectionDefaults
}

const plain = { name: 'as ranked', own: { max_per_document: 100, diversity: 0 } } as const satisfies Variant
const variants: readonly Variant[] = [
  plain,
  ...[0.2, 0.3, 0.4].map((perDocument) => ({
    name: `a document first ${perDocument} of the pieces`,
    selection: { perDocument, diversity: 0 },
  })),
  ...[0.05, 0.1, 0.2, 0.3, 0.5].map((diversity) => ({ name: `diversity ${diversity}`, selection: { perDocument: 1, diversity } })),
  ...[0.1, 0.2, 0.3].map((diversity) => ({ name: `.3 and diversity ${diversity}`, selection: { perDocument: 0.3, diversity } })),
]

for (const titles of values.titles.split(',').map((one) => one === 'yes')) {
  for (const set of values.sets.split(',')) {
    const data = corpus(dataFolder(values.data), set, titles)
    const asked = values.of.split(',').flatMap((name) => strategies.get(name) ?? [])
    const builders = [...new Map(asked.flatMap((one) => one.builders).map((one) => [one.name, one])).values()]
    const index = await indexed(data, 'static', builders)
    for (const strategy of asked) {
      for (const topK of values.top.split(',').map(Number)) {
        let before: readonly number[] = []
        for (const { name, own, selection } of variants) {
          const chosen = selection ? { ...strategy, selection } : strategy
          const rows = []
          for (const question of data.questions) {
            const { evidence, documents } = await index.ask(chosen, question.text, { topK, budget: topK * 400, ...(own ? { own } : {}) })
            const spans = question.answers.filter((answer) => !/^(yes|no)$/i.test(answer))
            const text = evidence.map((one) => one.text).join('\n')
            const first = question.gold.includes(documents[0] ?? '') ? 1 : 0
            const covered = spans.length > 0 ? [accuracy(text, spans)] : []
            rows.push({ recall: 100 * recall(documents, question.gold, 5), first, covered, documents: documents.length })
          }
          const recalls = rows.map((row) => row.recall)
          if (name === plain.name) before = recalls
          const shown = [
            mean(recalls).toFixed(1),
            interval(pairedBootstrap([{ a: recalls, b: before }])),
            `first ${(100 * mean(rows.map((row) => row.first))).toFixed(0)}`,
            `answers ${(100 * mean(rows.flatMap((row) => row.covered))).toFixed(1)}`,
            `documents ${mean(rows.map((row) => row.documents)).toFixed(1)}`,
          ]
          console.log(
            `${set.padEnd(18)} ${titles ? 'titles' : 'bare  '} ${strategy.name.padEnd(7)} top ${topK} ${name.padEnd(36)} ${shown.join('  ')}`,
          )
        }
      }
    }
  }
}
