/** Where the pages and slides begin in the file that a document was read from. */
import type { Document } from '../../../src/client/client'
import type { Inset } from './decorated'

export function breaksOf(outline: Document['outline'] = [], from: number, until: number): readonly Inset[] {
  return outline.flatMap(({ start, page, slide }) => {
    const name = page !== undefined ? `page ${page}` : slide !== undefined ? `slide ${slide}` : ''
    if (name === '' || start < from || start >= until) return []
    const node = (
      <span key={name} class="page-break">
        {name}
      </span>
    )
    return [{ at: start - from, node }]
  })
}
