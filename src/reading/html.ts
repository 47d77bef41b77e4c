/**
 * The text of a web page, as Markdown where that is cheap: headings, list items, tables. htmlparser2 reads the page as a stream of
 * tags, so the time is linear in its length whatever it contains; libraries that build a tree first could be stalled by a page of nested
 * tags or one cell spanning a million columns. Scripts, styles, navigation and pictures are left out. Nothing is executed or fetched.
 */

import { Parser } from 'htmlparser2'
import { MAX_TEXT, MAX_TITLE } from '../contract/document-limits'
import type { Dates } from '../core/text/iso-date'
import type { Outline } from '../core/text/outline'
import { datesIn } from '../core/text/said-dates'
import { OpenTable } from './html-table'

const MAX_DEPTH = 2000 // open tags; finding the one that a stray end tag closes costs as many steps
const MAX_END_TAGS = 500_000 // of a page, including stray ones: a page with a megabyte of text has a tenth as many
const MAX_SAID = 200 // properties that a page states about itself
const STEP = 64 * 1024 // characters given to the parser at a time
const SKIPPED = new Set(['script', 'style', 'noscript', 'template', 'svg', 'nav', 'iframe', 'object', 'select', 'button'])
const BLOCKS = new Set(
  'address article aside blockquote body caption details dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
)
/** Blocks that only start a new line; the others start a paragraph. */
const LINES = new Set(['li', 'tr', 'dt', 'dd', 'caption'])
const OF_TABLE = new Set(['caption', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'])
const HEADING = /^h[1-6]$/

export interface ReadText {
  readonly title: string
  readonly text: string
  /** Where pages, slides, cells and lines begin. */
  readonly outline?: Outline | undefined
  /** What the file says about itself. */
  readonly dates?: Dates
  /** In a PDF: pages that have no text and draw a picture. */
  readonly scans?: readonly number[]
}

/**
 * Null: it is nested too deeply, or has too many end tags, to be a page. A text longer than `maxText` characters is cut somewhere beyond
 * that.
 */
export function readHtml(html: string, maxText = MAX_TEXT): ReadText | null {
  if (!fewEndTags(html)) return null
  const page = writer(maxText)
  const said = new Map<string, string>()
  let [depth, skipped, title, titling, tooDeep] = [0, 0, '', false, false]
  const parser = new Parser({
    onopentag(name, { name: named, property = named, itemprop = property, content, datetime = content }) {
      const field = itemprop?.toLowerCase()
      if (datetime !== undefined && field !== undefined && said.size < MAX_SAID && (name === 'meta' || name === 'time'))
        said.set(field, datetime)
    },
    onopentagname(name) {
      if (tooDeep) return
      depth++
      if (depth > MAX_DEPTH) {
        tooDeep = true
        parser.pause()
        return
      }
      if (name === 'title' && title === '' && skipped === 0) titling = true
      if (SKIPPED.has(name)) skipped++
      else if (skipped === 0) page.open(name)
    },
    ontext(text) {
      if (titling) title = (title + text).slice(0, MAX_TITLE)
      else if (skipped === 0 && !tooDeep) page.say(text)
    },
    onclosetag(name) {
      depth--
      if (name === 'title') titling = false
      if (SKIPPED.has(name)) skipped--
      else if (skipped === 0 && !tooDeep) page.close(name)
    },
  })
  for (let at = 0; at < html.length && !tooDeep && page.length() <= maxText; at += STEP) parser.write(html.slice(at, at + STEP))
  if (tooDeep) return null
  parser.end()
  const dates = datesIn(said, 'html-meta')
  return { title: title.replace(/\s+/g, ' ').trim(), text: page.text(), ...(Object.keys(dates).length > 0 ? { dates } : {}) }
}

function fewEndTags(html: string): boolean {
  let count = 0
  for (let at = html.indexOf('</'); at >= 0 && count <= MAX_END_TAGS; at = html.indexOf('</', at + 2)) count++
  return count <= MAX_END_TAGS
}

function inTable(table: OpenTable, name: string): void {
  if (name === 'tr') table.row()
  else if (name === 'td' || name === 'th') table.cell()
  else if (name === 'caption') table.endCell()
  else if (name === 'p' || name === 'div') table.paragraph()
  else if (BLOCKS.has(name) && !OF_TABLE.has(name)) table.spoil()
}

/** Collects text with the white space that a reader would see. */
function writer(maxText: number) {
  const parts: string[] = []
  const tables: { readonly table: OpenTable; readonly from: number }[] = []
  let length = 0
  let breaks = 0 // line breaks to write before the next text
  let [space, preformatted, cells] = [false, 0, 0]
  const owe = (lines: number): void => {
    breaks = Math.max(breaks, lines)
    space = false
  }
  const write = (text: string): void => {
    if (parts.length > 0) parts.push(breaks > 0 ? '\n'.repeat(breaks) : space ? ' ' : '')
    breaks = 0
    space = false
    parts.push(text)
    length += text.length + 1
  }
  const put = (text: string): void => {
    tables.at(-1)?.table.say(text, breaks > 0 || space)
    write(text)
  }
  return {
    length: () => length,
    open(name: string): void {
      const around = tables.at(-1)?.table
      if (name === 'table') around?.spoil()
      else if (around) inTable(around, name)
      if (name === 'br') breaks = Math.min(2, breaks + 1)
      if (name === 'tr') cells = 0
      if (name === 'td' || name === 'th') cell()
      if (!BLOCKS.has(name)) return
      owe(LINES.has(name) ? 1 : 2)
      if (name === 'table') tables.push({ table: new OpenTable(), from: parts.length })
      if (name === 'pre') preformatted++
      if (HEADING.test(name)) mark(`${'#'.repeat(Number(name[1]))}`)
      if (name === 'li') mark('-')
    },
    say(text: string): void {
      const words = preformatted > 0 ? [text] : text.split(/\s+/)
      for (const [i, word] of words.entries()) {
        if (i > 0) space = true
        if (word !== '') put(word)
      }
    },
    close(name: string): void {
      const around = tables.at(-1)?.table
      if (name === 'td' || name === 'th') around?.endCell()
      if (!BLOCKS.has(name)) return
      if (name === 'table') closeTable()
      else if (!OF_TABLE.has(name)) around?.paragraph()
      owe(LINES.has(name) ? 1 : 2)
      if (name === 'pre') preformatted--
    },
    text: () => parts.join('').trim(),
  }
  /** What was written of a plain table as lines is written as a table. */
  function closeTable(): void {
    const last = tables.pop()
    const made = last?.table.markdown(maxText)
    if (!last || !made) return
    for (const part of parts.splice(last.from)) length -= part === '' ? 0 : part.length + 1
    for (const text of [made.before, made.lines]) {
      owe(2)
      if (text !== '') write(text)
    }
  }
  function mark(sign: string): void {
    write(sign)
    space = true
  }
  function cell(): void {
    space = true
    if (cells++ > 0) mark('|')
  }
}
