/**
 * What the corpus has spent and may spend. Counts tokens in, out and embedded; dollars by the prices in its configuration at the time of
 * spending.
 */
import type { Spent } from '../../../src/contract/usage'
import { costOf } from '../../../src/core/cost'
import { bulkOf } from '../../../src/core/estimate/bulk'
import { scaled } from '../../../src/core/estimate/measured'
import { expected } from '../../../src/core/estimate/work'
import { needsOf } from '../../../src/core/strategies/registry'
import type { CorpusConfig } from '../../../src/ports/corpus'
import type { DocumentInput } from '../../../src/ports/documents'
import type { Accepted } from '../../../src/ports/jobs'
import type { RemainingBudget } from '../../../src/ports/spending'
import { heldBesides, tokensOf } from '../../holds'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { SpendingRow } from '../tables/spending'
import { measuredOf } from './measured'
import { isPartition, spentByPartitions } from './partition'
import { noteThreshold } from './threshold'

const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }
const PER_NEURON = 0.011 / 1000 // US dollars (developers.cloudflare.com/workers-ai/platform/pricing)

export interface Used extends Spent {
  readonly usd: number
}

export function usage(context: Pick<CorpusContext, 'sql' | 'config'>): Used {
  const known = readMeta(context.sql, metaKeys.usage) ?? NOTHING
  // Stored before dollars were: priced at today's prices.
  return { usd: usd(context.config, known), ...known }
}

/** Adds to the total, once for all stages. Inside the caller's transaction. */
export function addUsage(context: CorpusContext, rows: readonly SpendingRow[]): void {
  const before = usage(context)
  const after = rows.reduce(
    (sum, row): Used => ({
      in: sum.in + row.read,
      out: sum.out + row.written,
      embedded: sum.embedded + row.embedded,
      usd: sum.usd + row.usd,
    }),
    before,
  )
  if (rows.length === 0 || totalTokens(after) === totalTokens(before)) return
  const share = budgetShare(context)
  writeMeta(context.sql, metaKeys.usage, after)
  noteThreshold(context, share, budgetShare(context))
}

/** What counts against the budget; undefined: it is not known yet. */
function spentUnderBudget(context: Pick<CorpusContext, 'sql' | 'config'>): Used | undefined {
  const others = spentByPartitions(context)
  return others && addUsed(usage(context), others)
}

const addUsed = (a: Used, b: Used): Used => ({ in: a.in + b.in, out: a.out + b.out, embedded: a.embedded + b.embedded, usd: a.usd + b.usd })

export function neuronsOf(dollars: number): number {
  return Math.round((dollars / PER_NEURON) * 1000) / 1000
}

/** US dollars, by the price per million tokens of each sort. */
export function usd(config: CorpusConfig, spent: Spent): number {
  return costOf(config.prices, 'indexing', spent) // priced as the most expensive model that reads documents
}

/** What these documents will probably cost with the corpus's strategies; counted only if there is a budget to exceed. */
export function estimate(context: CorpusContext, documents: readonly DocumentInput[]): Spent {
  const { settings, strategies } = context.config
  if (!isCapped(context)) return NOTHING
  const bulk = bulkOf(documents, settings.chunking)
  const measured = measuredOf(context)
  const work = measured
    ? scaled(measured, bulk, 'likely')
    : expected(needsOf(strategies), { bulk, settings, bound: 'likely', writes: settings.writer })
  return { in: work.in, out: work.out, embedded: work.embedded }
}

export function isCapped({ config: { budget } }: Pick<CorpusContext, 'config'>): boolean {
  return budget.tokens !== undefined || budget.usd !== undefined
}

/** What is left of the budget, ignoring reservations; null: no such ceiling. */
export function remainingBudget(context: Pick<CorpusContext, 'sql' | 'config'>): RemainingBudget {
  const { budget } = context.config
  // A partition knows what its corpus's own object last told it.
  if (isPartition(context)) return readMeta(context.sql, metaKeys.budgetLeft) ?? { tokens: null, usd: null }
  const spent = spentUnderBudget(context)
  const left = (most: number, used: number | undefined): number => (used === undefined ? 0 : Math.max(0, most - used))
  return {
    tokens: budget.tokens === undefined ? null : left(budget.tokens, spent && totalTokens(spent)),
    usd: budget.usd === undefined ? null : left(budget.usd, spent?.usd),
  }
}

/** What is left after reservations, except those under this id. */
export function availableBudget(context: Pick<CorpusContext, 'sql' | 'config'>, id?: string): RemainingBudget {
  const { tokens, usd } = remainingBudget(context)
  const held = heldBesides(context.sql, id)
  return { tokens: tokens === null ? null : Math.max(0, tokens - tokensOf(held)), usd: usd === null ? null : Math.max(0, usd - held.usd) }
}

/** If nothing is left, not even free calls are covered: a ceiling of zero switches models off. */
export function covers({ tokens, usd }: RemainingBudget, more: { readonly tokens: number; readonly usd: number }): boolean {
  return (tokens === null || (tokens > 0 && more.tokens <= tokens)) && (usd === null || (usd > 0 && more.usd <= usd))
}

export function affordable(
  context: CorpusContext,
  more: Spent = NOTHING,
): { enough: boolean; estimate: number; left: number; cost?: Extract<Accepted, { kind: 'accepted' }>['cost'] } {
  const left = remainingBudget(context)
  const estimate = { tokens: totalTokens(more), usd: usd(context.config, more) }
  const enough = estimate.tokens === 0 || covers(left, estimate)
  const cost = isPartition(context) && isCapped(context) ? { cost: { estimate, left } } : {}
  return { enough, estimate: estimate.tokens, left: left.tokens ?? -1, ...cost }
}

/** The share of the budget that is spent, 1 for all of it; 0 if there is none, or it is not known yet, or another object keeps it. */
export function budgetShare(context: Pick<CorpusContext, 'sql' | 'config'>): number {
  const { budget } = context.config
  const used = isCapped(context) && !isPartition(context) ? spentUnderBudget(context) : undefined
  if (!used) return 0
  const share = (spent: number, most: number | undefined): number => (most === undefined ? 0 : most > 0 ? spent / most : 1)
  return Math.max(share(totalTokens(used), budget.tokens), share(used.usd, budget.usd))
}

export function totalTokens(one: Spent): number {
  return one.in + one.out + one.embedded
}
