/** What new versions of documents changed, page by page, latest first: of documents that the asker may read, as they are served now. */
import type { Change } from '../../../src/contract/changes'
import type { Asker } from '../../../src/core/access/labels'
import type { Dates } from '../../../src/core/text/iso-date'
import { BEFORE_ALL, type ChangePlace, type ChangesFound, type ChangesRequest } from '../../../src/ports/changes'
import { type Looked, lookThrough } from '../access/look-through'
import { mayRead } from '../access/readable'
import { daysOf, earlierSince } from '../indexing/earlier-statements'
import type { CorpusContext } from '../store'
import { type EarlierRow, pageEarlier } from '../tables/earlier'
import { type Revision, readLiveRevision, readNewestRevision } from '../tables/revision'

type Db = Pick<CorpusContext, 'sql' | 'now' | 'config'>

/** Null: there is no such document for the asker. */
export function listChanges(context: Db, { document, since, after, limit }: ChangesRequest, asker?: Asker): ChangesFound | null {
  if (document !== null && !(readNewestRevision(context.sql, document) && mayRead(context, document, asker))) return null
  const kept = earlierSince(context)
  const place = { document, since: Math.max(since, kept ?? 0), after: after ?? { at: BEFORE_ALL, n: BEFORE_ALL } }
  const { rows, next } = kept === undefined ? { rows: [], next: null } : readable(context, { ...place, limit }, asker)
  return { rows: viewsOf(context, rows), next, days: daysOf(context) }
}

/** For one document, all its changes; for several, those of the documents that the asker may read. */
function readable(context: Db, place: Parameters<typeof pageEarlier>[1], asker: Asker | undefined): Looked<EarlierRow, ChangePlace> {
  const isSure = place.document !== null || asker === 'all'
  const verdicts = new Map<string, boolean>()
  const mayReadIt = (id: string): boolean => {
    const verdict = verdicts.get(id) ?? mayRead(context, id, asker)
    verdicts.set(id, verdict)
    return verdict
  }
  const list = {
    behind: (after: ChangePlace, limit: number) => pageEarlier(context.sql, { ...place, after, limit }),
    isShown: (row: EarlierRow) => isSure || mayReadIt(row.document),
    placeOf,
  }
  return lookThrough(list, place.after, place.limit)
}

const placeOf = ({ at, n }: ChangePlace): ChangePlace => ({ at, n })

/** Each document's text is read once, one document at a time. */
function viewsOf({ sql }: Db, rows: readonly EarlierRow[]): ChangesFound['rows'] {
  const views = new Map<number, Change>()
  for (const [document, own] of Map.groupBy(rows, (row) => row.document)) {
    const live = readLiveRevision(sql, document)
    for (const row of live ? own : []) {
      const view = live && viewOf(live, row)
      if (view) views.set(row.n, view)
    }
  }
  return rows.flatMap(({ at, n }) => {
    const change = views.get(n)
    return change ? [{ place: { at, n }, change }] : []
  })
}

function viewOf(live: Revision, { document, now, before, at, dates, said_in, replaced_in }: EarlierRow): Change | undefined {
  const start = live.text.indexOf(now)
  if (start < 0) return undefined
  return {
    document,
    title: live.title,
    url: live.url,
    active: live.active === 1,
    replaced_at: new Date(at).toISOString(),
    replaced_in,
    earlier: { quote: before, content_version: said_in, ...datesOf(dates) },
    current: { quote: now, start, end: start + now.length, content_version: live.content_version, ...datesOf(live.dates) },
  }
}

const datesOf = (dates: string): { readonly dates?: Dates } => (dates === '{}' ? {} : { dates: JSON.parse(dates) as Dates })
