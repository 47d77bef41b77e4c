/**
 * One row for each event and endpoint that should receive it. A message in the queue is only its name: the row is the truth about it. All
 * SQL on the table is here.
 */
import type { EventType } from '../../../src/contract/events'
import type { Sql } from '../../sql'

/** Steps of `schema.ts`; once released they are not changed. */
export const CREATE_DELIVERY = `
  CREATE TABLE delivery (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    event TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,               -- ids, versions and statuses
    state TEXT NOT NULL,              -- new (the queue has not heard of it) | queued | delivered | dead
    attempts INTEGER NOT NULL,        -- begun
    due INTEGER NOT NULL,             -- ms; not to be tried before
    at INTEGER NOT NULL,
    last TEXT                         -- how the last attempt ended
  );
  CREATE INDEX delivery_endpoint ON delivery (endpoint, n);
  CREATE INDEX delivery_open ON delivery (state, due) WHERE state = 'new' OR state = 'queued'; -- so written, SQLite sees that it serves
`
/** Delivered or dead ones, in the order in which they are deleted. */
export const INDEX_CLOSED_DELIVERIES = `CREATE INDEX delivery_closed ON delivery (state, at) WHERE state = 'delivered' OR state = 'dead'`

export type DeliveryState = 'new' | 'queued' | 'delivered' | 'dead'

export interface DeliveryRow {
  readonly n: number
  readonly id: string
  readonly event: string
  readonly endpoint: string
  readonly type: EventType
  readonly body: string
  readonly state: DeliveryState
  readonly attempts: number
  readonly due: number
  readonly at: number
  readonly last: string | null
}

type NewDelivery = Pick<DeliveryRow, 'id' | 'event' | 'endpoint' | 'type' | 'body' | 'at'>

/** An existing row stays unchanged. */
export function insertDelivery(sql: Sql, { id, event, endpoint, type, body, at }: NewDelivery): void {
  sql.run(
    `INSERT OR IGNORE INTO delivery (id, event, endpoint, type, body, state, attempts, due, at) VALUES (?, ?, ?, ?, ?, 'new', 0, ?, ?)`,
    ...[id, event, endpoint, type, body, at, at],
  )
}

export function findDelivery(sql: Sql, id: string): DeliveryRow | undefined {
  return sql.one<DeliveryRow>('SELECT * FROM delivery WHERE id = ?', id)
}

/** Newest first, before a number. */
export function listDeliveries(
  sql: Sql,
  { endpoint, before, states, limit }: { endpoint: string; before: number; states: readonly DeliveryState[]; limit: number },
): DeliveryRow[] {
  return sql.all<DeliveryRow>(
    'SELECT * FROM delivery WHERE endpoint = ? AND n < ? AND state IN (SELECT value FROM json_each(?)) ORDER BY n DESC LIMIT ?',
    ...[endpoint, before, JSON.stringify(states), limit],
  )
}

export function beginDeliveryAttempt(sql: Sql, n: number, attempt: number, due: number): void {
  sql.run(`UPDATE delivery SET state = 'queued', attempts = ?, due = ? WHERE n = ?`, attempt, due, n)
}

export function endDeliveryAttempt(sql: Sql, { n, state, last, due }: Pick<DeliveryRow, 'n' | 'state' | 'last' | 'due'>): void {
  sql.run('UPDATE delivery SET state = ?, last = ?, due = ? WHERE n = ?', state, last, due, n)
}

export function markDeliveryDead(sql: Sql, n: number): void {
  sql.run(`UPDATE delivery SET state = 'dead' WHERE n = ?`, n)
}

/** As if it had never been tried. */
export function resetDelivery(sql: Sql, id: string, due: number): void {
  sql.run(`UPDATE delivery SET state = 'new', attempts = 0, due = ? WHERE id = ?`, due, id)
}

export function hasNewDelivery(sql: Sql): boolean {
  return sql.one(`SELECT 1 FROM delivery WHERE state = 'new' LIMIT 1`) !== undefined
}

/** Ids of those not yet on the queue. */
export function listNewDeliveries(sql: Sql, limit: number): string[] {
  return sql.all<{ id: string }>(`SELECT id FROM delivery WHERE state = 'new' LIMIT ?`, limit).map(({ id }) => id)
}

export function markDeliveriesQueued(sql: Sql, ids: readonly string[]): void {
  sql.run(`UPDATE delivery SET state = 'queued' WHERE state = 'new' AND id IN (SELECT value FROM json_each(?))`, JSON.stringify(ids))
}

/** When the first of those on the queue is due. */
export function nextQueuedDeliveryDue(sql: Sql): number | undefined {
  return sql.one<{ due: number }>(`SELECT due FROM delivery WHERE state = 'queued' ORDER BY due LIMIT 1`)?.due
}

/** Those on the queue that were due by a time are new again, and due now. */
export function requeueDeliveries(sql: Sql, { dueBy, now, limit }: { dueBy: number; now: number; limit: number }): void {
  sql.run(
    `UPDATE delivery SET state = 'new', due = ? WHERE n IN (SELECT n FROM delivery WHERE state = 'queued' AND due <= ? LIMIT ?)`,
    ...[now, dueBy, limit],
  )
}

/** When the oldest in a state was created. */
export function oldestDeliveryAt(sql: Sql, state: DeliveryState): number | undefined {
  return sql.one<{ at: number }>('SELECT at FROM delivery WHERE state = ? ORDER BY at LIMIT 1', state)?.at
}

export function deleteDeliveriesBefore(sql: Sql, state: DeliveryState, before: number, limit: number): void {
  sql.run('DELETE FROM delivery WHERE n IN (SELECT n FROM delivery WHERE state = ? AND at < ? LIMIT ?)', state, before, limit)
}

export function deleteDeliveriesOf(sql: Sql, endpoint: string): void {
  sql.run('DELETE FROM delivery WHERE endpoint = ?', endpoint)
}
