/** The metadata in a PDF's information dictionary. */
import type { Dates } from '../core/text/iso-date'
import { datesIn } from '../core/text/said-dates'

export function pdfDates(created: unknown): Dates {
  return datesIn(new Map(typeof created === 'string' ? [['creationdate', created]] : []), 'pdf-info')
}
