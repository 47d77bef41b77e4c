/**
 * What is checked on a schedule. A row holds the schedule, what the site last said, and how often checking has failed in a row; the
 * documents it brings are ordinary ones. An attempt is identified by its number: a late or repeated report changes nothing.
 */
import type { Page } from '../../../src/contract/pages'
import { type Asker, reader } from '../../../src/core/access/labels'
import type { Json } from '../../../src/core/graph/types'
import { pageOf } from '../../../src/core/page'
import type { Order } from '../../../src/ports/outbound'
import type {
  AskedFor,
  ItemRecord,
  ItemsPage,
  PlannedDocuments,
  SourceInput,
  SourceOrder,
  SourceOutcome,
  SourceRecord,
  Took,
} from '../../../src/ports/sources'
import { lookThrough } from '../access/look-through'
import { labelsIn, mayRead, readsAll } from '../access/readable'
import type { CorpusContext, Store } from '../store'
import { readNewestRevision } from '../tables/revision'
import {
  beginSourceAttempt,
  countSources,
  deleteSource,
  findSource,
  hasSourceFor,
  insertSource,
  listSources,
  markSourceAnswered,
  markSourceRemoving,
  renewSourceAttempt,
  requestSource,
  requestSourceLater,
  type SourceRow,
  updateSourceSecrets,
} from '../tables/source'
import {
  deleteSourceItems,
  findSourceItem,
  hasItemFor,
  type ItemAccess,
  type ItemCounts,
  listItemAccess,
  markAllLeaving,
  type SourceItemRow,
} from '../tables/source-item'
import { deleteDocuments } from './attempt'
import { closeListing, closeLooks, collectionOrder, documentsIn, optionsOf } from './collection'
import { noteObjects } from './objects'
import { closePage } from './page'

const MAX_SOURCES = 1000
const ATTEMPT_MS = 300_000 // ms that an attempt may take

type Seeing = Pick<CorpusContext, 'sql' | 'config'>

const metadataOf = (row: SourceRow) => JSON.parse(row.metadata) as { [key: string]: Json }

function recordOf(row: SourceRow): SourceRecord {
  const { id, kind, url, document, every, created, status, failures, last, seen, changed, due } = row
  return {
    id,
    kind,
    url,
    document,
    every,
    onGone: row.on_gone,
    goneAfter: row.gone_after,
    options: optionsOf(row),
    metadata: metadataOf(row),
    access: JSON.parse(row.access) as string[],
    created,
    status,
    failures,
    last,
    credential: row.is_locked === 0 ? null : row.secrets === '[]' ? 'missing' : 'set',
    items: row.counts === null ? null : (JSON.parse(row.counts) as ItemCounts),
    seen,
    changed,
    due,
  }
}

/** Sources whose document the asker may read, or could if it were here. By id; the cursor is the last id returned. */
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
  return isDocumentShown(context, row.document, asker)
}

export function source(db: Pick<Store, 'sql'>, id: string): SourceRecord | null {
  const row = findSource(db.sql, id)
  return row ? recordOf(row) : null
}

export function addSource(db: Store, input: SourceInput): 'added' | 'taken' | 'too_many' {
  return db.atomically(() => {
    if (hasSourceFor(db.sql, input.document) || hasItemFor(db.sql, input.document)) return 'taken'
    if (countSources(db.sql) >= MAX_SOURCES) return 'too_many'
    insertSource(db.sql, input, db.now())
    return 'added'
  })
}

/** Its documents stay; or are deleted a few at a time, including those of a source of many documents. */
export function removeSource(context: CorpusContext, id: string, documents: 'keep' | 'delete'): 'removed' | 'removing' | null {
  return context.atomically(() => {
    const row = findSource(context.sql, id)
    if (!row) return null
    if (documents === 'delete' && row.kind !== 'page') {
      markAllLeaving(context.sql, id)
      markSourceRemoving(context.sql, id, context.now())
      return 'removing'
    }
    if (documents === 'delete' && readNewestRevision(context.sql, row.document)) deleteDocuments(context, row, [row.document])
    deleteSourceItems(context.sql, id)
    deleteSource(context.sql, id)
    return 'removed'
  })
}

/**
 * Items whose document the asker may read, or could if it were here. By name; the cursor is the name after which it continues, which may be
 * one that they cannot see.
 */
export function sourceItems(context: Seeing, id: string, { status, cursor, limit }: ItemsPage, asker: Asker = []): Page<ItemRecord> {
  const reads = readsAll(context, asker)
  const list = {
    behind: (after: string, most: number) => listItemAccess(context.sql, id, { status, after, limit: most }),
    isShown: ({ fits, accesses }: ItemAccess) => fits === 1 && (accesses === null || reads(accesses)),
    placeOf: ({ key }: ItemAccess) => key,
  }
  const { rows, next } = lookThrough(list, cursor ?? '', limit)
  return { data: rows.flatMap(({ key }) => findSourceItem(context.sql, id, key) ?? []).map(itemOf), next_cursor: next }
}

const isDocumentShown = (context: Seeing, document: string, asker: Asker): boolean =>
  readNewestRevision(context.sql, document) === undefined || mayRead(context, document, asker)

function itemOf({ key, document, state, due, failures, missing, last, seen }: SourceItemRow): ItemRecord {
  const status = state !== 'here' ? 'gone' : missing > 0 ? 'missing' : failures > 0 ? 'failing' : due === null ? 'ok' : 'waiting'
  return { item: key, document, status, failures, last, seen, due }
}

/** An attempt in progress continues; another check follows it. */
export function askSource(db: Store, id: string, why: AskedFor): SourceRecord | null {
  return db.atomically(() => {
    const row = findSource(db.sql, id)
    const now = db.now()
    if (!row || (why.kind === 'credential' && row.is_locked === 0)) return row ? recordOf(row) : null
    if (row.status === 'removing') return recordOf(row)
    if (why.kind === 'objects') {
      if (row.kind === 'r2') noteObjects(db, row, why.objects)
      return source(db, id)
    }
    if (why.kind === 'credential') updateSourceSecrets(db.sql, id, why.secrets)
    if (why.kind === 'push' && row.status === 'waiting' && row.due > now) requestSourceLater(db.sql, id, now)
    else requestSource(db.sql, id, now)
    return source(db, id)
  })
}

export function claimSource(db: Store, id: string): Order<SourceOrder> {
  return db.atomically(() => {
    const row = findSource(db.sql, id)
    const now = db.now()
    if (!row || row.state === 'idle') return { kind: 'nothing' }
    if (row.due > now) return { kind: 'wait', ms: row.due - now }
    const attempt = row.attempts + 1
    beginSourceAttempt(db.sql, id, attempt, now + ATTEMPT_MS)
    const go = { kind: 'go', attempt } as const
    if (row.kind !== 'page') {
      const order = collectionOrder(db, row)
      if (order.task === 'list' && order.cursor === null) markSourceAnswered(db.sql, id)
      return { ...go, ...order }
    }
    markSourceAnswered(db.sql, id)
    const { url, document, etag, modified, hash } = row
    // If the document is no longer here, the site must send all of it again.
    const known = hash !== null && readNewestRevision(db.sql, document) ? { etag, modified, hash } : null
    return { ...go, task: 'page', source: id, url, document, metadata: metadataOf(row), known }
  })
}

/** True if documents were accepted or deleted. */
export function closeSource(context: CorpusContext, id: string, attempt: number, outcome: SourceOutcome, took?: Took): boolean {
  return context.atomically(() => {
    const row = underWay(context, id, attempt)
    if (!row) return false
    if (outcome.kind === 'listed') return closeListing(context, row, outcome, took)
    return outcome.kind === 'looked' ? closeLooks(context, row, outcome, took) : closePage(context, row, outcome)
  })
}

function underWay({ sql }: Pick<Store, 'sql'>, id: string, attempt: number): SourceRow | undefined {
  const row = findSource(sql, id)
  return row?.attempts === attempt && row.state === 'queued' ? row : undefined
}

export const provided = ({ sql }: Pick<Store, 'sql'>, documents: readonly string[]): readonly string[] =>
  documents.filter((id) => hasSourceFor(sql, id) || hasItemFor(sql, id))

export function plannedFor(db: Store, id: string, attempt: number, outcome: SourceOutcome): PlannedDocuments | null {
  return db.atomically(() => {
    const row = underWay(db, id, attempt)
    if (!row) return null
    renewSourceAttempt(db.sql, id, db.now() + ATTEMPT_MS)
    const documents = outcome.kind === 'listed' || outcome.kind === 'looked' ? documentsIn(db, row, outcome) : []
    return { documents, access: JSON.parse(row.access) as string[] }
  })
}
