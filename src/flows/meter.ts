/** What one question has cost so far, in tokens, calls and time. The clock stands still during synchronous work, so times are taken around calls. */
import type { Spent } from '../ports'
import type { Degraded, Timing, Usage } from './ask-types'

export class Meter {
  readonly degraded = new Set<Degraded>()
  private readonly began: number
  private readonly times: { [step: string]: number } = {}
  private spent = { in: 0, out: 0, embedded: 0, calls: 0 }

  constructor(private readonly now: () => number) {
    this.began = now()
  }

  pay(spent: Spent, calls = 1): void {
    const { in: read, out, embedded } = this.spent
    this.spent = { in: read + spent.in, out: out + spent.out, embedded: embedded + spent.embedded, calls: this.spent.calls + calls }
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
    return this.spent
  }

  get timing(): Timing {
    return { ...this.times, total: this.now() - this.began }
  }

  get flags(): readonly Degraded[] {
    return [...this.degraded].sort()
  }
}
