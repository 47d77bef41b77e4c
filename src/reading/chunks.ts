/**
 * The text of a document that an export contains in chunks. Chunks overlap; a gap between two chunks is blank text and comes back as line
 * breaks, so that offsets stay right.
 */

import { MAX_TEXT } from '../contract/document-limits'

/** Where a chunk begins in its document; UTF-16 units. */
export interface Placed {
  readonly chunk: string
  readonly start: number
}

/** Why there is no text. The length is computed before the text is built: chunks may be named repeatedly and lie far apart. */
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
