/** Adds to a walk's trace what happened around it. */
import type { Json } from '../core/graph/types'

export function extendTrace(own: Json | undefined, more: { readonly [name: string]: Json }): Json {
  const told = typeof own === 'object' && own !== null && !Array.isArray(own) ? own : { walk: own ?? null }
  return { ...told, ...more }
}
