/**
 * Where the parts of a document begin in its text: pages, slides, cells, lines and seconds of the file it was read from, which only the reader of
 * the file knows, and headings, which stand in the text itself. They tell where a passage or a citation stands (`locationOf`). Kept beside the
 * document's version, one list for each; chunks and passages know nothing of it.
 */

/**
 * Why a page of a scan has no text, or only part of it. blank: the model found none · broken, too_large, format, pieces: its picture could not be
 * extracted whole, has too many bytes or points, is packed in a way that is not read, or is one of many · refused, loop: the model's reply is not
 * the page's text · cut: it has more text than the model may write · unavailable: the model did not answer · over_budget · limit: the file has more
 * pages than are read
 */
export const unreadReasons = [
  'blank',
  'broken',
  'too_large',
  'format',
  'pieces',
  'refused',
  'loop',
  'cut',
  'unavailable',
  'over_budget',
  'limit',
] as const
export type WhyUnread = (typeof unreadReasons)[number]

export interface OutlineEntry {
  /** UTF-16 offset in the document's text. What an entry says holds from here until the next entry that says otherwise. */
  readonly start: number
  /** Page of a PDF, from 1 on. */
  readonly page?: number | undefined
  readonly slide?: number | undefined
  /** A range of a sheet (`A2:D21`), or the number of a notebook's cell. */
  readonly cells?: string | undefined
  /** Number of the line that begins here; from here on the text has the file's line breaks. */
  readonly line?: number | undefined
  /** Time in a recording, from its beginning. */
  readonly seconds?: number | undefined
  readonly heading?: string | undefined
  /** Level of the heading, 1 to 6; 1 if not given. */
  readonly level?: number | undefined
  /** SHA-256 of the picture or scan (if pages are missing, of the page's picture) that a model describes in what follows: nobody wrote that. */
  readonly described?: string | undefined
  /** From here on the text is the file's own again. */
  readonly written?: true | undefined
  /** Why a page that a model was to read has no text. */
  readonly unread?: WhyUnread | undefined
}

export type Outline = readonly OutlineEntry[]

/** Where a text is in the file its document was read from. */
export interface Location {
  readonly page?: number
  readonly slide?: number
  /** The headings above it, outermost first. */
  readonly section?: readonly string[]
  readonly cells?: string
  readonly line?: number
  readonly seconds?: number
  /** It is a model's description of a picture or a scan, and in no file. */
  readonly described?: true
  /** The document's URL with the place in it, if the place can be given. */
  readonly link?: string
}

export const MAX_OUTLINE = 5000 // entries in a document's outline, at most
const MAX_HEADING = 200 // characters
const LEVELS = 6

// ---------------------------------------------------------------- headings of a text

const ATX = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const UNDERLINE = /^ {0,3}(={3,}|-{3,})[ \t]*$/

/** Headings of Markdown: `# Title`, and underlined titles. Those in fenced code do not count. Time is linear in the text. */
export function headingsIn(text: string): Outline {
  const found: OutlineEntry[] = []
  let fence = ''
  let before = '' // the line before, if it could be an underlined title
  let isAfterBlank = true
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at)
    const end = next < 0 ? text.length : next
    const line = text.slice(at, Math.min(end, at + MAX_HEADING * 2))
    const mark = FENCE.exec(line)?.[1] ?? ''
    if (fence !== '') {
      if (mark[0] === fence[0] && mark.length >= fence.length) fence = ''
      before = ''
    } else if (mark !== '') {
      fence = mark
      before = ''
    } else {
      const atx = ATX.exec(line)
      const underline = before === '' ? null : UNDERLINE.exec(line)
      if (atx) add(found, at, plainHeading(atx[2] ?? ''), (atx[1] ?? '').length)
      else if (underline) add(found, at - before.length - 1, plainHeading(before), underline[1]?.[0] === '=' ? 1 : 2)
      const isText = !atx && !underline && /^ {0,3}[^\s|>*+-]/.test(line)
      before = isText && isAfterBlank && end - at <= MAX_HEADING ? text.slice(at, end) : ''
    }
    isAfterBlank = line.trim() === ''
    at = end + 1
  }
  return bounded(found)
}

function add(found: OutlineEntry[], start: number, heading: string, level: number): void {
  if (heading !== '') found.push({ start, heading, level })
}

/** As a reader sees it: without the marks of links, emphasis and code. */
function plainHeading(markdown: string): string {
  return markdown
    .replace(/[ \t]#+[ \t]*$/, '')
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/\{#[^}]*\}\s*$/, '')
    .replace(/[`*]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_HEADING)
}

/** If there are too many, the deepest are left out. */
function bounded(entries: OutlineEntry[]): OutlineEntry[] {
  let kept = entries
  for (let level = LEVELS; kept.length > MAX_OUTLINE && level > 1; level--) kept = kept.filter((one) => (one.level ?? 1) < level)
  return kept.slice(0, MAX_OUTLINE)
}

// ---------------------------------------------------------------- the whole outline

/**
 * What the text adds to what the reader of the file said: headings, if the reader named none and the text is not code; and, if lines are counted,
 * the line at each of `starts`, where chunks begin, so that lines within a chunk need only be counted in that chunk.
 */
export function foundIn(text: string, given: Outline, starts: readonly number[]): Outline {
  const lines = given.filter((one) => one.line !== undefined).sort(byStart)
  if (lines.length > 0) return linesAt(text, lines, starts)
  return given.some((one) => one.heading !== undefined) ? [] : headingsIn(text)
}

/** In the order of the text. */
export function merge(...outlines: readonly Outline[]): Outline {
  return outlines.flat().sort(byStart)
}

const byStart = (a: OutlineEntry, b: OutlineEntry): number => a.start - b.start

function linesAt(text: string, lines: Outline, starts: readonly number[]): Outline {
  const found: OutlineEntry[] = []
  let [at, line, i] = [0, 0, 0]
  const advance = (to: number): void => {
    line += lineBreaks(text.slice(at, to))
    at = to
  }
  for (const start of [...starts].sort((a, b) => a - b)) {
    for (let next = lines[i]; next && next.start <= start; next = lines[++i]) {
      at = next.start
      line = next.line ?? line
    }
    if (i === 0) continue
    advance(start)
    found.push({ start, line })
  }
  return found
}

function lineBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

// ---------------------------------------------------------------- where a text stands

interface Placed {
  readonly start: number
  readonly end: number
  readonly url?: string | null | undefined
  /** The document's text between two offsets, as far as it is available. */
  readonly between?: (from: number, to: number) => string
}

/** An empty object: nothing is known. */
export function locationOf(outline: Outline, { start, end, url, between }: Placed): Location {
  const now: { -readonly [key in keyof Location]: Location[key] } = {}
  const headings: (OutlineEntry | undefined)[] = []
  let counted: OutlineEntry | undefined
  let isPast = false // past a heading inside the text: cells before and after it are not one range
  for (const entry of outline) {
    if (entry.start > start) {
      if (entry.start >= end) break
      if (entry.described !== undefined) now.described = true // at least a part of it is
      isPast ||= entry.heading !== undefined
      if (isPast) continue
      if (entry.cells !== undefined && now.cells !== undefined) now.cells = joined(now.cells, entry.cells)
      continue
    }
    if (entry.heading !== undefined) {
      const level = entry.level ?? 1
      headings.length = level
      headings[level - 1] = entry
    }
    if (entry.page !== undefined) now.page = entry.page
    if (entry.slide !== undefined) now.slide = entry.slide
    if (entry.cells !== undefined) now.cells = entry.cells
    if (entry.seconds !== undefined) now.seconds = entry.seconds
    if (entry.line !== undefined) counted = entry
    if (entry.described !== undefined) now.described = true
    if (entry.written) delete now.described
  }
  const section = [...headings].flatMap((one) => one?.heading ?? [])
  if (section.length > 0) now.section = section
  if (counted?.line !== undefined) now.line = counted.line + lineBreaks(between?.(counted.start, start) ?? '')
  const link = url ? linkTo(url, now) : undefined
  return link === undefined ? now : { ...now, link }
}

/** `A2:D21` and `A22:D40` are `A2:D40`. */
function joined(first: string, last: string): string {
  const from = first.split(':')[0]
  const to = last.split(':')[1]
  return from && to ? `${from}:${to}` : first
}

/** As browsers and GitHub open it: `#page=7`, `#t=83`, `#L12`. Undefined if the place cannot be given, or the URL names one already. */
function linkTo(url: string, { page, seconds, line }: Location): string | undefined {
  if (!/^https?:/.test(url) || url.includes('#')) return undefined
  if (page !== undefined) return `${url}#page=${page}`
  if (seconds !== undefined) return `${url}#t=${Math.floor(seconds)}`
  if (line !== undefined && /^https:\/\/github\.com\/[^/]+\/[^/]+\/blob\//.test(url)) return `${url}#L${line}`
  return undefined
}
