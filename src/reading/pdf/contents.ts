/**
 * The table of contents of a PDF: lines that end in the number of a page and begin with a heading that stands in the text itself. It says
 * every heading's words a second time, with nothing under them, so that questions would find it before the section they are about.
 */
import { titleOf } from './running-lines'

const ENTRY = /^(?=.*\p{L}.*\p{L})(.{2,200}?)(?:\s*…)?\s+(?:\d{1,4}|[ivxlc]{1,7})$/iu
const ENTRIES = 4 // on a page at least; a few lines like that may be anything

/** Entries whose heading is nowhere else stay, and so does a page with few. */
export function withoutContents(pages: readonly string[]): readonly string[] {
  const split = pages.map((page) => page.split('\n'))
  const said = new Set(split.flat().map(titleOf))
  const isEntry = (line: string): boolean => {
    const [, heading = ''] = ENTRY.exec(line.trim()) ?? []
    return heading !== '' && said.has(titleOf(heading))
  }
  return split.map((lines, at) => {
    const left = lines.filter((line) => !isEntry(line))
    return lines.length - left.length >= ENTRIES ? left.join('\n') : (pages[at] ?? '')
  })
}
