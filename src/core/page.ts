/** A page of a list, cut from one row more than it may hold: whether that row is there says whether a page follows. */
interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
}

/** `cursorOf` names the row a page ends with. */
export function pageOf<T>(rows: readonly T[], limit: number, cursorOf: (last: T) => string): Page<T> {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: rows.length > limit && last !== undefined ? cursorOf(last) : null }
}
