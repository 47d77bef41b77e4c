/** How many calls of bindings an invocation has made: the platform refuses those beyond a number (src/platform-limits.ts). */
import type { GovernorObject } from '../ports/call-slots'
import type { AiBinding } from '../ports/models'
import type { Namespace } from './corpus'

export interface CallCount {
  made(): number
  model(ai: AiBinding): AiBinding
  network(fetch: (request: Request) => Promise<Response>): (request: Request) => Promise<Response>
  governor(namespace: Namespace): Namespace
  /** For an object whose members are calls. */
  each<T extends object>(calls: T): T
}

export function callCount(): CallCount {
  let made = 0
  const one = <T>(call: T): T => {
    made++
    return call
  }
  return {
    made: () => made,
    model: (ai) => ({ run: (...args) => one(ai).run(...args) }),
    network: (fetch) => (request) => one(fetch)(request),
    governor: (namespace) => ({
      getByName(name) {
        const stub = namespace.getByName(name) as GovernorObject
        return {
          acquire: (call) => one(stub).acquire(call),
          release: (id, trouble) => one(stub).release(id, trouble),
          note: (calls) => one(stub).note(calls),
        } satisfies GovernorObject
      },
    }),
    each(calls) {
      const counted = Object.entries(calls).map(([name, call]) => [name, (...args: readonly unknown[]) => one(call)(...args)])
      return Object.fromEntries(counted)
    },
  }
}
