/**
 * The pages of a PDF that have a picture and no text, as a model reads them: each page separately, as that page's text, next to pages that
 * have text. A model's words are marked page by page. A page that could not be read is reported with the reason, and does not affect the
 * others.
 */
import { MAX_TEXT } from '../contract/document-limits'
import { atOnce } from '../core/at-once'
import type { OutlineEntry, WhyUnread } from '../core/text/outline'
import type { Conversion, PageScan, ScannedPicture, ScanPages, SentFile } from '../ports/conversion'
import type { DescribingTerms } from '../ports/object'
import { hashOf, type Unread } from './paid-file'
import { type Seeing, type Seen, seePicture } from './see-picture'

export const MAX_SCANS = 30 // pages in a file: this many are read in about two minutes
const TOGETHER = 4 // pages in parallel, as many as a Worker's parallel calls
const MAX_MS = 240_000 // for all: pages not read by then are reported
/** Reasons that may no longer apply when the file is sent again. */
const PASSING: ReadonlySet<WhyUnread> = new Set(['unavailable', 'over_budget', 'refused', 'loop'])
const PAGE_BREAK = '\n\n'

export interface ScanWish {
  readonly file: SentFile
  readonly found: Conversion
  /** SHA-256 of the file. */
  readonly hash: string
  /** Pages to read. */
  readonly pages: readonly number[]
  readonly terms: DescribingTerms
}

export type PageRead =
  | { readonly page: number; readonly kind: 'read'; readonly text: string; readonly isCut: boolean; readonly hash: string }
  | ({ readonly page: number } & Extract<Seen, { kind: 'unread' }>)

export type OpenScan = (bytes: Uint8Array) => Promise<ScanPages>

export async function readPages(open: OpenScan, seeing: Seeing, { file, pages, terms }: ScanWish): Promise<readonly PageRead[]> {
  const asked = pages.slice(0, MAX_SCANS)
  const beyond = pages.slice(MAX_SCANS).map((page): PageRead => ({ page, kind: 'unread', why: 'limit' }))
  const scan = await open(file.bytes).catch(() => null)
  if (!scan) return [...asked.map((page): PageRead => ({ page, kind: 'unread', why: 'broken' })), ...beyond]
  const admit = atOnce(TOGETHER)
  const timed = { ...seeing, signal: AbortSignal.timeout(MAX_MS) }
  try {
    const read = asked.map((page) => admit(async () => readPage(page, await scan.page(page), { seeing: timed, terms })))
    return [...(await Promise.all(read)), ...beyond]
  } finally {
    scan.close()
  }
}

interface Around {
  readonly seeing: Seeing
  readonly terms: DescribingTerms
}

async function readPage(page: number, scan: PageScan, { seeing, terms }: Around): Promise<PageRead> {
  if (scan.kind === 'unread') return { page, ...scan }
  const hash = await hashOfAll(scan.pictures)
  const known = partMadeOf(terms, hash)
  if (known !== null) return { page, kind: 'read', text: known, isCut: false, hash }
  const seen: Seen[] = []
  for (const picture of scan.pictures) seen.push(await seePicture(seeing, picture, { isPage: true, turned: scan.turned }))
  const read = seen.filter((one) => one.kind === 'read')
  // A picture without text that has another one with it is only the background.
  const failed = seen.find((one) => one.kind === 'unread' && (one.why !== 'blank' || read.length === 0))
  if (failed?.kind === 'unread') return { page, ...failed }
  return { page, kind: 'read', text: read.map(({ text }) => text).join(PAGE_BREAK), isCut: read.some(({ isCut }) => isCut), hash }
}

async function hashOfAll(pictures: readonly ScannedPicture[]): Promise<string> {
  const [first = '', ...others] = await Promise.all(pictures.map(({ bytes }) => hashOf(bytes)))
  return others.length === 0 ? first : hashOf(new TextEncoder().encode([first, ...others].join()))
}

/** What was read on this page before, in a document of which other pages could not be read; null: nothing. */
function partMadeOf({ parts }: DescribingTerms, hash: string): string | null {
  const at = parts?.outline.findIndex(({ described, unread }) => described === hash && unread === undefined) ?? -1
  const [from, to] = [parts?.outline[at]?.start, parts?.outline.slice(at + 1).find(({ page }) => page !== undefined)?.start]
  return at < 0 || !parts || from === undefined ? null : parts.text.slice(from, to ?? parts.text.length).trim()
}

/**
 * Pages with text and pages that were read, in order. If some may be readable when the file is sent again, each has the hash of its own
 * picture, so that the others are not paid for again.
 */
export function joined(
  { found, hash }: Pick<ScanWish, 'found' | 'hash'>,
  read: readonly PageRead[],
): { text: string; outline: OutlineEntry[] } {
  const pages = new Map<number, PageRead | { readonly page: number; readonly kind: 'written'; readonly text: string }>()
  for (const one of writtenIn(found)) pages.set(one.page, one)
  for (const one of read) pages.set(one.page, one)
  const isWhole = read.every((one) => one.kind === 'read' || !PASSING.has(one.why))
  const outline: OutlineEntry[] = []
  let [text, bytes, isMarked] = ['', sizeOf(found.kind === 'converted' ? found.text : ''), false]
  for (const one of [...pages.values()].sort((a, b) => a.page - b.page)) {
    const { page } = one
    const size = one.kind === 'read' ? sizeOf(one.text) : 0
    const why: WhyUnread | null = one.kind === 'unread' ? one.why : bytes + size > MAX_TEXT ? 'limit' : null
    const start = text === '' ? 0 : text.length + PAGE_BREAK.length
    if (one.kind === 'unread' || (one.kind === 'read' && why)) {
      if (why) outline.push({ start: text.length, page, unread: why })
      continue
    }
    const marks = { ...(one.kind === 'read' ? { described: isWhole ? hash : one.hash } : isMarked ? { written: true as const } : {}) }
    outline.push({ start, page, ...marks, ...(one.kind === 'read' && one.isCut ? { unread: 'cut' as const } : {}) })
    text += text === '' ? one.text : `${PAGE_BREAK}${one.text}`
    bytes += size
    isMarked = one.kind === 'read'
  }
  return { text, outline }
}

function writtenIn(found: Conversion): { readonly page: number; readonly kind: 'written'; readonly text: string }[] {
  if (found.kind === 'unreadable') return []
  const entries = (found.outline ?? []).filter((one) => one.page !== undefined)
  return entries.map(({ start, page = 0 }, i) => ({
    page,
    kind: 'written',
    text: found.text.slice(start, entries[i + 1]?.start ?? found.text.length).trim(),
  }))
}

const sizeOf = (text: string): number => new TextEncoder().encode(text).length + PAGE_BREAK.length

const SAID: { readonly [why in WhyUnread]: string } = {
  blank: 'no text was found',
  broken: 'their pictures are broken or cut off',
  too_large: 'their pictures are too large',
  format: 'their pictures are packed as JPEG 2000 or JBIG2, or as a fax in colours of its own',
  pieces: 'they are put together of many pictures',
  refused: 'the model gave no text of them',
  loop: 'the model said the same again and again',
  cut: 'they have more text than the model may write',
  unavailable: 'the model did not answer',
  over_budget: 'the budget does not cover them',
  limit: 'there are more than are read of one file',
}

/** Why nothing in a file was read. */
export function whyNothing(read: readonly Extract<Seen, { kind: 'unread' }>[]): Unread {
  const reasons = [...new Set(read.map(({ why }) => why))]
  const retryAfter = read.find(({ fault }) => fault?.retryAfter !== undefined)?.fault?.retryAfter
  const detail = `Nothing of this file could be read: ${reasons.map((why) => SAID[why]).join('; ')}.`
  if (reasons.includes('unavailable'))
    return { kind: 'unreadable', why: 'unavailable', detail, ...(retryAfter === undefined ? {} : { retryAfter }) }
  if (reasons.includes('over_budget')) return { kind: 'unreadable', why: 'over_budget', detail }
  return { kind: 'unreadable', why: reasons.every((why) => why === 'too_large') ? 'too_large' : 'broken', detail }
}
