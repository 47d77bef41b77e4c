/** A clock that is ahead for whatever the test calls, and for nobody else: objects at work in the same isolate keep the right time. */
import { AsyncLocalStorage } from 'node:async_hooks'

const shift = new AsyncLocalStorage<number>()
const now = Date.now

/** Runs `act` with `Date.now` so many milliseconds ahead. What is called in another context (an object, a binding) is not part of it. */
export async function ahead<T>(ms: number, act: () => Promise<T>): Promise<T> {
  Date.now = () => now() + (shift.getStore() ?? 0)
  try {
    return await shift.run(ms, act)
  } finally {
    Date.now = now
  }
}
