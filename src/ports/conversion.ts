/** Text from files. */

import type { Dates } from '../core/text/iso-date'
import type { Outline } from '../core/text/outline'

/**
 * The text of a PDF, pages apart by a blank line, and what it calls itself (empty: nothing). `no_text`: it holds pictures alone. `too_large`: more
 * pages, text or work than is read.
 */
export type Conversion =
  | { readonly kind: 'converted'; readonly text: string; readonly title: string; readonly outline?: Outline; readonly dates?: Dates }
  | { readonly kind: 'unreadable'; readonly why: 'encrypted' | 'no_text' | 'broken' | 'too_large' }

export type Converter = (file: { readonly bytes: Uint8Array }) => Promise<Conversion>
