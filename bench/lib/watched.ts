/**
 * How much memory a piece of synchronous work holds at its height: what V8 still reaches after collecting everything else, its heap and its
 * array buffers, looked at every so many statements of SQLite. Needs `node --expose-gc`, and makes the work slow: time it without.
 */
const EVERY = 400 // statements between two looks, at first; doubled as the work goes on, so that long work ends

const collect = (globalThis as { gc?: () => void }).gc
let statements = 0
let next = Number.POSITIVE_INFINITY
let height = 0

export const watching = collect !== undefined

/** To be called at every statement. */
export function looked(): void {
  if (++statements < next) return
  next = Math.ceil(statements * 1.1) + EVERY
  height = Math.max(height, held())
}

/** Seconds, and the MB reached at most beyond what was there before; none without `--expose-gc`. */
export function watched<T>(work: () => T): { readonly result: T; readonly seconds: number; readonly peak?: number } {
  const before = held()
  statements = 0
  next = collect ? EVERY : Number.POSITIVE_INFINITY
  height = before
  const since = performance.now()
  const result = work()
  const seconds = (performance.now() - since) / 1000
  height = Math.max(height, held())
  next = Number.POSITIVE_INFINITY
  return { result, seconds, ...(collect ? { peak: Math.round((height - before) / 1e6) } : {}) }
}

function held(): number {
  collect?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
