/**
 * What a piece of work may spend. The keeper of a ceiling (the corpus's budget, a key's day) reserves the most that calls can cost before they are made;
 * the actual cost replaces that when the work is done. So many simultaneous questions stay below a ceiling as one does. Without a ceiling, nothing is
 * counted and nothing awaited.
 */
import type { Spent } from '../contract/usage'
import { costOf, mayBeBilled } from '../core/cost'
import type { CorpusConfig } from '../ports/corpus'
import type { MayRepeat } from '../ports/models'
import type { CorpusObject } from '../ports/object'
import type { Hold, StageSpent, StagesSpent } from '../ports/spending'
import { faultOf } from './faults'

/** The most a call can cost; counted only if there is a ceiling. */
export type CostBound = () => Spent
/** By stage. */
export type Stages = { readonly [stage: string]: Spent }

/** Of the ceiling's keeper. */
export interface Keeper {
  reserve(hold: Hold): Promise<boolean>
}

/** A key's daily limit, charged with what the work has cost. */
export interface KeyKeeper extends Keeper {
  settle(id: string, stages: StagesSpent): Promise<void>
}

/** One call, from the moment it was covered. It is ended once, in one way or another. */
export interface Call {
  /** Covers another attempt; one of unknown cost counts in full. */
  readonly mayRepeat: MayRepeat
  paid(spent: Spent, calls?: number): void
  /** A call that may have been made anyway is counted at its maximum. */
  failed(error: unknown): void
  /** A reply that was interrupted: the rest may have been written too. */
  brokeOff(spent: Spent): void
  /** It was not made after all. */
  unmade(): void
}

interface Kept {
  readonly keeper: Keeper
  granted: { readonly tokens: number; readonly usd: number }
  asked: boolean
}

/** The stage of calls that may or may not have been made. */
export const UNCONFIRMED = 'unconfirmed'
const NOTHING_GRANTED = { tokens: 0, usd: 0 }

export class Allowance {
  readonly #id = crypto.randomUUID()
  readonly #kept: Kept[]
  /** By stage, including calls of unknown outcome. */
  #paid: { readonly [stage: string]: StageSpent } = {}
  #underWay: Stages = {}

  constructor(
    private readonly prices: CorpusConfig['prices'],
    keepers: readonly Keeper[],
  ) {
    this.#kept = keepers.map((keeper) => ({ keeper, granted: NOTHING_GRANTED, asked: false }))
  }

  get isCapped(): boolean {
    return this.#kept.length > 0
  }

  /** A ceiling that was not known when the work began. */
  add(keeper: Keeper): void {
    if (!this.#kept.some((one) => one.keeper === keeper)) this.#kept.push({ keeper, granted: NOTHING_GRANTED, asked: false })
  }

  /** Covers one more call, or not. `ahead`: what will probably follow, reserved with it, so that it need not be reserved separately. */
  async begin(stage: string, max: CostBound, ahead?: () => Stages): Promise<Call | undefined> {
    const counted = this.isCapped
    const own: Stages = counted ? { [stage]: max() } : {}
    this.#underWay = plus(this.#underWay, own)
    const attempts = { covered: 1, unknown: 0 } // unknown: covered before, at an unknown cost
    const uncover = (): void => {
      attempts.covered--
      this.#underWay = plus(this.#underWay, own, -1)
    }
    const isCovered = async (more?: () => Stages): Promise<boolean> => {
      try {
        if (!counted || (await this.#covered(more))) return true
      } catch (error) {
        uncover()
        throw error
      }
      uncover()
      return false
    }
    const end = (unknown: number): void => {
      while (attempts.covered > 0) uncover()
      const max = own[stage]
      for (let n = 0; max && n < unknown; n++) this.#pay(UNCONFIRMED, max, 1)
    }
    if (!(await isCovered(ahead))) return undefined
    return {
      unmade: () => end(0),
      mayRepeat: async ({ isCounted }) => {
        attempts.covered++
        this.#underWay = plus(this.#underWay, own)
        if (!(await isCovered())) return false
        if (!isCounted) attempts.unknown++
        return true
      },
      paid: (spent, calls = 1) => {
        end(attempts.unknown)
        this.#pay(stage, spent, calls)
      },
      failed: (error) => end(attempts.covered - (mayBeBilled(faultOf(error).fault) ? 0 : 1)),
      brokeOff: (spent) => {
        end(attempts.unknown)
        this.#pay(stage, spent, 1)
        const max = own[stage]
        if (max) this.#pay(UNCONFIRMED, beyond(max, spent), 0)
      },
    }
  }

  /** What to reserve for what will probably follow, sent along with another call to its keeper; nothing if nothing follows. */
  holdFor(ahead: Stages): { readonly hold?: Hold } {
    return Object.keys(ahead).length > 0 ? { hold: { id: this.#id, max: this.#with(ahead) } } : {}
  }

  /** It was reserved. */
  granted(keeper: Keeper, hold: Hold): void {
    const kept = this.#kept.find((one) => one.keeper === keeper)
    if (kept) this.#grant(kept, hold.max)
  }

  /** Reserves with this keeper what will probably follow. If that is refused, each call is reserved when it is due. */
  async foresee(keeper: Keeper, ahead: Stages): Promise<void> {
    const kept = this.#kept.find((one) => one.keeper === keeper)
    if (kept && Object.keys(ahead).length > 0) await this.#ask(kept, this.#with(ahead))
  }

  /** What the work has cost. */
  get stages(): StagesSpent {
    return this.#paid
  }

  /** What was reserved with this keeper and must be ended. */
  holds(keeper: Keeper): readonly string[] {
    return this.#kept.some((one) => one.keeper === keeper && one.asked) ? [this.#id] : []
  }

  #with(more: Stages): Stages {
    return plus(plus(this.#paid, this.#underWay), more)
  }

  #pay(stage: string, spent: Spent, calls: number): void {
    const before = this.#paid[stage] ?? { ...NOTHING, calls: 0 }
    this.#paid = { ...this.#paid, [stage]: { ...summed(before, spent), calls: before.calls + calls } }
  }

  async #covered(ahead: (() => Stages) | undefined): Promise<boolean> {
    const need = plus(this.#paid, this.#underWay)
    const amount = this.#amountOf(need)
    const lacking = this.#kept.filter(({ granted }) => amount.tokens > granted.tokens || amount.usd > granted.usd)
    const answers = await Promise.all(
      lacking.map(async (kept) => (ahead !== undefined && (await this.#ask(kept, plus(need, ahead())))) || this.#ask(kept, need)),
    )
    return answers.every(Boolean)
  }

  async #ask(kept: Kept, max: Stages): Promise<boolean> {
    kept.asked = true
    if (!(await kept.keeper.reserve({ id: this.#id, max }))) return false
    this.#grant(kept, max)
    return true
  }

  #grant(kept: Kept, max: Stages): void {
    const { tokens, usd } = this.#amountOf(max)
    kept.asked = true
    kept.granted = { tokens: Math.max(tokens, kept.granted.tokens), usd: Math.max(usd, kept.granted.usd) }
  }

  #amountOf(stages: Stages): Kept['granted'] {
    const all = Object.entries(stages)
    const tokens = all.reduce((sum, [, one]) => sum + one.in + one.out + one.embedded, 0)
    return { tokens, usd: all.reduce((sum, [stage, one]) => sum + costOf(this.prices, stage, one), 0) }
  }
}

export interface Keeping {
  readonly corpus: Pick<CorpusObject, 'reserve' | 'charge'>
  readonly config: Pick<CorpusConfig, 'budget' | 'prices'>
  /** For a key with a daily limit. */
  readonly key?: KeyKeeper | undefined
}

const keepers = new WeakMap<object, Keeper>()

/** The corpus as the keeper of its budget: the same one for the same object. */
export function corpusKeeper({ corpus }: Pick<Keeping, 'corpus'>): Keeper {
  const known = keepers.get(corpus)
  if (known) return known
  const keeper: Keeper = { reserve: async (hold) => (await corpus.reserve([hold]))[0] === true }
  keepers.set(corpus, keeper)
  return keeper
}

export function isCapped({ config: { budget } }: Pick<Keeping, 'config'>): boolean {
  return budget.tokens !== undefined || budget.usd !== undefined
}

export function allowanceOf(deps: Keeping): Allowance {
  return new Allowance(deps.config.prices, [...(isCapped(deps) ? [corpusKeeper(deps)] : []), ...(deps.key ? [deps.key] : [])])
}

/**
 * Replaces the reservations by what the work has cost, in the background; the answer does not wait for it. A reservation whose settlement is lost lapses
 * and counts at its maximum.
 */
export function settle(deps: Keeping & { later(work: Promise<unknown>): void }, allowance: Allowance): void {
  const { stages } = allowance
  const holds = allowance.holds(corpusKeeper(deps))
  if (holds.length > 0 || Object.values(stages).some((one) => one.calls > 0)) {
    deps.later(deps.corpus.charge(stages, holds).catch(() => undefined))
  }
  settleKey(deps, allowance)
}

/** The same with only the key, for work that concerns no corpus. */
export function settleKey({ key, later }: Pick<Keeping, 'key'> & { later(work: Promise<unknown>): void }, allowance: Allowance): void {
  for (const id of key ? allowance.holds(key) : []) later((key?.settle(id, allowance.stages) ?? Promise.resolve()).catch(() => undefined))
}

const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }

/** What is left of a bound. */
export function beyond(max: Spent, spent: Spent): Spent {
  const less = (a: number, b: number): number => Math.max(0, a - b)
  return { in: less(max.in, spent.in), out: less(max.out, spent.out), embedded: less(max.embedded, spent.embedded) }
}

function plus(a: Stages, b: Stages, sign: 1 | -1 = 1): Stages {
  const out: { [stage: string]: Spent } = { ...a }
  for (const [stage, one] of Object.entries(b)) out[stage] = summed(out[stage] ?? NOTHING, one, sign)
  return out
}

function summed<T extends Spent>(a: T, b: Spent, sign: 1 | -1 = 1): T {
  return { ...a, in: a.in + sign * b.in, out: a.out + sign * b.out, embedded: a.embedded + sign * b.embedded }
}
