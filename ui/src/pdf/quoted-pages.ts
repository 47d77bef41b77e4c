/** Which pages a quote is on, and which part of it is on each. */
import type { Document } from '../../../src/client/client'
import { pageAt, pagesOf } from '../text/pages'
import { fold } from './folded'

export interface QuotedPage {
  readonly page: number
  /** The part of the quote that is on this page. */
  readonly quote: string
  /** Letters, folded, before it on the page. */
  readonly before: number
}

const MOST = 3 // pages that are shown together

/** None if nothing is quoted. */
export function quotedPages({ text = '', outline }: Document, start: number, end: number): readonly QuotedPage[] {
  if (end <= start) return []
  const pages = pagesOf(outline, text.length)
  if (pages.length === 0) return [{ page: 1, quote: text.slice(start, end), before: fold(text.slice(0, start)).letters.length }]
  return pages
    .slice(pageAt(pages, start))
    .filter((page) => page.start < end)
    .map((page) => {
      const from = Math.max(page.start, start)
      const quote = text.slice(from, Math.min(page.end, end))
      return { page: page.page, quote, before: fold(text.slice(page.start, from)).letters.length }
    })
    .filter(({ quote }) => quote.trim() !== '')
    .slice(0, MOST)
}
