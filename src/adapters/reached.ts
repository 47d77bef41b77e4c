/**
 * Calls to an object. Each call gets its own stub: after a failure that the platform explains by a new instance, a stub keeps failing. A call
 * that may be repeated is then made once more; after an overload it never is.
 */
import { objectFault } from '../object-fault'

/** again: it reads, or doing it twice equals doing it once, including the result. once: it may have been done although no response came. */
export type Repeat = 'again' | 'once'

type Call = (...args: readonly unknown[]) => Promise<unknown>

/** `through`: a method of the object that is given the names of the calls. */
export function reached<T>(calls: { readonly [name: string]: Repeat }, stub: () => unknown, through?: string): T {
  const methods = Object.entries(calls).map(([name, repeat]) => {
    const call: Call = (...args) => {
      const object = stub() as { readonly [name: string]: Call }
      const made = through === undefined ? object[name]?.(...args) : object[through]?.(name, ...args)
      return made ?? Promise.reject(new Error(name))
    }
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
