/**
 * The text of a PDF, page after page, by unpdf (pdf.js without what draws), which is loaded when the first one comes. Pictures are not read: a
 * scanned page holds no text. Bounded before (`streams.ts`) and while it reads, in pages, characters, parts and, where the clock moves, in time.
 */
import { MAX_TEXT, MAX_TITLE } from '../../contract/document-limits'
import type { Dates } from '../../core/text/iso-date'
import type { OutlineEntry } from '../../core/text/outline'
import type { Conversion } from '../../ports/conversion'
import { pdfDates } from '../pdf-info'
import { pdfFault } from './streams'

const MAX_PAGES = 2000
const MAX_ITEMS = 500_000 // runs of characters, empty ones included
const MAX_PIECES = 30_000 // a page hands out ten runs or more at a time, and less where a form ends: forms may call each other a billion times
const MAX_TIME = 15_000 // ms for all pages

const PAGE_BREAK = '\n\n'

const newBounds = (): Left => ({ pages: MAX_PAGES, text: MAX_TEXT, items: MAX_ITEMS, pieces: MAX_PIECES, until: Date.now() + MAX_TIME })
const MUCH = Number.POSITIVE_INFINITY
const UNBOUNDED: Left = { pages: MUCH, text: MUCH, items: MUCH, pieces: MUCH, until: MUCH }

type Unreadable = Extract<Conversion, { kind: 'unreadable' }>
const unreadable = (why: Unreadable['why']): Unreadable => ({ kind: 'unreadable', why })

/** `isBounded: false`: on a machine of one's own a file may take what it takes. */
export async function readPdf({
  bytes,
  isBounded = true,
}: {
  readonly bytes: Uint8Array
  readonly isBounded?: boolean
}): Promise<Conversion> {
  const fault = isBounded ? pdfFault(bytes) : null
  if (fault) return unreadable(fault === 'unreadable' ? 'broken' : fault)
  const { getDocumentProxy } = await import('unpdf')
  const opened = await getDocumentProxy(bytes.slice(), { verbosity: 0, stopAtErrors: false }).catch(whyNot)
  if ('kind' in opened) return opened
  try {
    return await textOf(opened, isBounded ? newBounds() : UNBOUNDED)
  } catch (error) {
    return whyNot(error)
  } finally {
    // Not waited for: what was left unread never says that it has ended.
    opened.loadingTask.destroy().catch(() => undefined)
  }
}

/** Whatever a library throws over a stranger's file is the file's fault. Its message may quote it, so it is not passed on. */
function whyNot(error: unknown): Unreadable {
  const { name }: { name?: unknown } = typeof error === 'object' && error !== null ? error : {}
  return unreadable(name === 'PasswordException' ? 'encrypted' : 'broken')
}

type Pdf = Awaited<ReturnType<typeof import('unpdf').getDocumentProxy>>

async function textOf(pdf: Pdf, left: Left): Promise<Conversion> {
  if (pdf.numPages > left.pages) return unreadable('too_large')
  const pages: string[] = []
  const outline: OutlineEntry[] = []
  let length = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    const text = await pageText(await pdf.getPage(number), left)
    if (text === null) return unreadable('too_large')
    const shown = text.trim()
    if (shown !== '') {
      outline.push({ start: length, page: number })
      pages.push(shown)
      length += shown.length + PAGE_BREAK.length
    }
    if (await isLate(left.until)) return unreadable('too_large')
  }
  const text = pages.join(PAGE_BREAK)
  return text === '' ? unreadable('no_text') : { kind: 'converted', text, ...(await saidBy(pdf)), outline }
}

/** The clock stands still while nothing is waited for. */
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

/** Null: more than is left. Then the file is to be closed at once: the page reads on by itself, and lets no timer in. */
async function pageText(page: Awaited<ReturnType<Pdf['getPage']>>, left: Left): Promise<string | null> {
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

/** What the file says of itself. */
async function saidBy(pdf: Pdf): Promise<{ readonly title: string; readonly dates: Dates }> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }))
  const { Title: title, CreationDate: created } = info as { readonly Title?: unknown; readonly CreationDate?: unknown }
  return { title: typeof title === 'string' ? title.trim().slice(0, MAX_TITLE) : '', dates: pdfDates(created) }
}
