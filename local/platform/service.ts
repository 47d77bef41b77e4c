/**
 * Bindings that are called by methods, with each call counted in its invocation; `connects`: a call holds one of the six connections until
 * it is answered.
 */
import { connected, countCall } from './invocation'

type Methods = { readonly [name: string]: (...args: unknown[]) => unknown }

export function counted<T extends object>(service: T, { connects }: { readonly connects: boolean }): T {
  return new Proxy(service, {
    get(target, name) {
      const found = Reflect.get(target, name, target)
      if (typeof found !== 'function' || typeof name !== 'string' || name === 'then') return found
      return async (...args: unknown[]) => {
        countCall()
        const call = async () => asOnThePlatform(async () => (target as Methods)[name]?.(...args))
        return connects ? connected(call) : call()
      }
    },
  })
}

const ABSENT = /^Worker "[^"]*" not found/ // Miniflare's message while the other process restarts

/** Anything in the other process cannot be reached for a moment: as when the network fails. */
async function asOnThePlatform<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof Error && ABSENT.test(error.message))) throw error
    throw Object.assign(new Error('Network connection lost.'), { retryable: true })
  }
}
