/** A Word document: its headings, lists and tables as Markdown. Pictures, comments and tracked deletions go. */
import mammoth from 'mammoth'
import { markdownOf } from './html.mjs'

export async function docx(bytes) {
  const { value } = await mammoth.convertToHtml({ buffer: bytes }, { convertImage: mammoth.images.imgElement(async () => ({ src: '' })) })
  const text = markdownOf(value)
  const title = /^# (.+)$/m.exec(text)?.[1]
  return { text, ...(title ? { title } : {}) }
}
