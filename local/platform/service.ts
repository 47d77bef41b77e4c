/** Bindings that are called by methods, each call counted in its invocation; `connects`: it holds one of the six connections until it is answered. */
import { connected, countCall } from './invocation'

type Methods = { readonly [name: string]: (...args: unknown[]) => unknown }

export function counted<T extends object>(service: T, { connects }: { readonly connects: boolean }): T {
  return new Proxy(service, {
    get(target, name) {
      const found = Reflect.get(target, name, target)
      if (typeof found !== 'function' || typeof name !== 'string' || name === 'then') return found
      return async (...args: unknown[]) => {
        countCall()
        const call = async () => (target as Methods)[name]?.(...args)
        return connects ? connected(call) : call()
      }
    },
  })
}
