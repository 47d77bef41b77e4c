/** The citations of an answer, as they are listed below it at a terminal. */
import type { Citation, QueryResult } from '../src/client/client'
import { formatLocation } from '../src/client/location'
import { titleOf } from './named-document'
import { clip, field } from './output'
import { formatDates } from './question'

/** A text model's words name their sources by marker; an extract names none, so its sources are numbered in order. */
export function formatCitations(citations: readonly Citation[], generator: QueryResult['generator'] | undefined): string {
  const markers = [...new Set(citations.map(({ marker }) => marker))]
  const numberOf = (marker: number): number => (generator === 'extractive' ? markers.indexOf(marker) + 1 : marker)
  return citations.map((one) => formatCitation(one, numberOf(one.marker))).join('\n')
}

function formatCitation({ start, end, quote, dates, ...place }: Citation, number: number): string {
  const where = field(formatLocation(place)) || `${start}–${end}`
  const link = place.link ? `\n    ${field(place.link)}` : ''
  return `[${number}] ${titleOf(place)}${formatDates(dates)}, ${where}: “${clip(field(quote))}”${link}`
}
