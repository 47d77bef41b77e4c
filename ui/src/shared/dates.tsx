/** The dates of a document, if it has any, and their origin. */
import type { Evidence } from '../../../src/client/client'
import { isOver } from '../../../src/core/text/iso-date'

const NAMES = { published_at: 'published', valid_from: 'in force from', valid_until: 'in force until' } as const
const SOURCES: Readonly<Record<string, string>> = {
  given: 'given with the document',
  'front-matter': 'from its front matter',
  'html-meta': 'from the page’s metadata',
  'pdf-info': 'from the PDF’s properties',
  feed: 'from the feed',
}

/** What stands before a date. */
export function nameOfDate(name: keyof typeof NAMES, dates: NonNullable<Evidence['dates']>, now = Date.now()): string {
  return name === 'valid_until' && isOver(dates, now) ? 'was in force until' : NAMES[name]
}

export function DocumentDates({ dates = {} }: { readonly dates?: Evidence['dates'] }) {
  return (
    <>
      {(Object.keys(NAMES) as (keyof typeof NAMES)[]).map((name) => {
        const date = dates[name]
        return (
          date && (
            <span key={name} class="fine" title={SOURCES[date.source]}>
              {nameOfDate(name, dates)} <time dateTime={date.value}>{date.value}</time>
            </span>
          )
        )
      })}
    </>
  )
}
