/** What a question chose of a strategy's options. */
import type { z } from 'zod'
import type { Json } from './graph/types'

/** Options by the names of the API, each with what it may be. */
export type OptionShape = { readonly [name: string]: z.ZodType }

export type Chosen<T extends OptionShape> = { readonly [K in keyof T]?: z.output<T[K]> }

/** Those that fit. Others were refused at the door where a caller sent them: here they are passed over, and a default stands in. */
export function chosenOptions<T extends OptionShape>(shape: T, own: { readonly [name: string]: Json }): Chosen<T> {
  const out: { [name: string]: unknown } = {}
  for (const [name, schema] of Object.entries(shape)) {
    const { success, data } = schema.safeParse(own[name])
    if (success && data !== undefined) out[name] = data
  }
  return out as Chosen<T>
}
