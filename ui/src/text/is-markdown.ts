/** Whether to show a text as Markdown: its name says so, or its headings or one of its tables are written like Markdown's. */
import type { Document } from '../../../src/client/client'

const TABLE = /^\|(?: --- \|)+$/m // the line below its head, as the service writes it

export function isMarkdown(id: string, text: string, outline: Document['outline'] = []): boolean {
  if (/\.(?:md|markdown|mdx)$/i.test(id)) return true
  if (TABLE.test(text)) return true
  return outline.some(({ start, heading }) => heading !== undefined && /^ {0,3}#{1,6} /.test(text.slice(start, start + 10)))
}
