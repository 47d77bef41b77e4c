/**
 * What indexing documents would cost, before anything is spent: per strategy, each alone with its embeddings, and for the corpus's own
 * strategies together. Texts are cut as indexing cuts them, so what is embedded is counted, not guessed; what a model will write is
 * estimated from what this corpus's chunks have cost so far, or from rates while too few have been read. Always with bounds. Pure.
 */

import type { Cost, Estimate } from '../contract/estimates'
import { bulkOf, type Counted } from '../core/estimate/bulk'
import { type Measured, scaled } from '../core/estimate/measured'
import type { Work } from '../core/estimate/need'
import type { Case } from '../core/estimate/rates'
import { expected } from '../core/estimate/work'
import type { Settings } from '../core/settings'
import { tuningCost } from '../core/strategies/auto/tuning-cost'
import { declarations } from '../core/strategies/index'
import { needsOf } from '../core/strategies/registry'
import type { Models } from '../ports/models'
import { INDEXING, PRICED_ON, pricesOf, usdOf } from './prices'

type Bounded = Estimate['strategies'][string]

/** The corpus the documents are for. */
export interface OwnCorpus {
  readonly strategies: readonly string[]
  /** Null: too little has been indexed. */
  readonly measured: Measured | null
}

const DEFAULT = 'auto'

export function estimate(
  documents: readonly Counted[],
  settings: Settings,
  models: Pick<Models, 'embedding' | 'text'> & Partial<Pick<Models, 'reranker' | 'roles'>>,
  ours?: OwnCorpus,
): Estimate {
  const bulk = bulkOf(documents, settings.chunking)
  const writes = settings.writer && models.text !== null
  const cost = ({ calls, ...tokens }: Work): Cost => ({ tokens, calls, usd: usdOf(models, tokens, INDEXING) })
  const bounded = (work: (bound: Case) => Work): Bounded => costsOf((bound) => cost(work(bound)))
  const tuning = (bound: Case): Cost => {
    const { embedded, reranked, calls } = tuningCost(bulk, bound, Boolean(models.reranker))
    const usd = usdOf(models, { in: 0, out: 0, embedded }) + (reranked * (pricesOf(models).reranked ?? 0)) / 1e6
    return { tokens: { in: reranked, out: 0, embedded }, calls: { ...calls }, usd }
  }
  const need = (names: readonly string[]) => (bound: Case) => expected(needsOf(names), { bulk, settings, bound, writes })
  // The default needs everything that the corpus's strategies need together.
  const strategies = declarations.filter(({ name }) => name !== DEFAULT).map(({ name }) => [name, bounded(need([name]))])
  return {
    documents: documents.length,
    chunks: bulk.chunks,
    tokens: bulk.tokens,
    priced_on: PRICED_ON,
    strategies: Object.fromEntries(strategies),
    tuning: costsOf(tuning),
    ...(ours ? { corpus: corpusOf(ours) } : {}),
  }

  function corpusOf({ strategies: enabled, measured }: OwnCorpus): Estimate['corpus'] & object {
    if (measured) return { ...bounded((bound) => scaled(measured, bulk, bound)), basis: 'measured' }
    return { ...bounded(need(enabled)), basis: 'rates' }
  }
}

function costsOf(cost: (bound: Case) => Cost): Bounded {
  const [min, max] = [cost('min'), cost('max')]
  return { ...cost('likely'), bounds: { min, max, least: min, most: max } }
}
