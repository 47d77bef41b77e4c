/** What the corpus has spent and may spend. Counts tokens in, out and embedded; usd by the prices its configuration carries, when it is spent. */
import { mostOf } from '../../../src/core/cost'
import { bulkOf } from '../../../src/core/estimate/bulk'
import { scaled } from '../../../src/core/estimate/measured'
import { expected } from '../../../src/core/estimate/work'
import type { Brief } from '../../../src/core/strategy'
import type { CorpusConfig, DocumentInput, Prices, Purse, Spent, StagesSpent } from '../../../src/ports'
import { type Ledger, readMeta, writeMeta } from '../store'
import { measuredOf } from './measured'
import { noteThreshold } from './threshold'

const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }
const FREE: Prices = NOTHING
const PER_NEURON = 0.011 / 1000 // US dollars (developers.cloudflare.com/workers-ai/platform/pricing)

export interface Used extends Spent {
  readonly usd: number
}

export function usage(ledger: Pick<Ledger, 'sql' | 'config'>): Used {
  const text = readMeta(ledger.sql, 'usage')
  const known = text ? (JSON.parse(text) as Spent & { readonly usd?: number }) : NOTHING
  // Kept since before dollars were: priced as they are now.
  return { usd: usd(ledger.config, known), ...known }
}

/** Adds to the total, once for all stages. Inside the caller's transaction. */
export function pay(ledger: Ledger, stages: StagesSpent): void {
  const all = Object.entries(stages)
  const before = usage(ledger)
  const after = all.reduce(
    (sum, [stage, spent]): Used => ({
      in: sum.in + spent.in,
      out: sum.out + spent.out,
      embedded: sum.embedded + spent.embedded,
      usd: sum.usd + costOf(ledger.config.prices, stage, spent),
    }),
    before,
  )
  if (total(after) === total(before)) return
  writeMeta(ledger.sql, 'usage', JSON.stringify(after))
  noteThreshold(ledger, shareOf(ledger.config, before), shareOf(ledger.config, after))
}

/** US dollars of one stage. What a reranker reads has a price of its own. */
export function costOf(prices: Prices | undefined, stage: string, spent: Spent): number {
  const { in: read, out, embedded, reranked = read } = prices ?? FREE
  return (spent.in * (stage === 'rerank' ? reranked : read) + spent.out * out + spent.embedded * embedded) / 1e6
}

export function neuronsOf(dollars: number): number {
  return Math.round((dollars / PER_NEURON) * 1000) / 1000
}

/** US dollars, by the price per million tokens of each sort. */
export function usd(config: CorpusConfig, spent: Spent): number {
  return costOf(config.prices, '', spent)
}

/** What these documents will probably cost with the corpus's strategies; counted only where there is a budget to exceed. */
export function estimate(ledger: Ledger, documents: readonly DocumentInput[]): Spent {
  const { budget, settings, strategies } = ledger.config
  if (budget.tokens === undefined && budget.usd === undefined) return NOTHING
  const bulk = bulkOf(documents, settings.chunking)
  const measured = measuredOf(ledger)
  const work = measured ? scaled(measured, bulk, 'likely') : expected(strategies, bulk, settings, 'likely', settings.writer)
  return { in: work.in, out: work.out, embedded: work.embedded }
}

/** What is left of the budget; null: no such ceiling. */
export function purse(ledger: Pick<Ledger, 'sql' | 'config'>): Purse {
  const { budget } = ledger.config
  const spent = usage(ledger)
  return {
    tokens: budget.tokens === undefined ? null : Math.max(0, budget.tokens - total(spent)),
    usd: budget.usd === undefined ? null : Math.max(0, budget.usd - spent.usd),
  }
}

export function affordable(ledger: Ledger, more: Spent = NOTHING): { enough: boolean; estimate: number; left: number } {
  const left = purse(ledger)
  const enough =
    total(more) <= (left.tokens ?? Number.POSITIVE_INFINITY) && usd(ledger.config, more) <= (left.usd ?? Number.POSITIVE_INFINITY)
  return { enough, estimate: total(more), left: left.tokens ?? -1 }
}

/** Says of one task after another whether they can still cost no more together than what is left. The first is always let through: else nothing would go on. */
export function admission(ledger: Pick<Ledger, 'sql' | 'config'>): (brief: Brief) => boolean {
  const left = purse(ledger)
  if (left.tokens === null && left.usd === null) return () => true
  let [tokens, dollars, first] = [left.tokens ?? Number.POSITIVE_INFINITY, left.usd ?? Number.POSITIVE_INFINITY, true]
  return (brief) => {
    const most = mostOf(brief)
    tokens -= total(most)
    dollars -= costOf(ledger.config.prices, brief.kind, most)
    const fits = first || (tokens >= 0 && dollars >= 0)
    first = false
    return fits
  }
}

/** Is any budget left for the next call? */
export function exhausted(ledger: Pick<Ledger, 'sql' | 'config'>): boolean {
  const left = purse(ledger)
  return left.tokens === 0 || left.usd === 0
}

/** How much of the budget is spent, 1 for all of it; 0 where there is none. */
function shareOf({ budget }: CorpusConfig, used: Used): number {
  const share = (spent: number, most: number | undefined): number => (most === undefined ? 0 : most > 0 ? spent / most : 1)
  return Math.max(share(total(used), budget.tokens), share(used.usd, budget.usd))
}

function total(one: Spent): number {
  return one.in + one.out + one.embedded
}
