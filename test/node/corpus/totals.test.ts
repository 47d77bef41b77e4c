/** The running sums of the accounts: always those of its rows, and read without reading these. */
import { describe, expect, it } from 'vitest'
import { measuredOf } from '../../../durable-objects/corpus/billing/measured'
import { chargeStages, usageView } from '../../../durable-objects/corpus/billing/usage-recorder'
import { findJob } from '../../../durable-objects/corpus/jobs/jobs'
import { cancelJob } from '../../../durable-objects/corpus/maintenance/job-actions'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
import { CREATE_SPENDING_TOTAL } from '../../../durable-objects/corpus/tables/spending'
import { type Counted, countedModels, letter, type Spending, scribe, spending } from './spending'
import { dice } from './working'

interface Sums {
  readonly stage: string
  readonly usd: number
}

const PRICES = { in: 0.051, out: 0.335, embedded: 0.012, reranked: 0.003, date: '2026-08-28' }
const SUMS = 'stage, sum(calls) AS calls, sum(read) AS read, sum(written) AS written, sum(embedded) AS embedded, sum(usd) AS usd'
const rowsOf = ({ sql }: CorpusContext) => sql.all<Sums>(`SELECT ${SUMS} FROM spending GROUP BY stage ORDER BY stage`)
const totalsOf = ({ sql }: CorpusContext) => sql.all<Sums>(`SELECT ${SUMS} FROM spending_total GROUP BY stage ORDER BY stage`)
/** Dollars are sums of fractions: their order of adding shows in the last digits. */
const rounded = (list: readonly Sums[]) => list.map((one) => ({ ...one, usd: one.usd.toFixed(12) }))
const exact = (view: object): unknown =>
  JSON.parse(JSON.stringify(view, (key, value) => (key === 'usd' && typeof value === 'number' ? value.toFixed(12) : value)))

/** One thing that may happen to a corpus's context. */
async function happen(corpus: Spending, models: Counted['models'], roll: (sides: number) => number): Promise<void> {
  switch (roll(6)) {
    case 0:
      corpus.accept([letter(roll(9)), letter(roll(9), 5)].slice(0, 1 + roll(2)))
      return corpus.work(models)
    case 1:
      corpus.accept([], [`letter-${roll(9)}`])
      return
    case 2:
      chargeStages(corpus.context, {
        question: { calls: 1, in: 0, out: 0, embedded: 1 + roll(20) },
        answer: { calls: 1, in: roll(900), out: roll(90), embedded: 0 },
      })
      return
    case 3: {
      const accepted = corpus.accept([letter(20 + roll(4))])
      await corpus.round(models, 1 + roll(3)) // part of it is paid for
      const job = accepted.kind === 'accepted' ? findJob(corpus.context.sql, accepted.job) : undefined
      if (job) cancelJob(corpus.context, job)
      return
    }
    case 4:
      corpus.configure({ prices: { ...PRICES, in: PRICES.in * (1 + roll(3)) } })
      return
    default:
      await corpus.round(models, 1 + roll(8))
  }
}

describe('the sums of the context', () => {
  it('[V61] equal its rows after any history', async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const roll = dice(seed)
      const corpus = spending(seed % 2 ? ['erarag', 'cluerag'] : [])
      const { models } = countedModels((prompt) => (roll(7) === 0 ? '' : scribe(prompt))) // some replies are unusable
      corpus.configure({ prices: PRICES })
      for (let n = 0; n < 25; n++) {
        await happen(corpus, models, roll)
        expect([seed, n, rounded(totalsOf(corpus.context))]).toEqual([seed, n, rounded(rowsOf(corpus.context))])
      }
      expect(Object.keys(corpus.usage().stages)).toEqual(rowsOf(corpus.context).map((one) => one.stage))
      corpus.close()
    }
  })

  it('[V61] are read without reading the rows of all documents', async () => {
    const corpus = spending([])
    corpus.accept(Array.from({ length: 30 }, (_, n) => letter(n, 3)))
    await corpus.work(countedModels(scribe).models)
    const { context } = corpus
    const asked = new Map<string, readonly unknown[]>()
    const sql: CorpusContext['sql'] = {
      ...context.sql,
      all: (query, ...bindings) => {
        asked.set(query, bindings)
        return context.sql.all(query, ...bindings)
      },
    }
    const view = usageView({ ...context, sql }, null, 5)
    expect([view.data.length, view.stages.embed?.calls, measuredOf({ ...context, sql })?.chunks]).toEqual([5, expect.any(Number), 30])
    const plans = [...asked].flatMap(([query, bindings]) =>
      context.sql.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`, ...(bindings as string[])).map((one) => one.detail),
    )
    expect(plans.filter((plan) => /spending\b/.test(plan)).length).toBeGreaterThan(0)
    expect(plans.filter((plan) => /SCAN spending\b/.test(plan))).toEqual([])
    corpus.close()
  })

  it('[V61] are added up once from the rows of a corpus that has none yet, and lose nothing', async () => {
    const corpus = spending(['erarag'])
    corpus.configure({ prices: PRICES })
    const { models } = countedModels(scribe)
    corpus.accept(Array.from({ length: 12 }, (_, n) => letter(n)))
    await corpus.work(models)
    const { sql } = corpus.context
    const before = exact(corpus.usage())
    sql.run('DROP TABLE spending_total')
    sql.run(CREATE_SPENDING_TOTAL)
    expect(exact(corpus.usage())).toEqual(before)
    corpus.accept([letter(30)])
    await corpus.work(models)
    expect(rounded(totalsOf(corpus.context))).toEqual(rounded(rowsOf(corpus.context)))
    corpus.close()
  })
})
