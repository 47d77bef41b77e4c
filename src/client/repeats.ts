/** When a call is sent again, and after how long. */
import type { LoamError } from './error'

export interface Repeats {
  /** Does a call with this method carry an Idempotency-Key, so that the service carries out a repeat only once? */
  names(method: string): boolean
  /** Milliseconds to wait; undefined: it is not sent again. `failures`: 1 after the first; `reached`: something has answered this client before. */
  pauseAfter(error: LoamError, so: { readonly failures: number; readonly reached: boolean }): number | undefined
}

const MAX_PAUSE = 30 // seconds waited before a repeat, whatever the service asks for

/** The number of repeats: if no answer came, and if the service asks to come back. */
export function brief(retries: number): Repeats {
  return {
    names: (method) => retries > 0 && method !== 'GET' && method !== 'PUT', // a PUT says the whole, and may be carried out again
    pauseAfter: ({ status, more }, { failures }) =>
      failures <= retries && (status === undefined || status === 429 || status === 503)
        ? Math.min(MAX_PAUSE, more.retryAfter ?? 1) * 1000
        : undefined,
  }
}

const PAUSES = [0, 1, 2, 4, 8, 15, 30] // seconds before each repeat; the first at once: a keep-alive connection that had just been closed
const MAX_UNMET = 1 // repeats if nothing has ever answered: the address is wrong, or nothing runs there
const MINUTE = 60 // seconds waited because the service asks for it, at most

/** Statuses after which the same call may pass: asked to come back, and what Cloudflare's edge says when it did not reach the Worker. */
const PASSING: ReadonlySet<number> = new Set([429, 502, 503, 504, 520, 521, 522, 523, 524, 530])

/** For work of hours, over a network that breaks. */
export const persistent: Repeats = {
  names: (method) => method !== 'GET',
  pauseAfter({ status, code, more }, { failures, reached }) {
    const pause = reached || failures <= MAX_UNMET ? PAUSES[failures - 1] : undefined
    if (pause === undefined) return undefined
    if (status === undefined) return pause * 1000
    // Still being answered: a first try whose connection was lost.
    if (code !== 'idempotency_in_flight' && !PASSING.has(status)) return undefined
    return Math.min(MINUTE, Math.max(1, more.retryAfter || 1)) * 1000
  },
}
