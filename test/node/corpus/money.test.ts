/** The bill: what is counted, where it stops, and what is known before. */

import { describe, expect, it } from 'vitest'
import { markPassed } from '../../../durable-objects/corpus/billing/threshold'
import type { Spent } from '../../../src/contract/usage'
import type { UsageView } from '../../../src/ports/spending'
import { deletions, median } from './deleting'
import { countedModels, letter, type Spending, scribe, spending } from './spending'

const PRICES = { in: 0.051, out: 0.335, embedded: 0.012, reranked: 0.003, date: '2026-08-28' }
const ALL = ['erarag', 'cluerag', 'ketrag', 'archrag']
const letters = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => letter(from + i))
const tokens = ({ in: read, out, embedded }: Spent): number => read + out + embedded

function taken(corpus: Spending, ...given: Parameters<Spending['accept']>): string {
  const accepted = corpus.accept(...given)
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
  return accepted.job
}

/** Do the parts of the accounts come to its total? */
function adds({ total, stages, shared, data }: UsageView): void {
  const keys = ['calls', 'in', 'out', 'embedded'] as const
  const sum = (list: readonly { readonly [key in (typeof keys)[number]]: number }[]) =>
    keys.map((key) => list.reduce((all, one) => all + one[key], 0))
  const whole = keys.map((key) => total[key])
  expect(sum(Object.values(stages))).toEqual(whole)
  expect(sum([shared, ...data])).toEqual(whole)
  for (const one of [shared, ...data]) expect(sum(Object.values(one.stages))).toEqual(keys.map((key) => one[key]))
  expect(Object.values(stages).reduce((all, one) => all + one.usd, 0)).toBeCloseTo(total.usd, 9)
}

describe('the accounts', () => {
  it('[V60] counts every call once, by stage and document, and comes to what the models counted', async () => {
    const corpus = spending(ALL)
    corpus.configure({ prices: PRICES })
    const { models, bill } = countedModels(scribe)
    const job = taken(corpus, letters(0, 30))
    await corpus.work(models)
    const view = corpus.usage()
    expect([view.total.in, view.total.out, view.total.embedded]).toEqual([bill.in, bill.out, bill.embedded])
    // A reply to a question that has changed meanwhile is paid for by the corpus, and by no job.
    const { in: read = 0 } = corpus.job(job)?.usage ?? {}
    expect([read > 0.5 * bill.in, read <= bill.in]).toEqual([true, true])
    expect(Object.keys(view.stages).sort()).toEqual(['embed', 'extract', 'report', 'summarize'])
    adds(view)
    expect(view.total.usd).toBeCloseTo((bill.in * PRICES.in + bill.out * PRICES.out + bill.embedded * PRICES.embedded) / 1e6, 9)
    expect(view.total.neurons).toBeCloseTo(view.total.usd / 0.000011, 1)
    expect(view.data.map((one) => one.document)).toEqual(
      letters(0, 30)
        .map(({ id }) => id)
        .sort(),
    )
    expect([view.data.every((one) => (one.stages.embed?.embedded ?? 0) > 0), view.data.some((one) => one.stages.extract)]).toEqual([
      true,
      true,
    ])
    const page = corpus.usage(null, 7)
    expect([page.data.length, page.next_cursor, corpus.usage(page.next_cursor, 7).data[0]?.document]).toEqual([
      7,
      page.data[6]?.document,
      view.data[7]?.document,
    ])
    corpus.close()
  })

  it('[V60] a commit writes each of its rows once, however many replies it brings', async () => {
    const corpus = spending([])
    taken(corpus, letters(0, 1))
    await corpus.work(countedModels(scribe).models)
    const { sql } = corpus.context
    taken(corpus, [{ ...letter(0, 600), id: 'long' }])
    const before = sql.written()
    const rows = sql.all<{ n: number }>('SELECT count(*) AS n FROM task')[0]?.n
    await corpus.work(countedModels(scribe).models)
    expect(rows).toBeGreaterThan(10)
    expect(sql.all('SELECT * FROM spending')).toHaveLength(2)
    expect(sql.written()).toBeGreaterThan(before)
    corpus.close()
  })

  it('[V61] what a deleted document has cost stays in the sums, and its name nowhere', async () => {
    const corpus = spending(['cluerag'])
    const { models } = countedModels(scribe)
    taken(corpus, letters(0, 4))
    await corpus.work(models)
    const before = corpus.usage()
    taken(corpus, [], ['letter-1', 'letter-2'])
    const after = corpus.usage()
    expect(after.total).toEqual(before.total)
    expect(after.data.map((one) => one.document)).toEqual(['letter-0', 'letter-3'])
    expect(corpus.context.sql.all(`SELECT * FROM spending WHERE document LIKE '%letter-1%'`)).toEqual([])
    adds(after)
    corpus.close()
  })

  it('[V63] the marks of the budget are reported once each', () => {
    expect([markPassed(0, 0.4), markPassed(0.4, 0.5), markPassed(0.5, 0.7), markPassed(0.7, 1.2), markPassed(1.2, 1.3)]).toEqual([
      undefined,
      0.5,
      undefined,
      1,
      undefined,
    ])
  })
})

describe('a ceiling', () => {
  /** Where the stage is the last to be paid for. `alone`: what one task of it comes to at most, tries and vectors included. */
  const STAGES = [
    { stage: 'embed', strategies: [] as string[], letters: 60, max: 3000 },
    { stage: 'summarize', strategies: ['erarag'], letters: 160, max: 20_000 },
    { stage: 'extract', strategies: ['cluerag', 'ketrag'], letters: 120, max: 30_000 },
    { stage: 'report', strategies: ['archrag'], letters: 140, max: 20_000 },
  ] as const

  const known = new Map<string, UsageView>()
  /** What the letters of a stage cost where nothing ends it: the same whatever the ceiling is measured in. */
  const costOf = async ({ stage, strategies, letters: count }: (typeof STAGES)[number]): Promise<UsageView> => {
    const before = known.get(stage)
    if (before) return before
    const corpus = spending(strategies)
    corpus.configure({ prices: PRICES })
    taken(corpus, letters(0, count))
    await corpus.work(countedModels(scribe).models)
    const cost = corpus.usage()
    corpus.close()
    known.set(stage, cost)
    return cost
  }

  for (const sort of ['tokens', 'usd'] as const) {
    it.each(STAGES)(
      `[V63] in ${sort} holds while the corpus is at $stage: less than one task is left, paused, and resumed when raised`,
      async (one) => {
        const { stage, strategies, letters: count, max } = one
        const { stages, total } = await costOf(one)
        // A ceiling within the stage: most of what it costs is not covered.
        const own = stages[stage] ?? total
        const share = 1 - 0.6 * (sort === 'tokens' ? tokens(own) / tokens(total) : own.usd / total.usd)
        const corpus = spending(strategies)
        const { models, bill } = countedModels(scribe)
        corpus.configure({ prices: PRICES })
        const job = taken(corpus, letters(0, count)) // accepted before there is a ceiling
        const all = sort === 'tokens' ? tokens(total) : total.usd
        corpus.configure({ budget: { [sort]: all * share } })
        await corpus.work(models)
        expect(corpus.job(job)?.status).toBe('paused_budget')
        const spent = corpus.usage().total
        expect(tokens(spent)).toBe(tokens(bill))
        const over = sort === 'tokens' ? tokens(spent) - all * share : ((spent.usd - all * share) / PRICES.out) * 1e6
        expect(over).toBeLessThanOrEqual(0)
        expect(-over).toBeLessThanOrEqual(max)
        expect(corpus.usage().stages[stage]?.calls).toBeGreaterThan(0)
        expect((await corpus.round(models)).paused).toBe(true)
        expect(tokens(bill)).toBe(tokens(spent)) // nothing more is asked
        corpus.configure({ budget: { [sort]: all * 3 } })
        await corpus.work(models)
        expect(corpus.job(job)?.status).toBe('succeeded')
        corpus.close()
      },
    )
  }

  it('[V65] ingestion that is estimated to cost more than is left is refused, and nothing of it is kept', async () => {
    const corpus = spending(['erarag'])
    corpus.configure({ budget: { tokens: 500 } })
    expect(corpus.accept(letters(0, 20))).toMatchObject({ kind: 'over_budget', left: 500 })
    const kept = ['revision', 'staged', 'task', 'job'].map((table) => corpus.context.sql.all(`SELECT * FROM ${table}`).length)
    expect(kept).toEqual([0, 0, 0, 0])
    corpus.close()
  })

  it('[V65] a deletion is accepted and visible however little is left', async () => {
    const corpus = spending(['erarag'])
    const { models } = countedModels(scribe)
    taken(corpus, letters(0, 12))
    await corpus.work(models)
    corpus.configure({ budget: { tokens: 1 } })
    const job = taken(corpus, [], ['letter-3'])
    expect(corpus.context.graph.document('letter-3')).toBeUndefined()
    await corpus.work(models)
    expect(['failed', 'cancelled', undefined]).not.toContain(corpus.job(job)?.status)
    corpus.configure({ budget: {} })
    await corpus.work(models)
    expect(corpus.context.sql.all('SELECT * FROM task')).toEqual([])
    corpus.close()
  })
})

describe('a deletion', () => {
  it('[V93] asks models for nothing but summaries written anew, at the median at most two in a layer', async () => {
    const all = await deletions(['erarag', 'cluerag', 'ketrag'], 80, 10)
    expect([...new Set(all.flatMap((one) => Object.keys(one.kinds)))]).toEqual(['summarize'])
    for (const layer of [1, 2, 3]) expect(median(all.map((one) => one.layers[layer] ?? 0))).toBeLessThanOrEqual(2)
  })
})
