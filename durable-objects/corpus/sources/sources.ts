/**
 * Pages that are looked at by schedule. A row holds the schedule, what the site last said of the page, and how often looking has failed in a
 * row; the page itself is an ordinary document. An attempt is named by its number: a report that comes late, or again, changes nothing.
 */
import type { Page } from '../../../src/contract/pages'
import { type Asker, reader } from '../../../src/core/access/labels'
import { backoff } from '../../../src/core/backoff'
import type { Json } from '../../../src/core/graph/types'
import { fingerprint } from '../../../src/core/ids'
import { pageOf } from '../../../src/core/page'
import type { Actor } from '../../../src/ports/audit'
import type { Order } from '../../../src/ports/outbound'
import type { FetchOutcome, SourceInput, SourceOrder, SourceRecord } from '../../../src/ports/sources'
import { labelsIn, mayRead } from '../access/readable'
import { acceptWithAudit } from '../ingest/accept-with-audit'
import type { CorpusContext, Store } from '../store'
import { readNewestRevision } from '../tables/revision'
import {
  beginSourceAttempt,
  countSources,
  deleteSource,
  endSourceAttempt,
  findSource,
  hasSourceFor,
  insertSource,
  listSources,
  requestSource,
  type SourceRow,
} from '../tables/source'

const MAX_SOURCES = 1000
const ATTEMPT_MS = 300_000 // ms an attempt may take
const FIRST_PAUSE = 300_000 // ms after a first failure; then twice as long each time
const DAY = 86_400_000 // ms; the longest pause after failures, unless `every` is longer
const MAX_MISSES = 2 // looks in a row that find nothing

type Seeing = Pick<CorpusContext, 'sql' | 'config'>

const metadataOf = (row: SourceRow) => JSON.parse(row.metadata) as { [key: string]: Json }

function recordOf(row: SourceRow): SourceRecord {
  const { id, url, document, every, created, status, failures, last, seen, changed, due } = row
  const access = JSON.parse(row.access) as string[]
  return {
    id,
    url,
    document,
    every,
    onGone: row.on_gone,
    metadata: metadataOf(row),
    access,
    created,
    status,
    failures,
    last,
    seen,
    changed,
    due,
  }
}

/** Those whose document the asker may read, or might if it were here. By id; the cursor is the last id given. */
export function sources(context: Seeing, cursor: string | null, limit: number, asker?: Asker): Page<SourceRecord> {
  const found: SourceRecord[] = []
  for (let at = cursor ?? ''; found.length <= limit; ) {
    const rows = listSources(context.sql, at, limit + 1)
    found.push(...rows.filter((row) => isShown(context, row, asker)).map(recordOf))
    const last = rows.at(-1)
    if (!last) break
    at = last.id
  }
  return pageOf(found, limit, ({ id }) => id)
}

export function sourceFor(context: Seeing, id: string, asker?: Asker): SourceRecord | null {
  const row = findSource(context.sql, id)
  return row && isShown(context, row, asker) ? recordOf(row) : null
}

function isShown(context: Seeing, row: SourceRow, asker: Asker = []): boolean {
  if (!reader(asker, context.config.defaultAccess)(labelsIn(row.access))) return false
  return readNewestRevision(context.sql, row.document) === undefined || mayRead(context, row.document, asker)
}

export function source(db: Pick<Store, 'sql'>, id: string): SourceRecord | null {
  const row = findSource(db.sql, id)
  return row ? recordOf(row) : null
}

export function addSource(db: Store, input: SourceInput): 'added' | 'taken' | 'too_many' {
  return db.atomically(() => {
    if (hasSourceFor(db.sql, input.document)) return 'taken'
    if (countSources(db.sql) >= MAX_SOURCES) return 'too_many'
    insertSource(db.sql, input, db.now())
    return 'added'
  })
}

export function removeSource(db: Pick<Store, 'sql'>, id: string): boolean {
  const here = findSource(db.sql, id) !== undefined
  deleteSource(db.sql, id)
  return here
}

/** An attempt under way goes on; it is looked at again after it. */
export function refreshSource(db: Pick<Store, 'sql' | 'now'>, id: string): SourceRecord | null {
  requestSource(db.sql, id, db.now())
  return source(db, id)
}

export function claimSource(db: Store, id: string): Order<SourceOrder> {
  return db.atomically(() => {
    const row = findSource(db.sql, id)
    const now = db.now()
    if (!row || row.state === 'idle') return { kind: 'nothing' }
    if (row.due > now) return { kind: 'wait', ms: row.due - now }
    const attempt = row.attempts + 1
    beginSourceAttempt(db.sql, id, attempt, now + ATTEMPT_MS)
    const { url, document, etag, modified, hash } = row
    // Of a document that is not here any more the site must give all of it again.
    const known = hash !== null && readNewestRevision(db.sql, document) ? { etag, modified, hash } : null
    return { kind: 'go', attempt, source: id, url, document, metadata: metadataOf(row), known }
  })
}

/** True where documents were taken in or deleted. */
export function closeSource(context: CorpusContext, id: string, attempt: number, outcome: FetchOutcome): boolean {
  return context.atomically(() => {
    const row = findSource(context.sql, id)
    if (!row || row.attempts !== attempt || row.state !== 'queued') return false
    switch (outcome.kind) {
      case 'unchanged':
        closeAttempt(context, row, { status: 'ok', failures: 0, missing: 0, last: 'unchanged', seen: context.now() }, row.every)
        return false
      case 'fetched':
        return acceptPage(context, row, outcome)
      case 'missing':
        return noteMissing(context, row, outcome.last)
      case 'failed':
        noteFailure(context, row, outcome.last, outcome.retryAfter)
        return false
    }
  })
}

function acceptPage(context: CorpusContext, row: SourceRow, page: FetchOutcome & { readonly kind: 'fetched' }): boolean {
  const events = [fingerprint(row.id, row.attempts)]
  const access = JSON.parse(row.access) as string[]
  const document = { ...page.document, ...(access.length > 0 ? { access } : {}) }
  const accepted = acceptWithAudit(context, byOf(row), { kind: 'ingest', upserts: [document], deletes: [], events })
  if (accepted.kind === 'over_budget' || accepted.kind === 'full') {
    noteFailure(context, row, accepted.kind === 'full' ? fullCode(accepted.what) : 'over_budget', undefined)
    return false
  }
  const { etag, modified, hash } = page
  const fresh = accepted.kind === 'accepted'
  const now = context.now()
  const found = { status: 'ok' as const, failures: 0, missing: 0, last: fresh ? 'changed' : 'unchanged', seen: now, etag, modified, hash }
  closeAttempt(context, row, fresh ? { ...found, changed: now } : found, row.every)
  return fresh
}

const byOf = ({ id }: SourceRow): Actor => ({ key: id, door: 'source' })

const FULL_CODES: { readonly [what: string]: string } = {
  database_bytes: 'database_full',
  storage_bytes: 'storage_full',
  index_vectors: 'index_full',
}
const fullCode = (what: string): string => FULL_CODES[what] ?? 'corpus_full'

/** Once may be an accident. Twice it is gone: the document goes too, if that was asked for, and the page is looked for once a day at most. */
function noteMissing(context: CorpusContext, row: SourceRow, last: string): boolean {
  const times = row.missing + 1
  if (times < MAX_MISSES) {
    closeAttempt(context, row, { status: 'failing', failures: row.failures + 1, missing: times, last }, Math.min(row.every, DAY))
    return false
  }
  closeAttempt(context, row, { status: 'gone', failures: row.failures + 1, missing: times, last, hash: null }, Math.max(row.every, DAY))
  if (row.on_gone !== 'delete' || !readNewestRevision(context.sql, row.document)) return false
  return acceptWithAudit(context, byOf(row), { kind: 'delete', upserts: [], deletes: [row.document] }).kind === 'accepted'
}

function noteFailure(context: CorpusContext, row: SourceRow, last: string, retryAfter = 0): void {
  const pause = Math.min(Math.max(DAY, row.every), Math.max(backoff(row.failures + 1, { first: FIRST_PAUSE }), retryAfter))
  const status = row.status === 'gone' ? 'gone' : 'failing'
  closeAttempt(context, row, { status, failures: row.failures + 1, missing: row.missing, last }, pause)
}

type Change = Pick<SourceRow, 'status' | 'failures' | 'missing' | 'last'> &
  Partial<Pick<SourceRow, 'seen' | 'changed' | 'etag' | 'modified' | 'hash'>>

function closeAttempt({ sql, now }: Pick<CorpusContext, 'sql' | 'now'>, row: SourceRow, change: Change, pause: number): void {
  endSourceAttempt(sql, { ...row, ...change }, now() + pause)
}
