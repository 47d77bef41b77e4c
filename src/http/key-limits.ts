/**
 * What a key may use in a day and in a minute, kept by its own object (durable-objects/key-usage.ts): each request is counted before
 * it is processed, and the cost of model calls is reserved before they are made. Keys without limits make no such calls.
 */
import type { Spent } from '../contract/usage'
import { costOf } from '../core/cost'
import type { KeyKeeper, Stages } from '../flows/allowance'
import { estimate } from '../flows/estimate'
import { pricesOf } from '../flows/prices'
import type { DocumentInput } from '../ports/documents'
import type { LimitName, UsedUp } from '../ports/key-usage'
import type { Prices, StagesSpent } from '../ports/spending'
import { type Ctx, objectOf } from './context'
import type { Principal } from './principal'
import { Problem } from './problem'

const NAMES: { readonly [limit in LimitName]: string } = {
  tokens_a_day: 'tokens',
  usd_a_day: 'US dollars',
  requests_a_day: 'requests',
  requests_a_minute: 'requests',
  questions_a_minute: 'questions',
}

/** Counts the request. What comes through another of our interfaces has been counted there. */
export async function countRequest(c: Ctx, { id, limits }: Principal): Promise<void> {
  if (!limits || c.get('isInside')) return
  const { usedUp, standing } = await c.get('world').keyUsage(id).admit('request', limits)
  c.set('standing', standing)
  if (usedUp) throw problemOf(usedUp)
}

/** Counts a question, once per request, even if it came through another of our interfaces. */
export async function countQuestion(c: Ctx): Promise<void> {
  const principal = c.get('principal')
  if (principal?.limits?.questions_a_minute === undefined || c.get('isQuestionCounted')) return
  c.set('isQuestionCounted', true)
  const { usedUp, standing } = await c.get('world').keyUsage(principal.id).admit('question', principal.limits)
  c.set('standing', [...(c.get('standing') ?? []), ...standing])
  if (usedUp) throw problemOf(usedUp)
}

/** The state of the key's limits, in the form of the draft of the IETF's HTTPAPI group (RateLimit header fields). */
export function sayStanding(c: Ctx): void {
  const all = c.get('standing') ?? []
  if (all.length === 0) return
  c.header('ratelimit-policy', all.map(({ limit, value, window }) => `"${limit}";q=${value};w=${window}`).join(', '))
  c.header('ratelimit', all.map(({ limit, left, resets }) => `"${limit}";r=${left};t=${resets}`).join(', '))
}

/**
 * Undefined: the caller's key has no limits on the cost of models. If nothing is left of the day, the call is refused (429); if what
 * is left does not cover it, it continues without models, as with a corpus's budget.
 */
export function keyKeeper(c: Ctx, prices: Prices | undefined): KeyKeeper | undefined {
  const principal = c.get('principal')
  if (!principal?.limits) return undefined
  const { id: key, limits } = principal
  if (limits.tokens_a_day === undefined && limits.usd_a_day === undefined) return undefined
  const usage = c.get('world').keyUsage(key)
  let granted = false
  return {
    async reserve({ id, max }) {
      const answer = await usage.reserve(id, amountOf(max, prices), limits)
      if (answer === 'granted') granted = true
      else if (answer !== 'refused' && !granted) throw problemOf(answer)
      return answer === 'granted'
    },
    settle: (id, stages) => usage.settle(id, amountOf(stages, prices)),
  }
}

/** Documents count with their estimated cost when they are accepted: the corpus's runner reads them later. */
export async function countDocuments<T extends { readonly kind: string }>(
  c: Ctx,
  documents: readonly DocumentInput[],
  accept: () => Promise<T>,
): Promise<T> {
  const record = c.get('corpus')
  const { models, judge } = c.get('world')
  const key = keyKeeper(c, pricesOf(models, judge))
  if (!key || documents.length === 0) return accept()
  const { measured } = await objectOf(c).usage(null, 1, 'all')
  const { corpus } = estimate(documents, record.settings, models, { strategies: record.strategies, measured })
  const tokens: Spent = corpus?.tokens ?? { in: 0, out: 0, embedded: 0 }
  const id = crypto.randomUUID()
  if (!(await key.reserve({ id, max: { documents: tokens } }))) throw tooMuch()
  const accepted = await accept()
  const spent: StagesSpent = accepted.kind === 'accepted' ? { documents: { ...tokens, calls: 1 } } : {}
  c.get('world').later(key.settle(id, spent).catch(() => undefined))
  return accepted
}

/** What is left of the day does not cover it, and it cannot be done without. */
const tooMuch = (): Problem => new Problem('over_budget', 'The key’s remaining daily limit does not cover this.')

function problemOf({ limit, value, retryAfter }: UsedUp): Problem {
  const window = limit.endsWith('_a_minute') ? 'minute' : 'day'
  return new Problem('key_limit', `This key may use ${value} ${NAMES[limit]} a ${window}.`, { retryAfter, members: { limit, value } })
}

function amountOf(stages: Stages, prices: Prices | undefined): { readonly tokens: number; readonly usd: number } {
  const all = Object.entries(stages)
  return {
    tokens: all.reduce((sum, [, one]) => sum + one.in + one.out + one.embedded, 0),
    usd: all.reduce((sum, [stage, one]) => sum + costOf(prices, stage, one), 0),
  }
}
