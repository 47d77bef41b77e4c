/** JSON Pointer (RFC 6901). Reads only own members: no pointer reaches a prototype. */
import type { Json } from '../core/graph/types'

/** For example, `/a~1b/0` of `{"a/b": [7]}` is 7; undefined if there is nothing. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  let here: Json | undefined = value
  for (const token of pointer.split('/').slice(1)) {
    if (here === null || typeof here !== 'object') return undefined
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(here)) here = /^(0|[1-9]\d{0,8})$/.test(name) ? (here as readonly Json[])[Number(name)] : undefined
    else here = Object.hasOwn(here, name) ? (here as { readonly [key: string]: Json })[name] : undefined
  }
  return here
}
