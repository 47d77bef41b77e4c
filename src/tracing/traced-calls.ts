/** A span around each call of an object whose members are calls. What is given to one, or comes back, is not looked at, but by `describe`. */
import type { Attributes, Tracer } from '../ports/tracing'

interface Named {
  /** Of a span: `d1`, `object`, `vectorize`. */
  readonly what: string
  readonly name: string
  readonly attributes?: Attributes
  /** Counts and names of ours in a result. */
  readonly describe?: (result: unknown) => Attributes
}

/** Each method is a span, `object corpus.retrieve`. What is no method is left as it is. */
export function tracedCalls<T extends object>(tracer: Tracer, { what, name, attributes = {}, describe = () => ({}) }: Named, target: T): T {
  return new Proxy(target, {
    get(from, call) {
      const method: unknown = Reflect.get(from, call)
      if (typeof method !== 'function' || typeof call !== 'string') return method
      return (...given: unknown[]) =>
        tracer.span(`${what} ${name}.${call}`, { ...attributes, 'code.function.name': `${name}.${call}` }, async (span) => {
          const result: unknown = await method.apply(from, given)
          span.set(describe(result))
          return result
        })
    },
  })
}
