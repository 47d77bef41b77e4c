/** The text of a PDF, page after page. A scanned page holds pictures and no text: nothing is recognised. */
import { extractText, getDocumentProxy, getMeta } from 'unpdf'

export async function pdf(bytes) {
  const file = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  const [{ text }, meta] = [await extractText(file, { mergePages: false }), await getMeta(file).catch(() => undefined)]
  const title = meta?.info?.Title
  return {
    text: text
      .map((page) => page.trim())
      .join('\n\n')
      .trim(),
    ...(typeof title === 'string' && title.trim() ? { title: title.trim() } : {}),
  }
}
