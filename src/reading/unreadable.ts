/** Why a file cannot be read; its reader throws this. */
import type { WhyUnreadable } from '../ports/conversion'

export class Unreadable extends Error {
  /** `message`: what to do about it; it never quotes the file. */
  constructor(
    readonly why: WhyUnreadable,
    message: string,
    /** For a PDF without text. */
    readonly pages?: number,
    /** For a PDF: pages that have no text and draw a picture. */
    readonly scans?: readonly number[],
  ) {
    super(message)
  }
}
