/**
 * What an account's limits make of indexing: the real rounds, adapter and governor in virtual time, beside Workers AI with all its limits
 * (300 text and 3,000 embedding calls a minute, sizes, four connections), 5 s a text call and 0.3 s an embedding call; questions come in
 * between. `npm run bench account [-- --documents 1000 --corpora 1,5,10 --strategies cluerag,ketrag --questions 30
 * --rates text=1000000 --slots 48]`: questions a minute; MODEL_RATES and MODEL_SLOTS, by which one sees what happens without them.
 */
import { parseArgs } from 'node:util'
import { random } from '../../src/core/random'
import { account } from '../../test/account'
import { letter } from '../../test/node/corpus/spending'

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000' },
    corpora: { type: 'string', default: '1,5,10' },
    strategies: { type: 'string', default: 'cluerag,ketrag' },
    questions: { type: 'string', default: '30' },
    rates: { type: 'string', default: '' },
    slots: { type: 'string', default: '' },
  },
})
const documents = Number(values.documents)
const perMinute = Number(values.questions)

interface Asked {
  readonly embed: number
  readonly write: number
}

const p = (sorted: readonly number[], share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
const spread = (all: readonly number[]): string => {
  const sorted = [...all].sort((a, b) => a - b)
  return `${p(sorted, 0.5)} / ${p(sorted, 0.95)} / ${sorted.at(-1) ?? 0}`
}

async function measured(corpora: number): Promise<void> {
  const here = account({ rates: values.rates, slots: values.slots })
  const { time } = here
  const began = time.now()
  let done = false
  const indexing = Promise.all(
    Array.from({ length: corpora }, async (_, c) => {
      const corpus = here.corpus(values.strategies.split(',').filter(Boolean))
      const each = Math.ceil(documents / corpora)
      corpus.accept(Array.from({ length: each }, (_, n) => letter(c * each + n)))
      await here.indexed(corpus, `corpus-${c}`)
      corpus.close()
    }),
  ).finally(() => {
    done = true
  })
  const source = random('questions')
  const asked: Asked[] = []
  let failed = 0
  const question = async (): Promise<void> => {
    const models = here.question()
    const times: number[] = []
    const timed = async (work: Promise<unknown>): Promise<void> => {
      const from = time.now()
      await work
      times.push(time.now() - from)
    }
    try {
      await timed(models.embed(['Who met whom?']))
      await timed(models.write([{ role: 'user', content: 'Who met whom?' }], { tokens: 200 }))
      asked.push({ embed: times[0] ?? 0, write: times[1] ?? 0 })
    } catch {
      failed++
    }
  }
  const pending: Promise<void>[] = []
  const asking = (async () => {
    while (!done && perMinute > 0) {
      await time.sleep((-Math.log(1 - source.next()) * 60_000) / perMinute)
      pending.push(question())
    }
  })()
  await time.run(Promise.all([indexing, asking]))
  await time.run(Promise.all(pending))
  const seconds = Math.round((time.now() - began) / 1000)
  const { text, embed } = here.calls
  console.log(
    `${corpora} corpora, ${documents} documents: ${text} text and ${embed} embedding calls in ${seconds} s (${((text * 60) / seconds).toFixed(0)} text calls a minute), ` +
      `refused ${JSON.stringify(here.refused)}, ${here.together()} calls at once in one invocation at most; ` +
      `${asked.length} questions (${failed} failed): embedding ${spread(asked.map((one) => one.embed))} ms, ` +
      `answer ${spread(asked.map((one) => one.write))} ms (p50 / p95 / most)`,
  )
}

for (const corpora of values.corpora.split(',').map(Number)) await measured(corpora)
