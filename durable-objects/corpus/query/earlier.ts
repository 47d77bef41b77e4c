/** What statements in the evidence said before versions of their documents changed them, if the corpus keeps that. */
import type { Evidence } from '../../../src/core/evidence'
import type { EarlierStatement } from '../../../src/core/reader/earlier-statements'
import type { Dates } from '../../../src/core/text/iso-date'
import { earlierSince } from '../indexing/earlier-statements'
import type { CorpusContext } from '../store'
import { type EarlierRow, listEarlier } from '../tables/earlier'

/** One lookup for all documents shown; none if nothing is kept. */
export function withEarlier(context: Pick<CorpusContext, 'sql' | 'now' | 'config'>, evidence: readonly Evidence[]): readonly Evidence[] {
  const since = earlierSince(context)
  if (since === undefined) return evidence
  const documents = [...new Set(evidence.flatMap((one) => one.document ?? []))]
  const rows = listEarlier(context.sql, documents, since)
  if (rows.length === 0) return evidence
  return evidence.map((one) => {
    const earlier = rows.flatMap((row) => (row.document === one.document ? earlierIn(one, row) : []))
    return earlier.length > 0 ? { ...one, earlier } : one
  })
}

function earlierIn({ text, start }: Evidence, { now, before, at, dates }: EarlierRow): EarlierStatement[] {
  const found = text.indexOf(now)
  if (found < 0 || start === null) return []
  const place = { start: start + found, end: start + found + now.length }
  const said = { quote: before, replaced_at: new Date(at).toISOString() }
  return [{ ...place, ...said, ...(dates === '{}' ? {} : { dates: JSON.parse(dates) as Dates }) }]
}
