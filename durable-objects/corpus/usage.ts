/** What the corpus has spent and may spend. Counts tokens in, out and embedded; usd by the prices its configuration carries. */
import { countTokens } from '../../src/core/text/tokens'
import type { CorpusConfig, DocumentInput, Spent } from '../../src/ports'
import { addSpent } from './jobs'
import { type Ledger, readMeta, writeMeta } from './store'

const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }

export function usage(ledger: Pick<Ledger, 'sql'>): Spent {
  const text = readMeta(ledger.sql, 'usage')
  return text ? (JSON.parse(text) as Spent) : NOTHING
}

export function spend(ledger: Pick<Ledger, 'sql'>, spent: Spent): void {
  if (spent.in + spent.out + spent.embedded === 0) return
  writeMeta(ledger.sql, 'usage', JSON.stringify(addSpent(usage(ledger), spent)))
}

/** US dollars, by the price per million tokens of each sort. */
export function usd(config: CorpusConfig, spent: Spent): number {
  const prices = config.prices ?? { in: 0, out: 0, embedded: 0 }
  return (spent.in * prices.in + spent.out * prices.out + spent.embedded * prices.embedded) / 1e6
}

/** Tokens that embedding these documents will read: every passage once and, where a builder wants them, every sentence once. */
export function estimate(ledger: Ledger, documents: readonly DocumentInput[]): Spent {
  const times = ledger.builders.some((builder) => builder.unitVectors) ? 2 : 1
  return { ...NOTHING, embedded: documents.reduce((sum, one) => sum + countTokens(one.text) * times, 0) }
}

export function affordable(ledger: Ledger, more: Spent = NOTHING): { enough: boolean; estimate: number; left: number } {
  const { budget } = ledger.config
  const spent = usage(ledger)
  const total = (one: Spent): number => one.in + one.out + one.embedded
  const left = Math.max(0, (budget.tokens ?? Number.POSITIVE_INFINITY) - total(spent))
  const usdLeft = Math.max(0, (budget.usd ?? Number.POSITIVE_INFINITY) - usd(ledger.config, spent))
  const enough = total(more) <= left && usd(ledger.config, more) <= usdLeft
  return { enough, estimate: total(more), left: Number.isFinite(left) ? left : -1 }
}

/** Is any budget left for the next call? */
export function exhausted(ledger: Ledger): boolean {
  const { budget } = ledger.config
  const spent = usage(ledger)
  if (budget.tokens !== undefined && spent.in + spent.out + spent.embedded >= budget.tokens) return true
  return budget.usd !== undefined && usd(ledger.config, spent) >= budget.usd
}
