/** When to retry what failed. Pure except for the waiting, which the caller supplies. */

export interface Backoff {
  /** Milliseconds after the first failure. */
  readonly first: number
  /** Milliseconds at most. */
  readonly max?: number
  /** By how much each further failure lengthens the pause. */
  readonly factor?: number
}

const STEPS = 20 // lengthenings at most: no number overflows, whatever has failed how often

/** Milliseconds to wait after so many failures in a row. */
export function backoff(failures: number, { first, max = Number.POSITIVE_INFINITY, factor = 2 }: Backoff): number {
  return Math.min(max, first * factor ** Math.min(failures - 1, STEPS))
}

export interface Retry {
  /** Milliseconds until the next attempt after `failures` of them. Undefined: the error stands. */
  pauseAfter(error: unknown, failures: number): number | undefined
  sleep(ms: number): Promise<void>
}

/** Calls until it succeeds or an error stands. */
export async function retry<T>(call: () => Promise<T>, { pauseAfter, sleep }: Retry): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await call()
    } catch (error) {
      const pause = pauseAfter(error, failures)
      if (pause === undefined) throw error
      await sleep(pause)
    }
  }
}
