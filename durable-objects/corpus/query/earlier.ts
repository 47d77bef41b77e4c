/** What statements in the evidence said before versions of their documents changed them, if the corpus keeps that. */
import type { Evidence } from '../../../src/core/evidence'
import type { EarlierStatement } from '../../../src/core/reader/earlier-statements'
import { type RemovedStatement, removedAsked } from '../../../src/core/reader/removed-statements'
import type { Dates } from '../../../src/core/text/iso-date'
import { earlierSince } from '../indexing/earlier-statements'
import type { CorpusContext } from '../store'
import { type EarlierRow, listEarlier, listRemoved } from '../tables/earlier'

const MAX_REMOVED = 120 // rows looked at for a question, the latest: some milliseconds of the object's thread

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
  return [{ ...place, ...saidIn({ before, at, dates }) }]
}

/** For a judge: what versions of the documents shown no longer say about what is asked. It is no evidence, and nobody else is shown it. */
export function removedFor(
  context: Pick<CorpusContext, 'sql' | 'now' | 'config'>,
  question: string,
  evidence: readonly Evidence[],
): { readonly removed?: readonly RemovedStatement[] } {
  const since = earlierSince(context)
  if (since === undefined || !context.config.hasJudge) return {}
  const titles = new Map(evidence.flatMap(({ document, title = '' }) => (document === null ? [] : [[document, title] as const])))
  const rows = listRemoved(context.sql, [...titles.keys()], since, MAX_REMOVED)
  const removed = removedAsked(
    question,
    rows.map((row) => ({ document: row.document, ...saidIn(row) })),
    titles,
  )
  return removed.length > 0 ? { removed } : {}
}

const saidIn = ({ before, at, dates }: Pick<EarlierRow, 'before' | 'at' | 'dates'>) => ({
  quote: before,
  replaced_at: new Date(at).toISOString(),
  ...(dates === '{}' ? {} : { dates: JSON.parse(dates) as Dates }),
})
