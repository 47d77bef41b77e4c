/** Why a file is not read, thrown by who reads it. */
import type { WhyUnreadable } from '../ports/conversion'

export class Unreadable extends Error {
  /** `message`: what to do about it; it quotes nothing of the file. */
  constructor(
    readonly why: WhyUnreadable,
    message: string,
    /** Of a PDF without a text. */
    readonly pages?: number,
    /** Of a PDF: pages without a text that draw a picture. */
    readonly scans?: readonly number[],
  ) {
    super(message)
  }
}
