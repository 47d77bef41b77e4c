/** Dates of documents for a question: every channel and walk sees only those in its period, and the dates shown with them. */
import { type Sight, seesBeneath } from '../../../src/core/access/sight'
import type { Evidence } from '../../../src/core/evidence'
import type { GraphReader } from '../../../src/core/graph/reader'
import { type DatedSpan, type Dates, isWithin, type Period } from '../../../src/core/text/iso-date'
import type { Sql } from '../../sql'
import { listDated, listPublished, readDated } from '../tables/dated'

const MAX_BENEATH = 200 // chunks beneath a summary or report up to which all are checked; one with more is not shown if a period is given

/** Each document is looked up once per question. */
export function datesReader(sql: Sql): (document: string) => DatedSpan {
  const known = new Map<string, DatedSpan>()
  return (document) => {
    const before = known.get(document)
    if (before) return before
    const row = readDated(sql, document)
    const span = row
      ? { published: row.published ?? undefined, from: row.valid_from ?? undefined, until: row.valid_until ?? undefined }
      : {}
    known.set(document, span)
    return span
  }
}

/** The part of a sight that lies in the period. Anything written from several documents is shown if all of them do. */
export function sightWithin(graph: GraphReader, sight: Sight | undefined, period: Period, dates: (document: string) => DatedSpan): Sight {
  const sees = (document: string): boolean => (sight?.document(document) ?? true) && isWithin(dates(document), period)
  const known = new Map<string, boolean>()
  const chunk = (id: string): boolean => {
    const before = known.get(id)
    if (before !== undefined) return before
    const seen = graph.placements(id).some((place) => sees(place.document))
    known.set(id, seen)
    return seen
  }
  return {
    document: sees,
    chunk,
    derived(node) {
      if (sight && !sight.derived(node)) return false
      let left = MAX_BENEATH
      return seesBeneath(graph, node, (id) => left-- > 0 && chunk(id))
    },
  }
}

/** The documents of a period, if they are few enough; undefined if there are more, or nothing says when they were published. */
export function documentsWithin(
  sql: Sql,
  { since, until }: Period,
  sees: (document: string) => boolean,
  max: number,
): readonly string[] | undefined {
  if (since === undefined && until === undefined) return undefined
  const found = listPublished(sql, since ?? Number.MIN_SAFE_INTEGER, until ?? Number.MAX_SAFE_INTEGER, max + 1)
  return found.length > max ? undefined : found.filter(sees)
}

/** With the dates of the documents it comes from. */
export function withDates(sql: Sql, evidence: readonly Evidence[]): readonly Evidence[] {
  const documents = [...new Set(evidence.flatMap((one) => one.document ?? []))]
  const rows = documents.length > 0 ? listDated(sql, documents) : []
  if (rows.length === 0) return evidence
  const dates = new Map(rows.map((row) => [row.document, JSON.parse(row.dates) as Dates]))
  return evidence.map((one) => {
    const own = one.document === null ? undefined : dates.get(one.document)
    return own ? { ...one, dates: own } : one
  })
}
