/** Which of a corpus's documents are listed, and in which order: by words in their name, state, kind of file and date. */
import type { Document } from '../../../src/client/client'

export type Day = 'published' | 'updated'
export type Order = 'document' | 'status' | 'chunks' | Day

export interface Wanted {
  /** Part of a title or an id. */
  readonly text: string
  /** A document's status, or `off`. Empty: any. */
  readonly status: string
  /** The ending of its id, `pdf`. Empty: any. */
  readonly kind: string
  /** Which of its dates `since` is about. */
  readonly day: Day
  /** Of this day or later. Empty: any. */
  readonly since: string
  readonly order: Order
  readonly isDown: boolean
}

export const everything: Wanted = { text: '', status: '', kind: '', day: 'published', since: '', order: 'document', isDown: false }

/** The service lists by id: any other order needs all of them. */
export const isArranged = (wanted: Wanted): boolean => JSON.stringify(wanted) !== JSON.stringify(everything)

export function arrange(documents: readonly Document[], { text, status, kind, day, since, order, isDown }: Wanted): readonly Document[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = documents.filter((one) => {
    const name = `${one.title} ${one.document}`.toLowerCase()
    return (
      words.every((word) => name.includes(word)) &&
      (status === '' || (status === 'off' ? !one.active : one.status === status)) &&
      (kind === '' || kindOf(one.document) === kind) &&
      (since === '' || dayOf(one, day) >= since)
    )
  })
  const sign = isDown ? -1 : 1
  return found.sort((a, b) => sign * compare(a, b, order) || compare(a, b, 'document'))
}

/** Kinds that occur, by name. */
export const kindsOf = (documents: readonly Document[]): readonly string[] =>
  [...new Set(documents.map(({ document }) => kindOf(document)).filter(Boolean))].sort()

/** A part of a file (`big.txt#part-2`) is of the file's kind. */
const kindOf = (id: string): string => /\.([a-z0-9]{1,8})(?:#part-\d+)?$/i.exec(id)?.[1]?.toLowerCase() ?? ''

/** An ISO 8601 date; empty if it is not known. */
export const dayOf = ({ dates, updated_at }: Pick<Document, 'dates' | 'updated_at'>, day: Day): string =>
  ((day === 'published' ? dates?.published_at?.value : updated_at) ?? '').slice(0, 10)

function compare(a: Document, b: Document, order: Order): number {
  if (order === 'chunks') return a.chunks - b.chunks
  const of = (one: Document): string => {
    if (order === 'status') return one.active ? one.status : 'off'
    if (order === 'updated') return one.updated_at ?? ''
    return order === 'published' ? dayOf(one, order) : one.title || one.document
  }
  return of(a).localeCompare(of(b), 'en', { numeric: true })
}
