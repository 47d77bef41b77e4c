/**
 * The text of a Markdown file. Its title comes from the front matter, or else from the first heading; front matter (YAML between `---`) is
 * not part of the text. Anything between two rules that is not YAML with keys is ordinary text.
 */
import { VFile } from 'vfile'
import { matter } from 'vfile-matter'
import { frontMatterDates } from '../core/text/said-dates'
import type { ReadText } from './html'

const HEADING = /^#{1,2}[ \t]+(.+?)[ \t#]*$/m
const MAX_TITLE = 300 // characters

export function readMarkdown(markdown: string): ReadText {
  const { text, fields } = withoutFrontMatter(markdown)
  const title = titleIn(fields) ?? HEADING.exec(text)?.[1] ?? ''
  const dates = frontMatterDates(markdown)
  return { title: title.slice(0, MAX_TITLE), text, ...(Object.keys(dates).length > 0 ? { dates } : {}) }
}

function withoutFrontMatter(markdown: string): { readonly text: string; readonly fields: object } {
  const file = new VFile(markdown)
  try {
    matter(file, { strip: true })
  } catch {
    return { text: markdown, fields: {} } // it is not YAML
  }
  const fields = file.data.matter
  return isFields(fields) ? { text: String(file), fields } : { text: markdown, fields: {} }
}

function isFields(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function titleIn(fields: object): string | undefined {
  const title = 'title' in fields ? fields.title : undefined
  return typeof title === 'string' || typeof title === 'number' ? String(title).trim() || undefined : undefined
}
