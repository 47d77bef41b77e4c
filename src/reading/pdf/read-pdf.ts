/**
 * The text of a PDF, page by page, from unpdf (pdf.js without rendering), which is loaded when the first PDF arrives. Pictures are not
 * read: a scanned page contains no text, and is reported. Bounded beforehand (`streams.ts`) and while reading: in pages, characters, parts
 * and, where the clock advances, time.
 */
import { MAX_TEXT, MAX_TITLE } from '../../contract/document-limits'
import type { Dates } from '../../core/text/iso-date'
import { merge, type OutlineEntry } from '../../core/text/outline'
import type { ReadBounds } from '../bounds'
import type { ReadText } from '../html'
import { pdfDates } from '../pdf-info'
import { Unreadable } from '../unreadable'
import { headingsOf } from './bookmarks'
import { pageTexts } from './page-text'
import { drawing } from './scan-pages'
import { examine } from './streams'

const MAX_PAGES = 2000
const MAX_ITEMS = 500_000 // runs of characters, including empty ones
const MAX_PIECES = 30_000 // a page delivers ten or more runs at a time, fewer where a form ends: forms may call each other a billion times
const MAX_TIME = 15_000 // ms for all pages

const PAGE_BREAK = '\n\n'

const newBounds = (): Left => ({ pages: MAX_PAGES, text: MAX_TEXT, items: MAX_ITEMS, pieces: MAX_PIECES, until: Date.now() + MAX_TIME })
const MUCH = Number.POSITIVE_INFINITY
const UNBOUNDED: Left = { pages: MUCH, text: MUCH, items: MUCH, pieces: MUCH, until: MUCH }

const SAID = {
  encrypted: 'This PDF is encrypted. Save it without a password or restrictions.',
  no_text: 'This PDF contains pictures and no text.',
  broken: 'This PDF is broken: no text could be read from it.',
  too_large:
    'This PDF has more pages or text, or takes more work, than can be read at once. Split it, or send it with `loam ingest`, which divides it.',
} as const

const unreadable = (why: keyof typeof SAID): Unreadable => new Unreadable(why, SAID[why])

export async function readPdf(bytes: Uint8Array, { isTrusted }: Pick<ReadBounds, 'isTrusted'>): Promise<ReadText> {
  const { fault, hasFewObjects } = isTrusted ? { fault: null, hasFewObjects: true } : examine(bytes)
  if (fault) throw unreadable(fault === 'unreadable' ? 'broken' : fault)
  const { getDocumentProxy } = await import('unpdf')
  const opened = await getDocumentProxy(bytes.slice(), { verbosity: 0, stopAtErrors: false }).catch((error) => {
    throw whyNot(error)
  })
  try {
    return await textOf(opened, bytes, { left: isTrusted ? UNBOUNDED : newBounds(), hasBookmarks: hasFewObjects })
  } catch (error) {
    throw whyNot(error)
  } finally {
    // Not awaited: the stream never reports an end for the part left unread.
    opened.loadingTask.destroy().catch(() => undefined)
  }
}

function whyNot(error: unknown): Unreadable {
  if (error instanceof Unreadable) return error
  const { name }: { name?: unknown } = typeof error === 'object' && error !== null ? error : {}
  return unreadable(name === 'PasswordException' ? 'encrypted' : 'broken')
}

type Pdf = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>
type Page = Awaited<ReturnType<Pdf['getPage']>>

interface Reading {
  readonly left: Left
  /** They are looked at. */
  readonly hasBookmarks: boolean
}

async function textOf(pdf: Pdf, bytes: Uint8Array, { left, hasBookmarks }: Reading): Promise<ReadText> {
  if (pdf.numPages > left.pages) throw unreadable('too_large')
  const raw: string[] = []
  const blank: Page[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const text = await pageText(page, left)
    if (text === null) throw unreadable('too_large')
    raw.push(text)
    if (text.trim() === '') blank.push(page)
    if (await isLate(left.until)) throw unreadable('too_large')
  }
  const { text, outline } = joined(pageTexts(raw))
  const scans = blank.length > 0 ? drawing(bytes, blank).map(({ pageNumber }) => pageNumber) : []
  if (text === '') throw new Unreadable('no_text', SAID.no_text, pdf.numPages, scans)
  const { title, dates } = await saidBy(pdf)
  const headings = hasBookmarks ? await headingsOf(pdf, text, outline) : []
  return { text, title, outline: merge(outline, headings), scans, ...(Object.keys(dates).length > 0 ? { dates } : {}) }
}

/** Pages without a text are left out. */
function joined(pages: readonly string[]): { readonly text: string; readonly outline: readonly OutlineEntry[] } {
  const outline: OutlineEntry[] = []
  let text = ''
  for (const [at, page] of pages.entries()) {
    const shown = page.trim()
    if (shown === '') continue
    if (text !== '') text += PAGE_BREAK
    outline.push({ start: text.length, page: at + 1 })
    text += shown
  }
  return { text, outline }
}

/** The clock stands still unless something is awaited. */
async function isLate(until: number): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 0))
  return Date.now() > until
}

interface Left {
  readonly pages: number
  text: number
  items: number
  pieces: number
  readonly until: number
}

/** Null: there is more than the bounds allow. The file must then be closed at once: the page would read on without letting a timer run. */
async function pageText(page: Page, left: Left): Promise<string | null> {
  const reader = page.streamTextContent().getReader()
  const parts: string[] = []
  for (;;) {
    const { value, done } = await reader.read()
    if (done) break
    for (const item of value.items) {
      const text = 'str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''
      left.items--
      left.text -= text.length
      parts.push(text)
    }
    left.pieces--
    if (left.items < 0 || left.text < 0 || left.pieces < 0 || Date.now() > left.until) return null
  }
  page.cleanup()
  return parts.join('')
}

/** What the file says about itself. */
async function saidBy(pdf: Pdf): Promise<{ readonly title: string; readonly dates: Dates }> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }))
  const { Title: title, CreationDate: created } = info as { readonly Title?: unknown; readonly CreationDate?: unknown }
  return { title: typeof title === 'string' ? title.trim().slice(0, MAX_TITLE) : '', dates: pdfDates(created) }
}
