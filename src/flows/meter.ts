/**
 * What one question has cost so far, in tokens, calls and time, and what it may still cost. The clock stands still during synchronous
 * work, so times are taken around calls.
 */
import type { Purse, Spent, StageSpent, StagesSpent } from '../ports'
import type { Degraded, Timing, Usage } from './ask-types'

const NO_CEILING: Purse = { tokens: null, usd: null }

export class Meter {
  readonly degraded = new Set<Degraded>()
  private readonly began: number
  private readonly times: { [step: string]: number } = {}
  private readonly paid = new Map<string, StageSpent>()
  private purse = NO_CEILING

  constructor(private readonly now: () => number) {
    this.began = now()
  }

  /** What the corpus has left. Nothing left: the question goes on without models. */
  hold(purse: Purse): void {
    this.purse = purse
    if (purse.tokens === 0 || purse.usd === 0) this.degraded.add('budget')
  }

  /** May a call be made that costs at most so much? If not, the budget counts as used up from here on. `usd`: of tokens, by stage. */
  affords(stage: string, most: () => Spent, usd: (stage: string, spent: Spent) => number): boolean {
    const { tokens, usd: left } = this.purse
    if (tokens === null && left === null) return !this.degraded.has('budget')
    const calls: readonly (readonly [string, Spent])[] = [...this.paid, [stage, most()]]
    const sum = (pick: (stage: string, spent: Spent) => number): number => calls.reduce((total, [of, one]) => total + pick(of, one), 0)
    const over = (tokens !== null && sum((_, one) => one.in + one.out + one.embedded) > tokens) || (left !== null && sum(usd) > left)
    if (over) this.degraded.add('budget')
    return !this.degraded.has('budget')
  }

  pay(spent: Spent, calls = 1, stage = 'answer'): void {
    const before = this.paid.get(stage) ?? { in: 0, out: 0, embedded: 0, calls: 0 }
    this.paid.set(stage, {
      in: before.in + spent.in,
      out: before.out + spent.out,
      embedded: before.embedded + spent.embedded,
      calls: before.calls + calls,
    })
  }

  /** Adds the time until the promise settles to a step's. */
  async time<T>(step: string, work: Promise<T>): Promise<T> {
    const from = this.now()
    try {
      return await work
    } finally {
      this.took(step, this.now() - from)
    }
  }

  took(step: string, ms: number): void {
    this.times[step] = (this.times[step] ?? 0) + ms
  }

  get usage(): Usage {
    const all = [...this.paid.values()]
    const sum = (pick: (one: StageSpent) => number): number => all.reduce((total, one) => total + pick(one), 0)
    return { in: sum((one) => one.in), out: sum((one) => one.out), embedded: sum((one) => one.embedded), calls: sum((one) => one.calls) }
  }

  /** The same by stage: question (embedded), rewrite, rerank, answer. */
  get stages(): StagesSpent {
    return Object.fromEntries(this.paid)
  }

  get timing(): Timing {
    return { ...this.times, total: this.now() - this.began }
  }

  get flags(): readonly Degraded[] {
    return [...this.degraded].sort()
  }
}
