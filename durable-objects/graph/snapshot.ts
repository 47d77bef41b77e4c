/**
 * The graph as it was, for readers, while a change too large for one transaction is applied in several. Freezing replaces each table by a
 * view; triggers store every row that the change touches, in its earlier state, and the views show the stored rows instead of the new ones.
 * Writers get the tables by `bypassViews`; SQLite refuses writes to a view. Everything is in rows: an object that wakes shows what it
 * showed before. No statement here depends on the size of the graph except `thaw`, which drops as much as the change touched. The keyword
 * index has no view: see frozen-words.ts.
 */

import type { Sql } from '../sql'
import { dropFrozenWords, makeFrozenWords } from './frozen-words'
import { renamedTables, storeBeneath } from './renamed-tables'

interface Table {
  readonly name: string
  /** With their types, so that SQLite reads both halves of a view through their indexes. */
  readonly columns: readonly string[]
  readonly key: readonly string[]
  /** Looked up by something other than the key. */
  readonly index?: string
}

const TABLES: readonly Table[] = [
  { name: 'graph_state', columns: ['one INTEGER', 'version INTEGER', 'counts TEXT', 'sums TEXT'], key: ['one'] },
  { name: 'document', columns: ['n INTEGER', 'id TEXT', 'body TEXT'], key: ['id'] },
  { name: 'placement', columns: ['chunk TEXT', 'document TEXT', 'start INTEGER'], key: ['chunk', 'document', 'start'] },
  { name: 'chunk', columns: ['n INTEGER', 'id TEXT', 'passages BLOB', 'body TEXT', 'units BLOB'], key: ['id'], index: 'n' },
  { name: 'node', columns: ['n INTEGER', 'id TEXT', 'layer INTEGER', 'vector BLOB', 'body TEXT', 'sum BLOB'], key: ['id'] },
  { name: 'edge', columns: ['side INTEGER', 'near TEXT', 'far TEXT', 'weight REAL', 'data TEXT'], key: ['side', 'near', 'far'] },
  { name: 'place', columns: ['space TEXT', 'key TEXT', 'id TEXT'], key: ['space', 'key'] },
  { name: 'value', columns: ['space TEXT', 'key TEXT', 'body'], key: ['space', 'key'] },
  { name: 'access', columns: ['document TEXT', 'label_set INTEGER'], key: ['document'] },
  { name: 'beneath', columns: ['node TEXT', 'numbers TEXT'], key: ['node'] },
]

/** Names that statements may use only where `bypassViews` recognises them: after FROM, JOIN, INTO, UPDATE, TABLE or TO. */
export const frozenNames: readonly string[] = TABLES.map(({ name }) => name)

/** A graph frozen before a table was added thaws without it. */
function frozenTables(sql: Sql): readonly Table[] {
  const kept = new Set(sql.all<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table'`).map((row) => row.name))
  return TABLES.filter(({ name }) => kept.has(`before_${name}`))
}

export function isFrozen(sql: Sql): boolean {
  return !isWriter(sql) && sql.one(`SELECT 1 FROM sqlite_master WHERE type = 'view' AND name = 'graph_state'`) !== undefined
}

/** Readers keep the current state until `thaw`. Inside a transaction. */
export function freeze(sql: Sql): void {
  makeFrozenWords(sql, nextChunkNumber(sql))
  // Names are changed while there are no triggers yet: SQLite reads all of them again at each change.
  for (const { name } of TABLES) sql.run(`ALTER TABLE ${name} RENAME TO now_${name}`)
  for (const table of TABLES) {
    for (const statement of [...keeping(table), viewOf(table)]) sql.run(statement)
  }
}

/** Stores made by `bypassViews`: for them nothing is frozen. */
const writers = new WeakSet<Sql>()

function isWriter(sql: Sql): boolean {
  const under = storeBeneath(sql)
  return writers.has(sql) || (under !== undefined && isWriter(under))
}

/** The same store, where a statement that names a table means the table, not the view in its place. */
export function bypassViews(sql: Sql): Sql {
  const writer = renamedTables(
    sql,
    frozenTables(sql).map(({ name }) => name),
    'now_',
  )
  writers.add(writer)
  return writer
}

function viewOf({ name, columns, key }: Table): string {
  const all = namesOf(columns).join(', ')
  return `CREATE VIEW ${name} AS
    SELECT ${all} FROM now_${name} t WHERE NOT EXISTS (SELECT 1 FROM before_${name} b WHERE ${same(key, 't')})
    UNION ALL SELECT ${all} FROM before_${name} WHERE present`
}

/** Readers see the result. Inside a transaction. */
export function thaw(sql: Sql): void {
  const tables = frozenTables(sql)
  for (const { name } of tables) {
    sql.run(`DROP VIEW ${name}`)
    for (const event of ['insert', 'update', 'delete']) sql.run(`DROP TRIGGER before_${name}_${event}`)
    sql.run(`DROP TABLE before_${name}`)
  }
  for (const { name } of tables) sql.run(`ALTER TABLE now_${name} RENAME TO ${name}`)
  dropFrozenWords(sql)
}

interface ChunkRow {
  readonly body: string
  readonly passages: ArrayBuffer
  readonly units: ArrayBuffer
}

/** As readers still see it, although it was changed or removed. */
export function chunkBefore(sql: Sql, id: string): ChunkRow | undefined {
  return sql.one<ChunkRow>('SELECT body, passages, units FROM before_chunk WHERE id = ? AND present', id)
}

/** The next chunk's number. Numbers of chunks that readers still see are not reused. */
export function nextChunkNumber(sql: Sql): number {
  const highest = (table: string): number => sql.one<{ n: number | null }>(`SELECT max(n) AS n FROM ${table}`)?.n ?? 0
  const kept = sql.one(`SELECT 1 FROM sqlite_master WHERE name = 'before_chunk'`)
  return 1 + Math.max(highest('chunk'), kept ? highest('before_chunk WHERE present') : 0)
}

/** The first time a row is touched: its earlier state, or that it did not exist. `present` is 1 or 0. */
function keeping({ name, columns, key, index }: Table): readonly string[] {
  const names = namesOf(columns)
  const kept = `before_${name}`
  const old = `INSERT INTO ${kept} (${names.join(', ')}, present) VALUES (${names.map((one) => `OLD.${one}`).join(', ')}, 1) ON CONFLICT DO NOTHING;`
  const none = `INSERT INTO ${kept} (${key.join(', ')}, present) VALUES (${key.map((one) => `NEW.${one}`).join(', ')}, 0) ON CONFLICT DO NOTHING;`
  return [
    `CREATE TABLE ${kept} (${columns.join(', ')}, present INTEGER NOT NULL, PRIMARY KEY (${key.join(', ')})) WITHOUT ROWID`,
    ...(index ? [`CREATE INDEX ${kept}_${index} ON ${kept} (${index}) WHERE present`] : []),
    `CREATE TRIGGER ${kept}_insert AFTER INSERT ON now_${name} BEGIN ${none} END`,
    `CREATE TRIGGER ${kept}_update BEFORE UPDATE ON now_${name} BEGIN ${old} END`,
    `CREATE TRIGGER ${kept}_delete BEFORE DELETE ON now_${name} BEGIN ${old} END`,
  ]
}

function same(key: readonly string[], row: string): string {
  return key.map((one) => `b.${one} = ${row}.${one}`).join(' AND ')
}

function namesOf(columns: readonly string[]): string[] {
  return columns.map((one) => one.split(' ')[0] ?? one)
}
