/** The pages of the file that a document was read from, as stretches of its text. */
import type { Document } from '../../../src/client/client'

export interface Page {
  readonly page: number
  readonly start: number
  readonly end: number
}

/** None if the file has no pages, or they are not known. Text before the first page belongs to none. */
export function pagesOf(outline: Document['outline'] = [], length: number): readonly Page[] {
  const begins = outline.flatMap(({ start, page }) => (page === undefined ? [] : [{ page, start }]))
  // A page may be named again where a heading begins on it.
  const firsts = begins.filter(({ page }, i) => i === 0 || page !== begins[i - 1]?.page)
  return firsts.map(({ page, start }, i) => ({ page, start, end: firsts[i + 1]?.start ?? length }))
}

/** The page of a place; the first for text before it. */
export const pageAt = (pages: readonly Page[], place: number): number =>
  Math.max(
    0,
    pages.findLastIndex(({ start }) => start <= place),
  )
