/**
 * A second graph beside the one that is served: the same texts, its own derived rows, in tables of the same shape under other names. To
 * work on it the tables change places for the length of one transaction; nobody else ever sees them so. About 20 statements each way,
 * none of which depends on the size of the corpus.
 */
import type { Sql } from '../../sql'
import { deleteAllFed } from '../tables/fed'

const TABLES = ['node', 'edge', 'place', 'value', 'beneath', 'graph_state'] as const
const TEXTS: ReadonlySet<string> = new Set(['document', 'chunk', 'passage', 'unit'])

interface State {
  readonly version: number
  readonly counts: string
  readonly sums: string
}

export function isOpen(sql: Sql): boolean {
  return sql.one(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'next_graph_state'`) !== undefined
}

/** Empty but for the texts, which it shares. What another attempt left is dropped. */
export function open(sql: Sql): void {
  drop(sql)
  complete(sql)
  sql.run(`INSERT INTO next_graph_state (one, version, counts, sums) VALUES (0, 0, '{}', '')`)
}

/** A graph opened before a table was added gets it. */
function complete(sql: Sql): void {
  for (const table of TABLES) {
    if (sql.one(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, `next_${table}`)) continue
    const { made = '' } = sql.one<{ made: string }>('SELECT sql AS made FROM sqlite_master WHERE name = ?', table) ?? {}
    sql.run(made.replace(/^CREATE TABLE "?\w+"?/, `CREATE TABLE next_${table}`))
  }
}

export function drop(sql: Sql): void {
  for (const table of TABLES) sql.run(`DROP TABLE IF EXISTS next_${table}`)
  deleteAllFed(sql)
}

/** From now on the names mean the other graph. Inside a transaction, and undone by `leave` within it. */
export function enter(sql: Sql): void {
  complete(sql)
  const { version, counts, sums } = merged(sql)
  for (const table of TABLES) {
    sql.run(`ALTER TABLE ${table} RENAME TO served_${table}`)
    sql.run(`ALTER TABLE next_${table} RENAME TO ${table}`)
  }
  sql.run('UPDATE graph_state SET version = ?, counts = ?, sums = ?', version, counts, sums)
}

export function leave(sql: Sql): void {
  for (const table of TABLES) {
    sql.run(`ALTER TABLE ${table} RENAME TO next_${table}`)
    sql.run(`ALTER TABLE served_${table} RENAME TO ${table}`)
  }
}

/** The other graph takes the place of the one that was served, for good. */
export function replace(sql: Sql, version: number): void {
  complete(sql)
  const { counts, sums } = merged(sql)
  for (const table of TABLES) {
    sql.run(`DROP TABLE ${table}`)
    sql.run(`ALTER TABLE next_${table} RENAME TO ${table}`)
  }
  sql.run('UPDATE graph_state SET version = ?, counts = ?, sums = ?', version, counts, sums)
  deleteAllFed(sql)
}

/** The texts are those of the graph that is served, the rest is its own. */
function merged(sql: Sql): State {
  const served = state(sql, 'graph_state')
  const own = state(sql, 'next_graph_state')
  const counts = { ...pick(served.counts, true), ...pick(own.counts, false) }
  const [texts = ''] = served.sums.split(' ')
  const [, derived = '0'.repeat(64)] = own.sums.split(' ')
  return { version: served.version, counts: JSON.stringify(counts), sums: `${texts || '0'.repeat(64)} ${derived}` }
}

function state(sql: Sql, table: string): State {
  return sql.one<State>(`SELECT version, counts, sums FROM ${table}`) ?? { version: 0, counts: '{}', sums: '' }
}

function pick(counts: string, texts: boolean): { [key: string]: number } {
  const entries = Object.entries(JSON.parse(counts) as { [key: string]: number })
  return Object.fromEntries(entries.filter(([key]) => TEXTS.has(key) === texts))
}
