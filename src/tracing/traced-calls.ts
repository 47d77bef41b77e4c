/** A span around each method call of an object. Arguments and results are not examined, except by `describe`. */
import type { Attributes, Tracer } from '../ports/tracing'

interface Named {
  /** What spans are named after: `d1`, `object`, `vectorize`. */
  readonly what: string
  readonly name: string
  readonly attributes?: Attributes
  /** Our own counts and names found in a result. */
  readonly describe?: (result: unknown) => Attributes
}

/** Each method call becomes a span, `object corpus.retrieve`. Anything else is left unchanged. */
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
