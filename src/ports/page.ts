/** A page of a list. */

export interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
}
