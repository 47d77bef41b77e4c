/** A web page of any length: it is cut into documents later. */
import { type ReadText, readHtml } from '../../src/reading/html'

export function readPage(html: string): ReadText {
  const read = readHtml(html, Number.POSITIVE_INFINITY)
  if (read === null) throw new Error('is nested too deeply, or has too many end tags, to be a page')
  return read
}
