/**
 * Events for the endpoints of a corpus, recorded by the transaction that made them true: one delivery for each endpoint that wants the
 * event, to be carried by the queue. Only ids, versions and statuses: no text. Without endpoints this writes nothing.
 */

import type { EventType } from '../../../src/contract/events'
import type { Asker } from '../../../src/core/access/labels'
import { fingerprint } from '../../../src/core/ids'
import { corpusUidOf } from '../../../src/corpus-uid'
import type { CorpusConfig } from '../../../src/ports/corpus'
import type { Sql } from '../../sql'
import { mayRead } from '../access/readable'
import { insertDelivery } from '../tables/delivery'
import { hasActiveEndpoint, type Listener, listActiveEndpoints } from '../tables/endpoint'
import { hasUnfinishedJobs, type JobRow } from '../tables/job'
import { metaKeys, readMeta, readUid } from '../tables/meta'
import { insertReport } from '../tables/report'
import { listAccessOf, listSettledRevisionsOfJob, type SettledRevision } from '../tables/revision'

export interface Announcement {
  readonly type: EventType
  readonly data: { readonly [key: string]: string | number | null }
}

/**
 * Records events. Call this inside the transaction that makes them true. The id is derived from what the event says and when, so that
 * announcing it twice in one moment counts once. A partition reports them to the corpus's own object, which has the endpoints. `mayHear`:
 * whether an endpoint's asker may know of them; by default, whoever may read the document.
 */
export function announce(sql: Sql, now: number, events: readonly Announcement[], mayHear?: (asker: Asker) => boolean): void {
  if (events.length === 0) return
  if (isPartition(sql)) {
    report(sql, now, events)
    return
  }
  const endpoints = listActiveEndpoints(sql)
  if (endpoints.length === 0) return
  const config = readMeta(sql, metaKeys.config) ?? ({} as Partial<CorpusConfig>)
  for (const { type, data } of events) {
    const body = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data: { corpus: config.name, ...data } })
    const event = `evt_${fingerprint(config.uid ?? '', body)}`
    for (const endpoint of endpoints) {
      if (!wants(endpoint, type)) continue
      if (
        mayHear ? !mayHear(endpoint.asker) : typeof data.document === 'string' && !mayRead({ sql, config }, data.document, endpoint.asker)
      )
        continue
      insertDelivery(sql, { id: `dl_${fingerprint(endpoint.id, event)}`, event, endpoint: endpoint.id, type, body, at: now })
    }
  }
}

/** A partition that documents are moved to says nothing: they are not new. */
function report(sql: Sql, at: number, events: readonly Announcement[]): void {
  if (readMeta(sql, metaKeys.arriving)?.isQuiet) return
  for (const { type, data } of events) {
    const accesses = typeof data.document === 'string' ? { accesses: listAccessOf(sql, data.document) } : {}
    insertReport(sql, { kind: 'event', at, type, data, ...accesses })
  }
}

/** Of a partition, the corpus's own object knows whether there are endpoints. */
const hasListeners = (sql: Sql): boolean => hasActiveEndpoint(sql) || isPartition(sql)

function isPartition(sql: Sql): boolean {
  const uid = readUid(sql)
  return uid !== undefined && corpusUidOf(uid) !== uid
}

/**
 * The documents that a job brought have reached their final state: each is ready, partial or failed. A version replaced meanwhile is
 * announced by the job that replaced it.
 */
export function announceDocuments(sql: Sql, now: number, job: Pick<JobRow, 'id' | 'n' | 'kind' | 'progress'>): void {
  if (!job.progress || !(job.kind === 'ingest' || job.kind === 'batch') || !hasListeners(sql)) return
  const rows = listSettledRevisionsOfJob(sql, job.n, job.progress)
  announce(
    sql,
    now,
    rows.map((row) => documentEvent(row, job.id)),
  )
}

/** The code at the beginning of a stored error; nothing that a model said is sent out. */
export function documentEvent(row: SettledRevision, job: string | null): Announcement {
  const status = row.state === 'failed' ? 'failed' : row.error ? 'partial' : 'ready'
  const { document, content_version, indexed_version } = row
  return { type: `document.${status}`, data: { document, status, content_version, indexed_version, ...(job ? { job } : {}) } }
}

/** When the last open job has ended. */
export function announceSettled(sql: Sql, now: number, changed: readonly Pick<JobRow, 'id' | 'phase'>[]): void {
  if (!changed.some((job) => job.phase === 'done') || !hasListeners(sql)) return
  if (hasUnfinishedJobs(sql)) return
  const version = sql.one<{ version: number }>('SELECT version FROM graph_state')?.version ?? 0
  announce(sql, now, [{ type: 'corpus.settled', data: { job: changed.at(-1)?.id ?? null, version } }])
}

/** Is an endpoint subscribed to such events? If not, expensive checks for them are skipped. */
export function isEventWanted(sql: Sql, type: EventType): boolean {
  return isPartition(sql) || listActiveEndpoints(sql).some((endpoint) => wants(endpoint, type))
}

export function countWanting(sql: Sql, type: EventType): number {
  return listActiveEndpoints(sql).filter((endpoint) => wants(endpoint, type)).length
}

const wants = ({ events }: Listener, type: EventType): boolean => events.length === 0 || events.includes(type)
