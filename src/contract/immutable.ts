/** What a schema gives, as everybody but its maker sees it. */
import type { Json } from '../core/graph/types'

/** Read alone, all the way down; a member that may be missing is missing, not undefined. */
export type Immutable<T> = [Json, T] extends [T, Json]
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly unknown[]
      ? { readonly [K in keyof T]: Immutable<T[K]> }
      : { readonly [K in keyof T]: Immutable<Exclude<T[K], undefined>> }
