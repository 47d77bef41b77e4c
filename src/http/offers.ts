/** Parts of the API that a corpus has with one of its strategies. */
import { strategyOffering } from '../core/strategies/registry'
import type { Offer } from '../core/strategy-declaration'
import type { Ctx } from './context'
import { Problem } from './problem'

export function hasOffer(strategies: readonly string[], offer: Offer): boolean {
  return strategies.includes(strategyOffering(offer))
}

/** A problem if the corpus has not switched on the strategy that offers it. */
export function requireOffer(c: Ctx, offer: Offer): void {
  const { strategies, name: corpus } = c.get('corpus')
  if (hasOffer(strategies, offer)) return
  const name = strategyOffering(offer)
  const wanted = JSON.stringify({ strategies: [...strategies, name] })
  throw new Problem('strategy_not_enabled', `This corpus has not enabled ${name}. Enable it with PUT /v1/corpora/${corpus} ${wanted}.`)
}
