/**
 * Calls to an object. Each call gets its own stub: after a failure that the platform explains by a new instance, a stub keeps failing. A call
 * that may be repeated is then made once more; after an overload it never is.
 */
import { objectFault } from '../object-fault'

/** again: it reads, or doing it twice equals doing it once, including the result. once: it may have been done although no response came. */
export type Repeat = 'again' | 'once'

type Call = (...args: readonly unknown[]) => Promise<unknown>

export function reached<T>(calls: { readonly [name: string]: Repeat }, stub: () => unknown): T {
  const methods = Object.entries(calls).map(([name, repeat]) => {
    const call: Call = (...args) => (stub() as { readonly [name: string]: Call })[name]?.(...args) ?? Promise.reject(new Error(name))
    const method: Call = async (...args) => {
      try {
        return await call(...args)
      } catch (error) {
        const fault = objectFault(error)
        if (repeat === 'again' && (fault === 'replaced' || fault === 'updated')) return call(...args)
        throw error
      }
    }
    return [name, method] as const
  })
  return Object.fromEntries(methods) as T
}
