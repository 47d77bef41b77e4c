/** A page of a list in which some rows must not be shown: one call passes over a limited number of them, since the object does nothing else meanwhile. */

const LOOKED = 5000 // rows checked in one call
const AT_ONCE = 500 // in one statement

export interface PartlyShown<Row, Place> {
  /** The rows after a place, in order, up to a limit. */
  readonly behind: (place: Place, limit: number) => readonly Row[]
  readonly isShown: (row: Row) => boolean
  readonly placeOf: (row: Row) => Place
}

export interface Looked<Row, Place> {
  readonly rows: readonly Row[]
  /** The last row returned, or where checking stopped, which may be a row that is not shown: more may come after it. Null: that was all. */
  readonly next: Place | null
}

export function lookThrough<Row, Place>(list: PartlyShown<Row, Place>, from: Place, limit: number): Looked<Row, Place> {
  const found: Row[] = []
  let [place, left, size] = [from, LOOKED, limit + 1]
  while (found.length <= limit && left > 0) {
    const asked = Math.min(size, left)
    const rows = list.behind(place, asked)
    for (const row of rows) if (list.isShown(row)) found.push(row)
    const last = rows.at(-1)
    if (!last || rows.length < asked) return cut(list, found, limit)
    place = list.placeOf(last)
    left -= asked
    size = AT_ONCE
  }
  return found.length > limit ? cut(list, found, limit) : { rows: found, next: place }
}

function cut<Row, Place>({ placeOf }: PartlyShown<Row, Place>, found: readonly Row[], limit: number): Looked<Row, Place> {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: last && found.length > limit ? placeOf(last) : null }
}
