/** Calls that wait for the corpus to change. */
export class Waiters {
  #waiting: (() => void)[] = []

  /** Resolves at the next change, or when the time is up. */
  next(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, ms))
      this.#waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }
}
