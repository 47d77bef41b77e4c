/** Text from files. */
import type { FileType } from '../contract/file-types'
import type { Dates } from '../core/text/iso-date'
import type { Outline } from '../core/text/outline'

export interface SentFile {
  readonly bytes: Uint8Array
  readonly type: FileType
  /** As it was declared. */
  readonly charset?: string | undefined
}

/**
 * encrypted: by a password · no_text: pictures alone, or nothing · broken · too_large: more pages, text or work than is read · encoding: in an unknown one ·
 * unsupported: of a kind that is not read here
 */
export type WhyUnreadable = 'encrypted' | 'no_text' | 'broken' | 'too_large' | 'encoding' | 'unsupported'

/** `title`: what the file calls itself; empty: nothing. `dates`: what it says of itself. `detail`: what to do, for who sent it; it quotes nothing of the file. */
export type Conversion =
  | {
      readonly kind: 'converted'
      readonly text: string
      readonly title: string
      readonly outline?: Outline | undefined
      readonly dates?: Dates | undefined
    }
  | { readonly kind: 'unreadable'; readonly why: WhyUnreadable; readonly detail: string }

export type Converter = (file: SentFile) => Promise<Conversion>
