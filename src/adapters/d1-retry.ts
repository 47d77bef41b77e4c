/**
 * A D1 binding that retries: soon after a lost answer, later and only once after an overload. Everything else is left to the caller. This requires that
 * executing any of our statements twice is harmless, including the answer: if no answer came, it may have been executed.
 */
import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import { retry } from '../core/backoff'
import { type StoreFault, storeFault } from '../store-fault'

/** ms before each further attempt. Each is a call of the invocation, which has a thousand. */
const PAUSES: { readonly [fault in StoreFault]?: readonly number[] } = { lost: [100, 400], overloaded: [1000] }

export interface Time {
  sleep(ms: number): Promise<void>
  /** From 0 to 1. */
  random(): number
}

const real: Time = { sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)), random: Math.random }

type Attempt = <T>(call: () => Promise<T>) => Promise<T>

export function withRetries(binding: D1Database, time: Time = real): D1Database {
  const attempt: Attempt = (call) =>
    retry(call, {
      pauseAfter(error, failures) {
        const fault = storeFault(error)
        const pause = fault ? PAUSES[fault]?.[failures - 1] : undefined
        return pause === undefined ? undefined : pause * (0.5 + time.random())
      },
      sleep: (ms) => time.sleep(ms),
    })
  const bare = new WeakMap<object, D1PreparedStatement>()
  const wrapped = (inner: D1PreparedStatement): D1PreparedStatement => {
    const statement = {
      bind: (...values: unknown[]) => wrapped(inner.bind(...values)),
      first: (column?: string) => attempt(() => (column === undefined ? inner.first() : inner.first(column))),
      all: () => attempt(() => inner.all()),
      run: () => attempt(() => inner.run()),
      raw: (options?: { columnNames: true }) => attempt(() => (options ? inner.raw(options) : inner.raw())),
    }
    bare.set(statement, inner)
    return statement as unknown as D1PreparedStatement
  }
  const database: Pick<D1Database, 'prepare' | 'batch'> = {
    prepare: (query) => wrapped(binding.prepare(query)),
    batch: (statements) => attempt(() => binding.batch(statements.map((one) => bare.get(one) ?? one))),
  }
  return database as D1Database
}
