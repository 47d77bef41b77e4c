/**
 * A second graph next to the served one: the same texts, its own derived rows, in tables of the same shape under other names. Code that
 * works on it is given a store in which the graph's names mean these tables (`candidateTables`); nothing is renamed before it is promoted.
 * While the corpus is moved to another embedding model the texts' rows are its own too, since they contain the vectors (moved-texts.ts).
 */
import { stemmed } from '../../../src/core/text/languages'
import { renamedTables } from '../../graph/renamed-tables'
import type { Sql } from '../../sql'
import { deleteAllFed } from '../tables/fed'

const TABLES = ['node', 'edge', 'place', 'value', 'beneath', 'graph_state'] as const
const OWN_TEXTS = 'chunk'
const PREFIX = 'next_'
const TEXTS: ReadonlySet<string> = new Set(['document', 'chunk', 'passage', 'unit', ...stemmed.map((language) => `stemmed ${language}`)])

interface State {
  readonly version: number
  readonly counts: string
  readonly sums: string
}

/** The name of a candidate's table in the underlying store, which also contains the served graph. */
export const candidateName = (table: string): string => PREFIX + table

export function isCandidateOpen(sql: Sql): boolean {
  return hasTable(sql, candidateName('graph_state'))
}

const hasTable = (sql: Sql, name: string): boolean =>
  sql.one(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`, name) !== undefined

/**
 * Empty except for the texts, which it shares or has as its own rows. Tables left by another attempt are dropped, except for those rows.
 */
export function createCandidateTables(sql: Sql, hasOwnTexts = false): void {
  dropCandidateTables(sql, hasOwnTexts)
  if (hasOwnTexts) addTable(sql, OWN_TEXTS)
  addMissingTables(sql)
  sql.run(`INSERT INTO ${candidateName('graph_state')} (one, version, counts, sums) VALUES (0, 0, '{}', '')`)
}

/** A graph opened before a table was added gets it. */
function addMissingTables(sql: Sql): void {
  for (const table of TABLES) addTable(sql, table)
}

function addTable(sql: Sql, table: string): void {
  if (hasTable(sql, candidateName(table))) return
  // Behind a view while a large change is being applied (graph/snapshot.ts).
  const query = `SELECT sql AS made FROM sqlite_master WHERE type = 'table' AND name IN (?1, 'now_' || ?1)`
  const { made = '' } = sql.one<{ made: string }>(query, table) ?? {}
  sql.run(made.replace(/^CREATE TABLE "?\w+"?/, `CREATE TABLE ${candidateName(table)}`))
}

function ownTables(sql: Sql): readonly string[] {
  return hasTable(sql, candidateName(OWN_TEXTS)) ? [...TABLES, OWN_TEXTS] : TABLES
}

export function dropCandidateTables(sql: Sql, keepsTexts = false): void {
  for (const table of keepsTexts ? TABLES : [...TABLES, OWN_TEXTS]) sql.run(`DROP TABLE IF EXISTS ${candidateName(table)}`)
  deleteAllFed(sql)
}

/** Stores by their underlying one, so that statements are translated only once. */
const stores = new WeakMap<Sql, Map<number, Sql>>()

/**
 * The same store, with the names of a graph's tables meaning the candidate's. Inside a transaction: its counts are brought up to date
 * first.
 */
export function candidateTables(sql: Sql): Sql {
  addMissingTables(sql)
  const tables = ownTables(sql)
  const known = stores.get(sql) ?? new Map<number, Sql>()
  stores.set(sql, known)
  const store = known.get(tables.length) ?? renamedTables(sql, tables, PREFIX)
  known.set(tables.length, store)
  const { version, counts, sums } = mergedState(sql)
  store.run('UPDATE graph_state SET version = ?, counts = ?, sums = ?', version, counts, sums)
  return store
}

/** The other graph permanently replaces the served one. */
export function replaceServedTables(sql: Sql, version: number): void {
  addMissingTables(sql)
  const { counts, sums } = mergedState(sql)
  for (const table of ownTables(sql)) {
    sql.run(`DROP TABLE ${table}`)
    sql.run(`ALTER TABLE ${candidateName(table)} RENAME TO ${table}`)
  }
  sql.run('UPDATE graph_state SET version = ?, counts = ?, sums = ?', version, counts, sums)
  deleteAllFed(sql)
}

/** The texts are the served graph's; the rest is its own. */
function mergedState(sql: Sql): State {
  const served = readState(sql, 'graph_state')
  const own = readState(sql, candidateName('graph_state'))
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
