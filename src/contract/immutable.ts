/** The output of a schema, as everybody but its maker sees it. */
import type { Json } from '../core/graph/types'

/** Read-only, all the way down. JSON of any form already is. */
export type Immutable<T> = unknown extends T
  ? T
  : [Json, T] extends [T, Json]
    ? T
    : T extends string | number | boolean | null | undefined
      ? T
      : { readonly [K in keyof T]: Immutable<T[K]> }
