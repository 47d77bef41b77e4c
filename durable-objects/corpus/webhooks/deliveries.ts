/**
 * Endpoints and what they are still to be told. A row is the truth about its delivery; a message in the queue is only its name. An attempt is
 * counted when it begins and holds the delivery for a while, so that two messages about one delivery do not both send it, and an attempt
 * whose worker died is repeated.
 */
import type { DeliveryStatus, EventType } from '../../../src/contract/endpoints'
import type { Page } from '../../../src/contract/pages'
import { backoff } from '../../../src/core/backoff'
import { fingerprint } from '../../../src/core/ids'
import { pageOf } from '../../../src/core/page'
import type { DeliveryOrder, DeliveryOutcome, DeliveryView, EndpointRecord, Secrets } from '../../../src/ports/deliveries'
import type { Order } from '../../../src/ports/outbound'
import type { SealedSecrets } from '../../../src/ports/reseal'
import type { Store } from '../store'

const MAX_ENDPOINTS = 20 // each event is a row for each of them
export const MAX_ATTEMPTS = 11 // with the pauses below, the last is about 27 hours after the first
const FIRST_PAUSE = 10_000 // ms before the second attempt; then three times as long each time
const MAX_PAUSE = 6 * 3_600_000 // ms between two attempts
const SPREAD = 0.2 // of a pause: many deliveries that failed together do not come back together
const ATTEMPT_MS = 60_000 // ms an attempt may take; longer than any of its timeouts together

type Db = Pick<Store, 'sql' | 'now' | 'atomically'>

interface Row {
  readonly n: number
  readonly id: string
  readonly event: string
  readonly endpoint: string
  readonly type: EventType
  readonly body: string
  readonly state: 'new' | 'queued' | 'delivered' | 'dead'
  readonly attempts: number
  readonly due: number
  readonly at: number
  readonly last: string | null
}

export function endpoints({ sql }: Pick<Store, 'sql'>): EndpointRecord[] {
  return sql.all<{ [key in keyof EndpointRecord]: string & number }>('SELECT * FROM endpoint ORDER BY id').map((row) => ({
    ...row,
    events: JSON.parse(row.events) as EventType[],
    secrets: JSON.parse(row.secrets) as Secrets,
    status: row.status as string as EndpointRecord['status'],
  }))
}

export function addEndpoint(db: Db, { id, url, events, secrets, status, created, asker = 'all' }: EndpointRecord): boolean {
  return db.atomically(() => {
    const { n = 0 } = db.sql.one<{ n: number }>('SELECT count(*) AS n FROM endpoint') ?? {}
    if (n >= MAX_ENDPOINTS) return false
    db.sql.run(
      'INSERT INTO endpoint (id, url, events, secrets, status, created, asker) VALUES (?, ?, ?, ?, ?, ?, ?)',
      id,
      url,
      JSON.stringify(events),
      JSON.stringify(secrets),
      status,
      created,
      JSON.stringify(asker),
    )
    return true
  })
}

export function renewEndpoint(db: Db, id: string, secrets: Secrets): boolean {
  db.sql.run(`UPDATE endpoint SET secrets = ?, status = 'active' WHERE id = ?`, JSON.stringify(secrets), id)
  return db.sql.one('SELECT 1 FROM endpoint WHERE id = ?', id) !== undefined
}

export function endpointSecrets({ sql }: Pick<Store, 'sql'>): SealedSecrets[] {
  const rows = sql.all<{ id: string; secrets: string }>('SELECT id, secrets FROM endpoint ORDER BY id')
  return rows.map(({ id, secrets }) => ({ id, secrets: JSON.parse(secrets) as Secrets }))
}

export function replaceSecrets({ sql }: Pick<Store, 'sql'>, id: string, before: Secrets, after: Secrets): boolean {
  const kept = JSON.stringify(before)
  const is = sql.one('SELECT 1 FROM endpoint WHERE id = ? AND secrets = ?', id, kept) !== undefined
  sql.run('UPDATE endpoint SET secrets = ? WHERE id = ? AND secrets = ?', JSON.stringify(after), id, kept)
  return is
}

export function removeEndpoint(db: Db, id: string): boolean {
  return db.atomically(() => {
    const here = db.sql.one('SELECT 1 FROM endpoint WHERE id = ?', id) !== undefined
    db.sql.run('DELETE FROM endpoint WHERE id = ?', id)
    db.sql.run('DELETE FROM delivery WHERE endpoint = ?', id)
    return here
  })
}

const STATES: { readonly [status in DeliveryStatus]: readonly string[] } = {
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
  const states = JSON.stringify(status ? STATES[status] : Object.values(STATES).flat())
  const rows = sql.all<Row>(
    'SELECT * FROM delivery WHERE endpoint = ? AND n < ? AND state IN (SELECT value FROM json_each(?)) ORDER BY n DESC LIMIT ?',
    endpoint,
    before,
    states,
    limit + 1,
  )
  const { data, next_cursor } = pageOf(rows, limit, ({ n }) => String(n))
  return { data: data.map(viewOf), next_cursor }
}

function viewOf({ id, endpoint, event, type, state, attempts, at, due, last }: Row): DeliveryView {
  const status = state === 'delivered' || state === 'dead' ? state : 'pending'
  return { delivery: id, endpoint, event, type, status, attempts, created: at, due, last }
}

const find = ({ sql }: Pick<Store, 'sql'>, id: string): Row | undefined => sql.one<Row>('SELECT * FROM delivery WHERE id = ?', id)

export function redeliver(db: Db, id: string): DeliveryView | null {
  return db.atomically(() => {
    db.sql.run(`UPDATE delivery SET state = 'new', attempts = 0, due = ? WHERE id = ?`, db.now(), id)
    db.sql.run(`UPDATE endpoint SET status = 'active' WHERE id = (SELECT endpoint FROM delivery WHERE id = ?)`, id)
    const row = find(db, id)
    return row ? viewOf(row) : null
  })
}

export function claimDelivery(db: Db, id: string): Order<DeliveryOrder> {
  return db.atomically(() => {
    const { sql } = db
    const now = db.now()
    const row = find(db, id)
    const endpoint = row && sql.one<{ url: string; secrets: string }>('SELECT url, secrets FROM endpoint WHERE id = ?', row.endpoint)
    if (!row || !endpoint || row.state === 'delivered' || row.state === 'dead') return { kind: 'nothing' }
    if (row.due > now) return { kind: 'wait', ms: row.due - now }
    if (row.attempts >= MAX_ATTEMPTS) {
      sql.run(`UPDATE delivery SET state = 'dead' WHERE n = ?`, row.n) // the worker of its last attempt died
      return { kind: 'nothing' }
    }
    const attempt = row.attempts + 1
    sql.run(`UPDATE delivery SET state = 'queued', attempts = ?, due = ? WHERE n = ?`, attempt, now + ATTEMPT_MS, row.n)
    const secrets = JSON.parse(endpoint.secrets) as Secrets
    return { kind: 'go', attempt, endpoint: row.endpoint, event: row.event, url: endpoint.url, secrets, body: row.body }
  })
}

export function closeDelivery(db: Db, id: string, attempt: number, outcome: DeliveryOutcome): number | null {
  return db.atomically(() => {
    const { sql } = db
    const row = find(db, id)
    if (!row || row.attempts !== attempt || row.state !== 'queued') return null
    if (outcome.kind === 'gone') sql.run(`UPDATE endpoint SET status = 'gone' WHERE id = ?`, row.endpoint)
    const again = outcome.kind === 'failed' && attempt < MAX_ATTEMPTS
    const pause = again ? pauseAfter(attempt, id, outcome.retryAfter) : 0
    const state = again ? 'queued' : outcome.kind === 'delivered' ? 'delivered' : 'dead'
    sql.run('UPDATE delivery SET state = ?, last = ?, due = ? WHERE n = ?', state, outcome.last, db.now() + pause, row.n)
    return again ? pause : null
  })
}

/** Milliseconds: 10 s, 30 s, 90 s, … up to six hours, or what the receiver asked for if that is longer; a little more for each, differently. */
export function pauseAfter(attempt: number, id: string, asked = 0): number {
  const base = Math.min(MAX_PAUSE, Math.max(backoff(attempt, { first: FIRST_PAUSE, max: MAX_PAUSE, factor: 3 }), asked))
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
