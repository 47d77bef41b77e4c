/**
 * What keeping a ceiling costs a question: the same questions with and without a budget, in turn, against one corpus on node:sqlite with models that
 * answer at once. Time, calls to the object and rows written; the ratio is of one run.
 *   npm run bench ceiling [-- --questions 400 --open 60]
 */
import { parseArgs } from 'node:util'
import { isCapped } from '../../durable-objects/corpus/billing/usage'
import { chargeStages, reserveHolds } from '../../durable-objects/corpus/billing/usage-recorder'
import { retrieve } from '../../durable-objects/corpus/query/retrieve'
import { query } from '../../src/flows/ask'
import type { AskDeps } from '../../src/flows/ask-types'
import type { CorpusConfig } from '../../src/ports/corpus'
import type { CorpusObject } from '../../src/ports/object'
import { fakeCorpus, fakeIndex } from '../../test/core/flows/fakes'
import { countedModels, letter, scribe, spending } from '../../test/node/corpus/spending'

const { values } = parseArgs({ options: { questions: { type: 'string', default: '400' }, open: { type: 'string', default: '60' } } })
const BUDGETS = { none: {}, capped: { tokens: 1e12, usd: 1e9 } } as const
const PRICES = { in: 0.051, out: 0.335, embedded: 0.012, reranked: 0.003, date: '2026-08-28' }

const corpus = spending([])
corpus.accept(Array.from({ length: 200 }, (_, n) => letter(n)))
corpus.configure({ prices: PRICES })
const { models } = countedModels((prompt) => (prompt.includes('numbered sources') ? 'They met in the mill [1].' : scribe(prompt)))
await corpus.work(models)

let calls = 0
const object: CorpusObject = {
  ...fakeCorpus(),
  verify: async (quotes) => quotes.map(() => ({})),
  reserve: async (holds) => {
    calls++
    return reserveHolds(corpus.context, holds)
  },
  charge: async (stages, holds) => {
    calls++
    chargeStages(corpus.context, stages, holds)
  },
  retrieve: async (request) => {
    calls++
    const result = retrieve(corpus.context, request)
    if ((result.kind !== 'evidence' && result.kind !== 'wanted') || !isCapped(corpus.context)) return result
    const held = request.hold ? (reserveHolds(corpus.context, [request.hold])[0] ? 'granted' : 'refused') : 'unasked'
    return { ...result, held }
  },
}

const seen = { none: { ms: [] as number[], rows: 0, calls: 0 }, capped: { ms: [] as number[], rows: 0, calls: 0 } }
const count = Number(values.questions)
for (let n = 0; n < 2 * count + 40; n++) {
  const kind = n % 2 === 0 ? 'none' : 'capped'
  corpus.configure({ budget: BUDGETS[kind] })
  // As many others are under way.
  if (kind === 'capped') {
    const max = { answer: { in: 4000, out: 1000, embedded: 0 } }
    reserveHolds(
      corpus.context,
      Array.from({ length: Number(values.open) }, (_, i) => ({ id: `open-${i}`, max })),
    )
  }
  const settled: Promise<unknown>[] = []
  const deps: AskDeps = {
    corpus: object,
    config: corpus.context.config as CorpusConfig,
    models,
    index: fakeIndex(),
    now: () => performance.now(),
    later: (work) => void settled.push(work),
  }
  const before = { rows: corpus.context.sql.written(), calls, at: performance.now() }
  const outcome = await query(deps, { query: `Who met Ada Lovelace on page ${n % 97}, and where?`, strategy: 'hybrid' })
  const ms = performance.now() - before.at
  await Promise.all(settled)
  if (outcome.kind !== 'answered' || outcome.result.generator !== 'model') throw new Error('a question was not answered by the model')
  if (n < 40) continue // warm
  const own = seen[kind]
  own.ms.push(ms)
  own.rows += corpus.context.sql.written() - before.rows
  own.calls += calls - before.calls
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
for (const [kind, { ms, rows, calls: made }] of Object.entries(seen)) {
  console.log(
    `${kind.padEnd(6)}  median ${median(ms).toFixed(3)} ms, ${(made / count).toFixed(2)} calls to the object (that of the context beside the answer), ${(rows / count).toFixed(2)} rows written`,
  )
}
console.log(
  `with a budget and ${values.open} others under way: ${(median(seen.capped.ms) / median(seen.none.ms)).toFixed(3)} times the time`,
)
corpus.close()
