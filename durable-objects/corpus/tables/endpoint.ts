/** Where a corpus's events are sent. All SQL on the table is here. */
import type { EventType } from '../../../src/contract/events'
import type { Asker } from '../../../src/core/access/labels'
import type { EndpointRecord, Secrets } from '../../../src/ports/deliveries'
import type { Sql } from '../../sql'

/** Steps of `schema.ts`; once released they are not changed. */
export const CREATE_ENDPOINT = `
  CREATE TABLE endpoint (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    events TEXT NOT NULL,             -- JSON list; empty: all
    secrets TEXT NOT NULL,            -- JSON list of {sealed, until}
    status TEXT NOT NULL,             -- active | gone
    created INTEGER NOT NULL
  ) WITHOUT ROWID;
`
/** JSON: what the endpoint's creator may read. */
export const ADD_ENDPOINT_ASKER = `ALTER TABLE endpoint ADD COLUMN asker TEXT NOT NULL DEFAULT '"all"';`

/** What an event needs to know about an endpoint. */
export interface Listener {
  readonly id: string
  /** Empty: all. */
  readonly events: readonly EventType[]
  readonly asker: Asker
}

export function insertEndpoint(sql: Sql, { id, url, events, secrets, status, created, asker = 'all' }: EndpointRecord): void {
  sql.run(
    'INSERT INTO endpoint (id, url, events, secrets, status, created, asker) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ...[id, url, JSON.stringify(events), JSON.stringify(secrets), status, created, JSON.stringify(asker)],
  )
}

type Row = { readonly [key in keyof EndpointRecord]: string & number }

/** By id. */
export function listEndpoints(sql: Sql): EndpointRecord[] {
  return sql.all<Row>('SELECT * FROM endpoint ORDER BY id').map((row) => ({
    ...row,
    events: JSON.parse(row.events) as EventType[],
    secrets: JSON.parse(row.secrets) as Secrets,
    status: row.status as string as EndpointRecord['status'],
  }))
}

export function listActiveEndpoints(sql: Sql): Listener[] {
  const rows = sql.all<{ id: string; events: string; asker: string }>(`SELECT id, events, asker FROM endpoint WHERE status = 'active'`)
  return rows.map(({ id, events, asker }) => ({ id, events: JSON.parse(events) as EventType[], asker: JSON.parse(asker) as Asker }))
}

export function hasActiveEndpoint(sql: Sql): boolean {
  return sql.one(`SELECT 1 FROM endpoint WHERE status = 'active' LIMIT 1`) !== undefined
}

export function hasEndpoint(sql: Sql, id: string): boolean {
  return sql.one('SELECT 1 FROM endpoint WHERE id = ?', id) !== undefined
}

/** Where its deliveries go, and what signs them. */
export function endpointTarget(sql: Sql, id: string): { readonly url: string; readonly secrets: Secrets } | undefined {
  const row = sql.one<{ url: string; secrets: string }>('SELECT url, secrets FROM endpoint WHERE id = ?', id)
  return row && { url: row.url, secrets: JSON.parse(row.secrets) as Secrets }
}

export function countEndpoints(sql: Sql): number {
  return sql.one<{ n: number }>('SELECT count(*) AS n FROM endpoint')?.n ?? 0
}

/** Only if they are still the same: what was replaced meanwhile stays. */
export function replaceEndpointSecrets(sql: Sql, id: string, before: Secrets, after: Secrets): boolean {
  const stored = JSON.stringify(before)
  const isSame = sql.one('SELECT 1 FROM endpoint WHERE id = ? AND secrets = ?', id, stored) !== undefined
  sql.run('UPDATE endpoint SET secrets = ? WHERE id = ? AND secrets = ?', JSON.stringify(after), id, stored)
  return isSame
}

/** An endpoint with new secrets is active. */
export function updateEndpointSecrets(sql: Sql, id: string, secrets: Secrets): void {
  sql.run(`UPDATE endpoint SET secrets = ?, status = 'active' WHERE id = ?`, JSON.stringify(secrets), id)
}

export function updateEndpointStatus(sql: Sql, id: string, status: EndpointRecord['status']): void {
  sql.run('UPDATE endpoint SET status = ? WHERE id = ?', status, id)
}

export function deleteEndpoint(sql: Sql, id: string): void {
  sql.run('DELETE FROM endpoint WHERE id = ?', id)
}
