/**
 * Endpoints and what they must still be sent. A row is the truth about its delivery; a message in the queue is only its name. An attempt is
 * counted when it begins and holds the delivery for a while, so that two messages about one delivery do not both send it, and an attempt
 * whose worker died is repeated.
 */
import type { DeliveryStatus } from '../../../src/contract/endpoints'
import type { Page } from '../../../src/contract/pages'
import { backoff } from '../../../src/core/backoff'
import { fingerprint } from '../../../src/core/ids'
import { pageOf } from '../../../src/core/page'
import type { DeliveryOrder, DeliveryOutcome, DeliveryView, EndpointRecord, Secrets } from '../../../src/ports/deliveries'
import type { Order } from '../../../src/ports/outbound'
import type { SealedSecrets } from '../../../src/ports/reseal'
import type { Store } from '../store'
import {
  beginDeliveryAttempt,
  type DeliveryRow,
  type DeliveryState,
  deleteDeliveriesOf,
  endDeliveryAttempt,
  findDelivery,
  listDeliveries,
  markDeliveryDead,
  resetDelivery,
} from '../tables/delivery'
import {
  countEndpoints,
  deleteEndpoint,
  endpointTarget,
  hasEndpoint,
  insertEndpoint,
  listEndpoints,
  replaceEndpointSecrets,
  updateEndpointSecrets,
  updateEndpointStatus,
} from '../tables/endpoint'
import { listSourceSecrets, replaceSourceSecrets } from '../tables/source'

const MAX_ENDPOINTS = 20 // each event is a row for each of them
export const MAX_ATTEMPTS = 11 // with the pauses below, the last is about 27 hours after the first
const FIRST_PAUSE = 10_000 // ms before the second attempt; then three times as long each time
const MAX_PAUSE = 6 * 3_600_000 // ms between two attempts
const SPREAD = 0.2 // of a pause, so that many deliveries that failed together are not retried together
const ATTEMPT_MS = 60_000 // ms that an attempt may take; longer than all its timeouts together

type Db = Pick<Store, 'sql' | 'now' | 'atomically'>

export function endpoints({ sql }: Pick<Store, 'sql'>): EndpointRecord[] {
  return listEndpoints(sql)
}

export function addEndpoint(db: Db, endpoint: EndpointRecord): boolean {
  return db.atomically(() => {
    if (countEndpoints(db.sql) >= MAX_ENDPOINTS) return false
    insertEndpoint(db.sql, endpoint)
    return true
  })
}

export function renewEndpoint(db: Db, id: string, secrets: Secrets): boolean {
  updateEndpointSecrets(db.sql, id, secrets)
  return hasEndpoint(db.sql, id)
}

export function endpointSecrets({ sql }: Pick<Store, 'sql'>): SealedSecrets[] {
  return [...listEndpoints(sql).map(({ id, secrets }) => ({ id, secrets })), ...listSourceSecrets(sql)]
}

export function replaceSecrets({ sql }: Pick<Store, 'sql'>, id: string, before: Secrets, after: Secrets): boolean {
  return replaceEndpointSecrets(sql, id, before, after) || replaceSourceSecrets(sql, id, before, after)
}

export function removeEndpoint(db: Db, id: string): boolean {
  return db.atomically(() => {
    const here = hasEndpoint(db.sql, id)
    deleteEndpoint(db.sql, id)
    deleteDeliveriesOf(db.sql, id)
    return here
  })
}

const STATES: { readonly [status in DeliveryStatus]: readonly DeliveryState[] } = {
  pending: ['new', 'queued'],
  delivered: ['delivered'],
  dead: ['dead'],
}

/** Newest first; the cursor is the last delivery's number. */
export function deliveries(
  { sql }: Pick<Store, 'sql'>,
  endpoint: string,
  status: DeliveryStatus | null,
  cursor: string | null,
  limit: number,
): Page<DeliveryView> {
  const before = cursor && /^\d+$/.test(cursor) ? Number(cursor) : Number.MAX_SAFE_INTEGER
  const states = status ? STATES[status] : Object.values(STATES).flat()
  const rows = listDeliveries(sql, { endpoint, before, states, limit: limit + 1 })
  const { data, next_cursor } = pageOf(rows, limit, ({ n }) => String(n))
  return { data: data.map(viewOf), next_cursor }
}

function viewOf({ id, endpoint, event, type, state, attempts, at, due, last }: DeliveryRow): DeliveryView {
  const status = state === 'delivered' || state === 'dead' ? state : 'pending'
  return { delivery: id, endpoint, event, type, status, attempts, created: at, due, last }
}

export function redeliver(db: Db, id: string): DeliveryView | null {
  return db.atomically(() => {
    resetDelivery(db.sql, id, db.now())
    const row = findDelivery(db.sql, id)
    if (!row) return null
    updateEndpointStatus(db.sql, row.endpoint, 'active')
    return viewOf(row)
  })
}

export function claimDelivery(db: Db, id: string): Order<DeliveryOrder> {
  return db.atomically(() => {
    const { sql } = db
    const now = db.now()
    const row = findDelivery(db.sql, id)
    const endpoint = row && endpointTarget(sql, row.endpoint)
    if (!row || !endpoint || row.state === 'delivered' || row.state === 'dead') return { kind: 'nothing' }
    if (row.due > now) return { kind: 'wait', ms: row.due - now }
    if (row.attempts >= MAX_ATTEMPTS) {
      markDeliveryDead(sql, row.n) // the worker of its last attempt died
      return { kind: 'nothing' }
    }
    const attempt = row.attempts + 1
    beginDeliveryAttempt(sql, row.n, attempt, now + ATTEMPT_MS)
    return { kind: 'go', attempt, endpoint: row.endpoint, event: row.event, url: endpoint.url, secrets: endpoint.secrets, body: row.body }
  })
}

export function closeDelivery(db: Db, id: string, attempt: number, outcome: DeliveryOutcome): number | null {
  return db.atomically(() => {
    const { sql } = db
    const row = findDelivery(db.sql, id)
    if (!row || row.attempts !== attempt || row.state !== 'queued') return null
    if (outcome.kind === 'gone') updateEndpointStatus(sql, row.endpoint, 'gone')
    const again = outcome.kind === 'failed' && attempt < MAX_ATTEMPTS
    const pause = again ? pauseAfter(attempt, id, outcome.retryAfter) : 0
    const state = again ? 'queued' : outcome.kind === 'delivered' ? 'delivered' : 'dead'
    endDeliveryAttempt(sql, { n: row.n, state, last: outcome.last, due: db.now() + pause })
    return again ? pause : null
  })
}

/** Milliseconds: 10 s, 30 s, 90 s, … up to six hours, or what the receiver asked for if that is longer; plus a small random share for each. */
export function pauseAfter(attempt: number, id: string, retryAfter = 0): number {
  const base = Math.min(MAX_PAUSE, Math.max(backoff(attempt, { first: FIRST_PAUSE, max: MAX_PAUSE, factor: 3 }), retryAfter))
  const lot =
    Number.parseInt(
      fingerprint(id, attempt)
        .replace(/[^0-9a-zA-Z]/g, '')
        .slice(0, 4),
      36,
    ) /
    36 ** 4
  return Math.round(base * (1 + SPREAD * lot))
}
