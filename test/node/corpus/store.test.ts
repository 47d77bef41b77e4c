/** What a transaction may do, and what the storage refuses, locally as in production. */
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import type { Store } from '../../../durable-objects/corpus/store'
import { SqliteGraph } from '../../../durable-objects/graph/sqlite-graph'
import { counted, type SqlSource } from '../../../durable-objects/sql'
import { strict } from '../../../durable-objects/strict'
import { draftOf } from '../../../src/core/graph/draft'
import { vectorsIn } from '../../../src/core/strategies/archrag/rows'
import { IsolateMemory, occupantOf } from '../../../src/isolate-memory'
import { objectLimits } from '../../../src/platform-limits'
import { DIMENSIONS, mortalWorld } from './mortal-object'

it('[V125] work that awaits is refused by the compiler', () => {
  const atomically: Store['atomically'] = (work) => work()
  const later = async (): Promise<number> => 1
  // @ts-expect-error a transaction contains no await
  const refused = () => atomically(later)
  // @ts-expect-error nor one that only sometimes has something to come
  const sometimes = () => atomically((): number | Promise<number> => (Math.random() < 2 ? 1 : later()))
  const whole: { readonly n: number } = atomically(() => ({ n: 1 }))
  const none: undefined = atomically(() => undefined)
  expect([whole, none, typeof refused, typeof sometimes]).toEqual([{ n: 1 }, undefined, 'function', 'function'])
})

interface Database {
  prepare(sql: string): { all(...bindings: unknown[]): object[]; run(...bindings: unknown[]): { changes: number } }
}

function storage(): SqlSource {
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as { DatabaseSync: new (path: string) => Database }
  const db = new DatabaseSync(':memory:')
  return {
    exec(query, ...bindings) {
      const statement = db.prepare(query)
      if (/^\s*(select|with)/i.test(query)) return { toArray: () => statement.all(...bindings), rowsWritten: 0 }
      return { toArray: () => [], rowsWritten: statement.run(...bindings).changes }
    },
  }
}

it('[L114] strings, blobs and bound values that production refuses are refused, with its words', () => {
  const { source } = strict(storage())
  const sql = counted(source)
  sql.run('CREATE TABLE t (a)')
  const { maxRowBytes, maxBoundParameters } = objectLimits
  const insert = (value: string | Uint8Array) => () => sql.run('INSERT INTO t VALUES (?)', value)
  for (const fits of ['x'.repeat(maxRowBytes), 'ü'.repeat(maxRowBytes / 2), new Uint8Array(maxRowBytes)]) expect(insert(fits)).not.toThrow()
  for (const large of ['x'.repeat(maxRowBytes + 1), 'ü'.repeat(maxRowBytes / 2 + 1), new Uint8Array(maxRowBytes + 1)])
    expect(insert(large)).toThrow('string or blob too big: SQLITE_TOOBIG')
  const values = (n: number) => () => sql.all(`SELECT ${Array(n).fill('?').join(', ')}`, ...Array<number>(n).fill(1))
  expect(values(maxBoundParameters)).not.toThrow()
  expect(values(maxBoundParameters + 1)).toThrow('too many SQL variables')
})

it('[L114] a transaction that writes, and an answer that holds, more rows than a part of a large change are refused', () => {
  const { source, transaction } = strict(storage(), { maxRowsWritten: 10, maxRowsRead: 20 })
  const sql = counted(source)
  sql.run('CREATE TABLE t (a)')
  const write = (n: number) => {
    for (let i = 0; i < n; i++) sql.run('INSERT INTO t VALUES (?)', i)
  }
  transaction(() => write(10))
  transaction(() => write(10)) // each for itself
  expect(() => transaction(() => transaction(() => write(11)))).toThrow('more than 10 rows')
  write(9)
  expect(sql.all('SELECT a FROM t LIMIT 20')).toHaveLength(20)
  expect(() => sql.all('SELECT a FROM t')).toThrow('rows in one answer, of at most 20')
})

it('[G330] values of a space are kept for the next question up to 8 MB, and read by pages beyond, as a draft reads them: the same either way', () => {
  const world = mortalWorld([])
  const occupant = occupantOf(new IsolateMemory()) // what other files' objects have lent or left is none of its business
  const graph = new SqliteGraph({ sql: world.wake().context.sql, dimensions: DIMENSIONS, occupant })
  graph.migrate()
  const room = 8 * 1024 * 1024
  const size = 1032 // bytes of a row, the last of which are its vector
  const fill = (from: number, to: number): void => {
    const changes = Array.from({ length: to - from }, (_, i) => {
      const value = new Uint8Array(size).fill(from + i, 8)
      return { op: 'put-value', space: 'archrag/0', key: `e_${String(from + i).padStart(6, '0')}`, value } as const
    })
    graph.apply(changes, graph.version + 1)
  }
  const read = (from: Parameters<typeof vectorsIn>[0]) => [...vectorsIn(from, 0)].map(([id, vector]) => [id, vector[0]])
  const few = Math.floor(room / (size + 200 + 8)) // each takes 200 bytes and its key besides
  fill(0, few)
  const kept = graph.keptValues('archrag/0')
  expect(kept?.length).toBe(few)
  expect(graph.keptValues('archrag/0')).toBe(kept)
  expect(read(graph)).toEqual(read(draftOf(graph)))
  fill(few, few + 1)
  expect(graph.keptValues('archrag/0')).toBe(undefined)
  expect(read(graph)).toHaveLength(few + 1)
  expect(read(graph)).toEqual(read(draftOf(graph)))
  // A draft has what it has changed itself, which nothing that is kept knows.
  const draft = draftOf(graph)
  draft.dropValue('archrag/0', 'e_000000')
  expect(read(draft)).toEqual(read(graph).slice(1))
  graph.apply(draft.patch(), graph.version + 1)
  expect(graph.keptValues('archrag/0')?.length).toBe(few)
  world.close()
})

it('[G430] the heaviest edges of a node that has many are sorted once, and anew after one of them changes', () => {
  const world = mortalWorld([])
  const inner = world.wake().context.sql
  let sorted = 0
  const all: typeof inner.all = (query, ...bindings) => {
    if (query.includes('ORDER BY weight DESC')) sorted++
    return inner.all(query, ...bindings)
  }
  const sql = { ...inner, all }
  const graph = new SqliteGraph({ sql, dimensions: DIMENSIONS, occupant: occupantOf(new IsolateMemory()) })
  graph.migrate()
  const edge = (n: number, weight: number) =>
    ({ kind: 'mentions', source: `c_${String(n).padStart(3, '0')}`, target: 'e_hub', weight }) as const
  graph.apply(
    Array.from({ length: 300 }, (_, n) => ({ op: 'put-edge', edge: edge(n, 1 + (n % 7)) }) as const),
    1,
  )
  const heaviest = (limit: number) => graph.edgesTo('mentions', 'e_hub', limit).map((one) => [one.source, one.weight])
  const few = heaviest(13)
  expect(few).toHaveLength(13)
  expect(few.slice(0, 2)).toEqual([
    ['c_006', 7],
    ['c_013', 7],
  ])
  expect(heaviest(2)).toEqual(few.slice(0, 2))
  expect(sorted).toBe(1)
  graph.apply([{ op: 'put-edge', edge: edge(250, 9) }], 2)
  expect(heaviest(2)).toEqual([['c_250', 9], few[0]])
  expect(heaviest(64)).toHaveLength(64)
  expect(sorted).toBe(2)
  graph.apply([{ op: 'drop-edge', kind: 'mentions', source: 'c_250', target: 'e_hub' }], 3)
  expect(heaviest(13)).toEqual(few)
  expect(graph.edgesTo('mentions', 'e_hub', 65)).toHaveLength(65)
  expect(graph.edgesTo('mentions', 'e_hub')).toHaveLength(299)
})
