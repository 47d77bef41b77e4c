/**
 * Who pays for a question to several corpora. Work for only one of them (its re-ranking) is charged to it. What they share (the question's
 * vector, the answer, the judge) must fit into each one's budget, and is charged to all in equal parts, to the token; a key is charged
 * once.
 */
import type { StagesSpent } from '../../ports/spending'
import { Allowance, corpusKeeper, isCapped } from '../allowance'
import type { AskDeps } from '../ask-types'

export function sharedAllowance(all: readonly AskDeps[]): Allowance {
  const key = all[0]?.key
  return new Allowance(all[0]?.config.prices, [...all.filter(isCapped).map(corpusKeeper), ...(key ? [key] : [])])
}

/** In the background. `payers`: those that took part; the others only end their reservations. */
export function settleShared(all: readonly AskDeps[], payers: ReadonlySet<AskDeps>, allowance: Allowance): void {
  const { stages } = allowance
  const paying = all.filter((deps) => payers.has(deps))
  for (const deps of all) {
    const own = paying.includes(deps) ? shareOf(stages, paying.indexOf(deps), paying.length) : {}
    const holds = allowance.holds(corpusKeeper(deps))
    if (holds.length > 0 || Object.keys(own).length > 0) deps.later(deps.corpus.charge(own, holds).catch(() => undefined))
  }
  const [first] = all
  const key = first?.key
  for (const id of key ? allowance.holds(key) : []) first?.later((key?.settle(id, stages) ?? Promise.resolve()).catch(() => undefined))
}

/** All parts together make the whole. */
export function shareOf(stages: StagesSpent, place: number, of: number): StagesSpent {
  const part = (whole: number): number => Math.floor((whole * (place + 1)) / of) - Math.floor((whole * place) / of)
  return Object.fromEntries(
    Object.entries(stages).map(([stage, spent]) => [
      stage,
      { in: part(spent.in), out: part(spent.out), embedded: part(spent.embedded), calls: part(spent.calls) },
    ]),
  )
}
