/** The text of a PDF, page after page. A scanned page holds pictures and no text: nothing is recognised. */
import { extractText, getDocumentProxy, getMeta } from 'unpdf'
import type { ReadText } from '../../src/reading/html'

export async function readPdf(bytes: Uint8Array): Promise<ReadText> {
  const file = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  const [{ text }, meta] = [await extractText(file, { mergePages: false }), await getMeta(file).catch(() => undefined)]
  const title: unknown = meta?.info?.Title
  return {
    text: text
      .map((page) => page.trim())
      .filter((page) => page !== '')
      .join('\n\n'),
    title: typeof title === 'string' ? title.trim() : '',
  }
}
