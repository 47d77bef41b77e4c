/** Documents as callers see them: always answered by the object, so that what was accepted is visible at once. */
import type { Asker } from '../../../src/core/access/labels'
import type { Json, Placed } from '../../../src/core/graph/types'
import type { DocumentStatus, DocumentView, Page, Quote } from '../../../src/ports'
import type { Ledger } from '../store'
import { newest, type Revision } from './accept'
import { labelsIn, mayRead, readableAfter } from './readable'

export function document(ledger: Ledger, id: string, asker?: Asker): DocumentView | null {
  const latest = newest(ledger, id)
  if (!latest || !mayRead(ledger, id, asker)) return null
  const live = latest.state === 'live' ? latest : liveRevision(ledger, id)
  return { ...view(ledger, latest, live), text: (live ?? latest).text }
}

/** In order of id; the cursor is the last id given. */
export function documents(ledger: Ledger, cursor: string | null, limit: number, asker?: Asker): Page<DocumentView> {
  const ids = readableAfter(ledger, cursor ?? '', limit + 1, asker)
  const data = ids.slice(0, limit).flatMap((id) => {
    const latest = newest(ledger, id)
    return latest ? [view(ledger, latest, latest.state === 'live' ? latest : liveRevision(ledger, id))] : []
  })
  return { data, next_cursor: ids.length > limit ? (ids[limit - 1] ?? null) : null }
}

function liveRevision(ledger: Ledger, id: string): Revision | undefined {
  return ledger.sql.one<Revision>(`SELECT * FROM revision WHERE document = ? AND state = 'live' ORDER BY n DESC LIMIT 1`, id)
}

function view(ledger: Ledger, latest: Revision, live: Revision | undefined): DocumentView {
  const shown = live ?? latest
  return {
    document: shown.document,
    title: shown.title,
    url: shown.url,
    metadata: JSON.parse(shown.metadata) as { [key: string]: Json },
    access: labelsIn(shown.access),
    status: statusOf(ledger, latest),
    content_version: latest.content_version,
    indexed_version: live?.indexed_version ?? 0,
    chunks: (JSON.parse(shown.placed) as Placed[]).length,
    ...(latest.error ? { error: latest.error } : {}),
  }
}

/** queued until its job has begun; indexing until the job owes it nothing; partial if a model could not read some of it. */
function statusOf(ledger: Ledger, latest: Revision): DocumentStatus {
  if (latest.state === 'failed') return 'failed'
  const job = ledger.sql.one<{ phase: string; status: string }>('SELECT phase, status FROM job WHERE n = ?', latest.job)
  if (latest.state === 'staged') return job?.status === 'queued' ? 'queued' : 'indexing'
  if (job && (job.phase === 'staging' || job.phase === 'settling')) return 'indexing'
  return latest.error ? 'partial' : 'ready'
}

/** Is each quote, letter for letter, what the live document says there? */
export function verify(ledger: Ledger, quotes: readonly Quote[]): boolean[] {
  const texts = new Map<string, string>()
  return quotes.map((quote) => {
    const text = texts.get(quote.document) ?? liveRevision(ledger, quote.document)?.text ?? ''
    texts.set(quote.document, text)
    return quote.quote.length > 0 && text.slice(quote.start, quote.end) === quote.quote
  })
}
