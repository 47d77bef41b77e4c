/**
 * The text of a document that an export holds in chunks. Chunks overlap; what lies between two and in neither is blank, and comes back as line
 * breaks, so that offsets hold.
 */

import { MAX_TEXT } from '../contract/document-limits'

/** Where a chunk begins in its document; UTF-16 units. */
export interface Placed {
  readonly chunk: string
  readonly start: number
}

/** Why there is no text. Its length is known before it is made: chunks may be named again and again, and stand far apart. */
export type NoText = { readonly fault: 'missing' | 'too_long' }

export function joinChunks(placed: readonly Placed[], texts: ReadonlyMap<string, string>, max = MAX_TEXT): string | NoText {
  const parts: string[] = []
  let length = 0
  for (const { chunk, start } of [...placed].sort((a, b) => a.start - b.start)) {
    const own = texts.get(chunk)
    if (own === undefined) return { fault: 'missing' }
    const gap = Math.max(0, start - length)
    const fresh = own.slice(Math.max(0, length - start))
    length += gap + fresh.length
    if (length > max) return { fault: 'too_long' }
    parts.push('\n'.repeat(gap), fresh)
  }
  return parts.length === 0 ? { fault: 'missing' } : parts.join('')
}
