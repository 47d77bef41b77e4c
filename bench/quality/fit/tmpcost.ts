import { auto } from '../../../src/core/strategies/auto/auto'
import { corpus, dataFolder } from '../corpora'
import { indexed } from '../memory'

const data = corpus(dataFolder(undefined), process.argv[2] ?? 'hotpotqa_train100', true)
const bare = { ...auto, builders: auto.builders.slice(0, 2) }
const index = await indexed(data, 'static', bare.builders)
for (let round = 0; round < 3; round++)
  for (const own of [{ scorer: 'sum' }, {}, { paths: 0 }] as const) {
    const start = process.cpuUsage()
    for (const q of data.questions) await index.ask(bare, q.text, { topK: 20, own })
    const used = process.cpuUsage(start)
    console.log(
      round,
      JSON.stringify(own),
      ((used.user + used.system) / 1000 / data.questions.length).toFixed(2),
      'ms of processor a question, the search of vectors included',
    )
  }
