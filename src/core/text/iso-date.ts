/**
 * Dates of documents: when one was published, and from when until when its content holds. A date is written as in ISO 8601, as far as it is known
 * (`2024`, `2024-05`, `2024-05-01`, `2024-05-01T09:00Z`), and stands for all the time it names. Pure.
 */

export const dateNames = ['published_at', 'valid_from', 'valid_until'] as const
export type DateName = (typeof dateNames)[number]

/** Where a date comes from: from whoever sent the document, or from what the file says about itself. Never from its text. */
export const dateSources = ['given', 'front-matter', 'html-meta', 'pdf-info', 'feed'] as const

export interface SourcedDate {
  readonly value: string
  readonly source: (typeof dateSources)[number]
}

export type Dates = { readonly [name in DateName]?: SourcedDate }

/** Milliseconds since 1970, both included. */
export interface Span {
  readonly start: number
  readonly end: number
}

const FORM = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?)?)?$/
const HOUR = 3_600_000
const MINUTE = 60_000

/** Undefined if it is not a date. A time without a zone is in UTC. */
export function spanOf(text: string): Span | undefined {
  const found = FORM.exec(text)
  if (!found) return undefined
  const [year = 0, month, day, hour, minute, second] = found.slice(1, 7).map((part) => (part === undefined ? undefined : Number(part)))
  const start = timeOf(year, (month ?? 1) - 1, day ?? 1)
  const isThere = (month ?? 1) >= 1 && (month ?? 1) <= 12 && new Date(start).getUTCDate() === (day ?? 1)
  if (!isThere || (hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 60) return undefined
  if (hour !== undefined) {
    const at = start + hour * HOUR + (minute ?? 0) * MINUTE + (second ?? 0) * 1000 - offsetOf(found[7])
    return { start: at, end: at }
  }
  if (day !== undefined) return { start, end: start + 24 * HOUR - 1 }
  return { start, end: (month === undefined ? timeOf(year + 1, 0, 1) : timeOf(year, month, 1)) - 1 }
}

/** `Date.UTC` takes the years 0 to 99 to be in the twentieth century. */
function timeOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day)
}

function offsetOf(zone = 'Z'): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return (zone.startsWith('-') ? -minutes : minutes) * MINUTE
}

const PDF = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?/
const MAIL = /^(?:[A-Z][a-z]{2}, )?(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4})\b/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const LONGEST = 64 // characters in a date, at most

/**
 * A date as files write it (ISO 8601, `D:20240501…` in PDFs, RFC 5322 in feeds), converted to ISO 8601. Undefined for any other form: nothing is
 * guessed.
 */
export function isoDate(written: string): string | undefined {
  const text = written.trim().slice(0, LONGEST)
  if (spanOf(text)) return text
  const mail = MAIL.exec(text)
  const pdf = PDF.exec(text)
  const parts = mail ? [mail[3], MONTHS.indexOf(mail[2] ?? '') + 1, mail[1]] : (pdf?.slice(1, 4) ?? [])
  const iso = parts
    .filter((part) => part !== undefined)
    .map((part, i) => String(part).padStart(i === 0 ? 4 : 2, '0'))
    .join('-')
  return spanOf(iso) ? iso : undefined
}

/** A document's dates in a form to compare. Absent: nothing is known. */
export interface DatedSpan {
  readonly published?: number | undefined
  readonly from?: number | undefined
  readonly until?: number | undefined
}

export function datedSpan({ published_at, valid_from, valid_until }: Dates): DatedSpan {
  return {
    published: published_at && spanOf(published_at.value)?.start,
    from: valid_from && spanOf(valid_from.value)?.start,
    until: valid_until && spanOf(valid_until.value)?.end,
  }
}

/** Its last day in force has passed. */
export function isOver({ valid_until }: { readonly valid_until?: { readonly value: string } | undefined }, now: number): boolean {
  const until = valid_until && spanOf(valid_until.value)
  return until !== undefined && until.end < now
}

/** What a question asks for. */
export interface Period {
  /** In force at that time. */
  readonly asOf?: Span
  /** Published then or later. */
  readonly since?: number
  /** Published then or earlier. */
  readonly until?: number
}

/** If nothing says from when it was in force, that is from its publication; without dates it always was. `since` and `until` need a date of publication. */
export function isWithin({ published, from = published, until }: DatedSpan, period: Period): boolean {
  const { asOf } = period
  if (asOf && ((from !== undefined && from > asOf.end) || (until !== undefined && until < asOf.start))) return false
  if (period.since === undefined && period.until === undefined) return true
  return published !== undefined && published >= (period.since ?? published) && published <= (period.until ?? published)
}

const HALF_LIFE = 365 * 24 * HOUR // in which a published document loses half of its freshness

/** 1 for new, 0 for very old; a document without a date of publication counts as one that is a half-life old. */
export function freshnessOf({ published }: DatedSpan, now: number): number {
  return published === undefined ? 0.5 : 2 ** (-Math.max(0, now - published) / HALF_LIFE)
}
