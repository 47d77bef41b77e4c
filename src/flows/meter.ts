/**
 * What one question has cost so far, in tokens, calls and time, and whether it may continue. The clock stands still during synchronous work, so times are
 * taken around calls.
 */

import type { Degraded, Timing, Usage } from '../contract/questions'
import type { Spent } from '../contract/usage'
import type { StageSpent } from '../ports/spending'
import type { Allowance, Call, CostBound, Stages } from './allowance'

export class Meter {
  readonly degraded = new Set<Degraded>()
  private readonly began: number
  private readonly times: { [step: string]: number } = {}
  private readonly paid = new Map<string, StageSpent>()

  constructor(
    private readonly now: () => number,
    readonly allowance: Allowance,
  ) {
    this.began = now()
  }

  /** Covers a call. If it is not covered, the budget counts as used up from then on. */
  async begin(stage: string, max: CostBound, ahead?: () => Stages): Promise<Call | undefined> {
    const call = this.degraded.has('budget') ? undefined : await this.allowance.begin(stage, max, ahead)
    if (!call) {
      this.degraded.add('budget')
      return undefined
    }
    const paid: Call['paid'] = (spent, calls) => {
      call.paid(spent, calls)
      this.pay(spent, calls, stage)
    }
    const brokeOff: Call['brokeOff'] = (spent) => {
      call.brokeOff(spent)
      this.pay(spent, 1, stage)
    }
    return { ...call, paid, brokeOff }
  }

  /** Makes a call if it is covered, and measures its time. Rejects as the call does; undefined: over budget, and flagged. */
  async call<T extends { readonly spent: Spent; readonly calls?: number }>(
    stage: string,
    max: CostBound,
    make: (call: Call) => Promise<T>,
    { step = stage, ahead }: { readonly step?: string | null; readonly ahead?: () => Stages } = {},
  ): Promise<T | undefined> {
    const call = await this.begin(stage, max, ahead)
    if (!call) return undefined
    try {
      const reply = await (step === null ? make(call) : this.time(step, make(call)))
      call.paid(reply.spent, reply.calls)
      return reply
    } catch (error) {
      call.failed(error)
      throw error
    }
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

  /** Adds what another meter of the same question took, and what it did without. */
  absorb({ usage: { calls, ...spent }, flags }: Meter, stage: string): void {
    if (calls > 0) this.pay(spent, calls, stage)
    for (const flag of flags) this.degraded.add(flag)
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

  get timing(): Timing {
    return { ...this.times, total: this.now() - this.began }
  }

  get flags(): readonly Degraded[] {
    return [...this.degraded].sort()
  }
}
