/** Where SQL stands: a table of the corpus is named by the statements of one file alone, the one that makes it. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { scheduleStateOf } from '../../../durable-objects/corpus/schedule/state'
import { migrate } from '../../../durable-objects/corpus/schema'
import { frozenNames } from '../../../durable-objects/graph/snapshot'
import { counted } from '../../../durable-objects/sql'
import { mortalWorld } from './mortal-object'
import { finish, noBill } from './working'

interface Database {
  exec(sql: string): void
  prepare(sql: string): { all(...bindings: unknown[]): unknown[] }
}

/** By path within the repository. */
type Sources = ReadonlyMap<string, string>

/** What is set aside is kept alike by the objects of corpora and of keys. */
const SHARED: ReadonlyMap<string, string> = new Map([['hold', 'durable-objects/holds.ts']])

function tablesOfCorpus(): string[] {
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as { DatabaseSync: new (path: string) => Database }
  const db = new DatabaseSync(':memory:')
  const sql = counted({
    exec(query, ...bindings) {
      if (bindings.length === 0 && !/^\s*select/i.test(query)) {
        db.exec(query)
        return { toArray: () => [], rowsWritten: 0 }
      }
      const rows = db.prepare(query).all(...bindings)
      return { toArray: () => rows, rowsWritten: 0 }
    },
  })
  migrate(sql)
  return sql
    .all<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .map(({ name }) => name)
}

function sourcesOf(folder: string): Sources {
  const root = join(import.meta.dirname, '../../..')
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  return new Map(names.map((name) => [join(folder, name), readFileSync(join(root, folder, name), 'utf8')]))
}

/** Strings and templates, without comments. */
function literalsOf(source: string): string[] {
  const tokens = source.matchAll(/\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)
  return [...tokens].map(([token]) => token).filter((token) => !token.startsWith('/'))
}

const MAIN = /\b(?:FROM|INTO|UPDATE|JOIN|TABLE|ON)\s+([a-z_]+)\b/g

/** The table whose rows a statement gives or changes: the first of the corpus's that it names. Others may be joined or looked up in it. */
function mainTables(literal: string, tables: ReadonlySet<string>): string[] {
  if (!/\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP)\s/.test(literal)) return []
  return literal
    .split(';')
    .flatMap((statement) => [...statement.matchAll(MAIN)].map(([, name = '']) => name).find((name) => tables.has(name)) ?? [])
}

/** Each statement that stands elsewhere than the one that makes its table, as `file: table`; and tables that no file of `tables/` makes. */
function misplaced(sources: Sources, all: readonly string[]): string[] {
  const tables = new Set(all)
  const found = [...sources].flatMap(([file, source]) => literalsOf(source).map((literal) => ({ file, literal })))
  const homes = new Map(SHARED)
  for (const { file, literal } of found) {
    for (const [, name = ''] of literal.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?([a-z_]+)/g)) if (!homes.has(name)) homes.set(name, file)
  }
  const homeless = all.filter((name) => !SHARED.has(name) && !homes.get(name)?.startsWith('durable-objects/corpus/tables/'))
  const strays = found.flatMap(({ file, literal }) =>
    mainTables(literal, tables).flatMap((name) => (homes.get(name) === file ? [] : [`${file}: ${name}`])),
  )
  return [...new Set([...homeless, ...strays])].sort()
}

it('SQL on a table of the corpus stands in the file that makes it and nowhere else', () => {
  const tables = tablesOfCorpus()
  expect(tables).toContain('task')
  expect(misplaced(sourcesOf('durable-objects'), tables)).toEqual([])
})

it('a statement in another file is found, and a table made outside the folder', () => {
  const home = ['durable-objects/corpus/tables/task.ts', 'const CREATE_TASK = `CREATE TABLE task (n INTEGER)`'] as const
  const stray = [
    'durable-objects/corpus/ingest/a.ts',
    `// DELETE FROM task\nsql.run('DELETE FROM task WHERE n IN (SELECT job FROM late)', n)`,
  ] as const
  const other = ['durable-objects/corpus/ingest/b.ts', 'const LATE = `CREATE TABLE late (n INTEGER)`'] as const
  expect(misplaced(new Map([home]), ['task'])).toEqual([])
  expect(misplaced(new Map([home, stray, other]), ['task', 'late'])).toEqual(['durable-objects/corpus/ingest/a.ts: task', 'late'])
})

it('[J540] what waits is found by a key or an index: no statement of taking documents in reads all of it', async () => {
  const world = mortalWorld(['erarag'], { chunking: { chunk: 60, overlap: 0, passage: 30 }, models: 'none' })
  const { context, ...mortal } = world.wake()
  const { sql } = context
  const queries = new Set<string>()
  const noted = <T>(run: (query: string, ...bindings: never[]) => T) =>
    ((query: string, ...bindings: never[]): T => {
      queries.add(query)
      return run(query, ...bindings)
    }) as never
  const watched = { ...context, sql: { ...sql, all: noted(sql.all), one: noted(sql.one), run: noted(sql.run) } }
  const upserts = [1, 2, 3].map((n) => ({ id: `d${n}`, text: `Captain Barin wrote letter ${n}.`, title: '', url: null, metadata: {} }))
  accept(watched, { kind: 'batch', upserts, deletes: [] })
  accept(watched, { kind: 'batch', upserts: upserts.map((one) => ({ ...one, text: `${one.text} Again.` })), deletes: [] })
  await finish({ ...mortal, context: watched }, world, noBill())
  scheduleStateOf(watched, { failures: 0, failedAt: 0, starts: 0, startedAt: 0, isDraining: false, drainedAt: null }, 1)
  const whole = [...queries].flatMap((query) => {
    // Most tasks are urgent: the first of them is found at once.
    if (/count\(|CREATE|urgent = 1 LIMIT 1/.test(query)) return []
    const plan = sql.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`).map((one) => one.detail)
    return plan
      .filter((step) => /^SCAN (?:task|awaited|staged|revision)\b(?! USING INDEX task_apart)/.test(step))
      .map((step) => `${step}: ${query}`)
  })
  world.close()
  expect(queries.size).toBeGreaterThan(50)
  expect(whole).toEqual([])
})

/** Where a statement names a table of the graph in a way that `bypassViews` would not see. */
function unseenNames(literal: string): string[] {
  const sql = literal.replace(/\$\{[^}]*\}/g, '').slice(1, -1)
  if (!/\b(?:SELECT|INSERT|UPDATE|DELETE)\s/.test(sql)) return []
  const names = frozenNames.join('|')
  const ways = [
    `(?<![\\w.])(?:${names})\\.[a-z_]+`,
    `\\bFROM\\s[^()]*?,\\s*(?:${names})\\b(?!\\.)`,
    `\\b(?:from|join|into|update)\\s+(?:${names})\\b`,
  ]
  const quoted = `(?:FROM|JOIN|INTO|UPDATE)\\s*["\\[(](?:${names})\\b`
  return [...ways, quoted].flatMap((way) => [...sql.matchAll(new RegExp(way, 'g'))].map(([found]) => found))
}

it('[L251] statements name the tables of the graph where a writer beside readers of the old graph is given them', () => {
  const samples = [
    'SELECT node.id FROM node',
    'SELECT 1 FROM edge e, node n',
    'SELECT 1 FROM edge WHERE far IN (SELECT id from node)',
    'DELETE FROM "chunk"',
    'SELECT id FROM node WHERE id = ?',
  ]
  expect(samples.map((one) => unseenNames(`'${one}'`).length)).toEqual([1, 1, 1, 1, 0])
  const found = [...sourcesOf('durable-objects')].flatMap(([file, source]) =>
    literalsOf(source).flatMap((literal) => unseenNames(literal).map((name) => `${file}: ${name}`)),
  )
  expect(found).toEqual([])
})
