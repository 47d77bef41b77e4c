/** Whether to show a text as Markdown: its name says so, or its headings are written like Markdown's. */
import type { Document } from '../../../src/client/client'

export function isMarkdown(id: string, text: string, outline: Document['outline'] = []): boolean {
  if (/\.(?:md|markdown|mdx)$/i.test(id)) return true
  return outline.some(({ start, heading }) => heading !== undefined && /^ {0,3}#{1,6} /.test(text.slice(start, start + 10)))
}
