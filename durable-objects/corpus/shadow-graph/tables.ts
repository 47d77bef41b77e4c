/**
 * A second graph beside the one that is served: the same texts, its own derived rows, in tables of the same shape under other names. To
 * work on it the tables change places for the length of one transaction; nobody else ever sees them so. About 20 statements each way,
 * whatever the size of the corpus.
 * While the corpus is moved to another embedding model the texts' rows are its own too, since their vectors stand in them (moved-texts.ts).
 */
import { stemmed } from '../../../src/core/text/languages'
import type { Sql } from '../../sql'
import { deleteAllFed } from '../tables/fed'

const TABLES = ['node', 'edge', 'place', 'value', 'beneath', 'graph_state'] as const
const OWN_TEXTS = 'chunk'
const TEXTS: ReadonlySet<string> = new Set(['document', 'chunk', 'passage', 'unit', ...stemmed.map((language) => `stemmed ${language}`)])

interface State {
  readonly version: number
  readonly counts: string
  readonly sums: string
}

export function isCandidateOpen(sql: Sql): boolean {
  return sql.one(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'next_graph_state'`) !== undefined
}

/** Empty but for the texts, which it shares or has its own rows of. What another attempt left is dropped, but for those rows. */
export function createCandidateTables(sql: Sql, hasOwnTexts = false): void {
  dropCandidateTables(sql, hasOwnTexts)
  if (hasOwnTexts) addTable(sql, OWN_TEXTS)
  addMissingTables(sql)
  sql.run(`INSERT INTO next_graph_state (one, version, counts, sums) VALUES (0, 0, '{}', '')`)
}

/** A graph opened before a table was added gets it. */
function addMissingTables(sql: Sql): void {
  for (const table of TABLES) addTable(sql, table)
}

function addTable(sql: Sql, table: string): void {
  if (sql.one(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, `next_${table}`)) return
  // Behind a view while a large change goes in (graph/snapshot.ts).
  const query = `SELECT sql AS made FROM sqlite_master WHERE type = 'table' AND name IN (?1, 'now_' || ?1)`
  const { made = '' } = sql.one<{ made: string }>(query, table) ?? {}
  sql.run(made.replace(/^CREATE TABLE "?\w+"?/, `CREATE TABLE next_${table}`))
}

function ownTables(sql: Sql): readonly string[] {
  const query = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name IN ('next_${OWN_TEXTS}', 'served_${OWN_TEXTS}')`
  return sql.one(query) ? [...TABLES, OWN_TEXTS] : TABLES
}

export function dropCandidateTables(sql: Sql, keepsTexts = false): void {
  for (const table of keepsTexts ? TABLES : [...TABLES, OWN_TEXTS]) sql.run(`DROP TABLE IF EXISTS next_${table}`)
  deleteAllFed(sql)
}

/** From now on the names mean the other graph. Inside a transaction, and undone by `leave` within it. */
export function enterCandidate(sql: Sql): void {
  addMissingTables(sql)
  const { version, counts, sums } = mergedState(sql)
  for (const table of ownTables(sql)) {
    sql.run(`ALTER TABLE ${table} RENAME TO served_${table}`)
    sql.run(`ALTER TABLE next_${table} RENAME TO ${table}`)
  }
  sql.run('UPDATE graph_state SET version = ?, counts = ?, sums = ?', version, counts, sums)
}

export function leaveCandidate(sql: Sql): void {
  for (const table of ownTables(sql)) {
    sql.run(`ALTER TABLE ${table} RENAME TO next_${table}`)
    sql.run(`ALTER TABLE served_${table} RENAME TO ${table}`)
  }
}

/** The other graph takes the place of the one that was served, for good. */
export function replaceServedTables(sql: Sql, version: number): void {
  addMissingTables(sql)
  const { counts, sums } = mergedState(sql)
  for (const table of ownTables(sql)) {
    sql.run(`DROP TABLE ${table}`)
    sql.run(`ALTER TABLE next_${table} RENAME TO ${table}`)
  }
  sql.run('UPDATE graph_state SET version = ?, counts = ?, sums = ?', version, counts, sums)
  deleteAllFed(sql)
}

/** The texts are those of the graph that is served, the rest is its own. */
function mergedState(sql: Sql): State {
  const served = readState(sql, 'graph_state')
  const own = readState(sql, 'next_graph_state')
  const counts = { ...pick(served.counts, true), ...pick(own.counts, false) }
  const [texts = ''] = served.sums.split(' ')
  const [, derived = '0'.repeat(64)] = own.sums.split(' ')
  return { version: served.version, counts: JSON.stringify(counts), sums: `${texts || '0'.repeat(64)} ${derived}` }
}

function readState(sql: Sql, table: string): State {
  return sql.one<State>(`SELECT version, counts, sums FROM ${table}`) ?? { version: 0, counts: '{}', sums: '' }
}

function pick(counts: string, texts: boolean): { [key: string]: number } {
  const entries = Object.entries(JSON.parse(counts) as { [key: string]: number })
  return Object.fromEntries(entries.filter(([key]) => TEXTS.has(key) === texts))
}
