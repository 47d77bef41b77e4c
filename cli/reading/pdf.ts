/** The text of a PDF, page after page. A scanned page holds pictures and no text: nothing is recognised. */

import type { ReadText } from '../../src/reading/html'
import { readPdf as readPages } from '../../src/reading/pdf/read-pdf'

const WHY = { encrypted: 'is encrypted', no_text: 'holds no text', broken: 'is broken', too_large: 'is too large' } as const

export async function readPdf(bytes: Uint8Array): Promise<ReadText> {
  const read = await readPages({ bytes: new Uint8Array(bytes), isBounded: false })
  if (read.kind === 'unreadable') throw new Error(WHY[read.why])
  const { text, title, outline, dates } = read
  return { text, title, outline, ...(dates ? { dates } : {}) }
}
