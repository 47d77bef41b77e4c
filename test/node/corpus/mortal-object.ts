/**
 * The corpus and its graph on node:sqlite, in a process that dies: at the n-th write, or at the n-th await. What was not
 * committed is undone, what was in memory is lost, and the dead process can do nothing more. `wake` begins anew on the same file.
 */
import type { Sinks } from '../../../durable-objects/corpus/outbox/drain'
import { MARKER } from '../../../durable-objects/corpus/outbox/index-sink'
import { createUnindexedVectors, MAX_BYTES } from '../../../durable-objects/corpus/outbox/unindexed-vectors'
import { migrate } from '../../../durable-objects/corpus/schema'
import { type CorpusContext, contextOf } from '../../../durable-objects/corpus/store'
import { hasMeta, metaKeys, readMeta, writeMeta } from '../../../durable-objects/corpus/tables/meta'
import { lastSeq } from '../../../durable-objects/corpus/tables/outbox'
import { SqliteGraph } from '../../../durable-objects/graph/sqlite-graph'
import { counted, type SqlSource } from '../../../durable-objects/sql'
import { strict } from '../../../durable-objects/strict'
import { vectorize } from '../../../src/adapters/vectorize'
import type { Settings } from '../../../src/core/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { type IsolateMemory, isolateMemory, occupantOf } from '../../../src/isolate-memory'
import type { StoredRow } from '../../../src/ports/read-model'
import { openDatabase, preparing, sqliteSource } from '../../node-sqlite'
import { type StandingIndex, standingIndex } from './standing-index'

export const DIMENSIONS = 16
export const OTHER_DIMENSIONS = 8 // of another embedding model
export const LEASE = 300_000 // ms

export class Death extends Error {}

export interface Mortal {
  readonly context: CorpusContext
  readonly sinks: Sinks
  /** Dies at the n-th write, or the n-th await, from now; `late`: after the await's effect. 0: lives. */
  doom(at: { readonly write?: number; readonly await?: number; readonly late?: boolean }): void
  readonly dead: () => boolean
}

export interface World {
  readonly clock: { now: number }
  readonly index: StandingIndex
  /** Of the model that a corpus may be moved to. */
  readonly other: StandingIndex
  /** Of the read model, by table and name. */
  readonly rows: Map<string, string>
  /** What was put on the queue, repeats included. */
  readonly owed: string[]
  /** Runs inside every await, as other requests do. */
  meanwhile: (() => void) | null
  wake(): Mortal
  /** What is there now is where `again` returns to: a transaction around everything that is never committed. */
  base(): void
  again(): void
  /** What the two sinks hold, as lines. */
  told(): string[]
  /** The read model's rows as an export carries them, one line of JSON each. */
  exported(): string[]
  close(): void
}

/** What several corpora of one account have in common. */
export interface Shared {
  readonly clock?: { now: number }
  readonly index?: StandingIndex
  /** Of the other embedding model. */
  readonly other?: StandingIndex
  readonly uid?: string
  /** Chunks that go in together, at most. */
  readonly part?: number
  /** When it was last asked a question. */
  readonly asked?: { at: number }
  /** Rows of two graphs compared at a time. */
  readonly page?: number
  /** Of the isolate that it stands in. */
  readonly memory?: IsolateMemory
}

export function mortalWorld(strategies: readonly string[], more: Partial<Settings> = {}, shared: Shared = {}): World {
  const db = openDatabase()
  const prepared = preparing(db)
  let rows = new Map<string, string>()
  let kept = { rows, now: 0 }
  const { clock = { now: 1_000_000 }, uid = 'mortal' } = shared
  const { dimensions = DIMENSIONS } = more
  const index = shared.index ?? standingIndex(clock, dimensions)
  const other = shared.other ?? standingIndex(clock, OTHER_DIMENSIONS)

  const world: World = {
    clock,
    index,
    other,
    get rows() {
      return rows
    },
    owed: [],
    meanwhile: null,
    told: () => [...vectorLines(index, uid), ...[...rows].map((one) => `row ${one.join(' ')}`)].sort(),
    exported: () =>
      [...rows].map(([name, row]) => {
        const told = JSON.parse(row)
        const type = name.slice(0, name.indexOf(' '))
        return JSON.stringify({ type, ...told[type] })
      }),
    close: () => db.close(),
    base() {
      kept = { rows, now: clock.now }
      index.base()
      other.base()
      db.exec('BEGIN')
      world.again()
    },
    again() {
      db.exec('ROLLBACK; BEGIN')
      rows = new Map(kept.rows)
      index.again()
      other.again()
      clock.now = kept.now
    },
    wake() {
      let [writes, awaits, late, dead, depth] = [0, 0, false, false, 0]
      const die = (): never => {
        dead = true
        throw new Death()
      }
      const source = sqliteSource(db, prepared, () => {
        if (writes > 0 && --writes === 0) die() // after the statement: only a transaction may undo it
      })
      const exec: SqlSource['exec'] = (query, ...bindings) => {
        if (dead) throw new Death()
        return source.exec(query, ...bindings)
      }
      const guard = strict({ exec })
      const sql = counted(guard.source)
      const atomically = <T>(work: () => T): T => {
        if (depth > 0) return work()
        depth++
        db.exec('SAVEPOINT work')
        try {
          const result = work()
          db.exec('RELEASE work')
          return result
        } catch (error) {
          db.exec('ROLLBACK TO work; RELEASE work')
          throw error
        } finally {
          depth--
        }
      }
      /** One await: something outside happens, the process may die before or after it. */
      const outside = async <T>(effect: () => T | Promise<T>): Promise<T> => {
        if (dead) throw new Death()
        const last = awaits > 0 && --awaits === 0
        if (last && !late) die()
        const result = await effect()
        if (last) die()
        if (dead) throw new Death()
        world.meanwhile?.()
        return result
      }
      const through = ({ binding }: StandingIndex) =>
        vectorize({
          upsert: (vectors) => outside(() => binding.upsert(vectors)),
          describe: () => outside(() => binding.describe()),
          deleteByIds: (ids) => outside(() => binding.deleteByIds(ids)),
          getByIds: (ids) => outside(() => binding.getByIds(ids)),
          query: (vector, options) => outside(() => binding.query(vector, options)),
        })
      const sinks: Sinks = {
        index: through(index),
        previousIndex: through(other),
        readModel: {
          publish: (_uid, _version, changes) =>
            outside(() => {
              for (const change of changes) {
                const { op, ...rest } = change
                const [verb, kind] = op.split('-')
                const name = 'id' in rest ? rest.id : 'document' in rest ? rest.document.id : 'chunk' in rest ? rest.chunk.id : nameOf(rest)
                if (verb === 'put') rows.set(`${kind} ${name}`, JSON.stringify(rest))
                else rows.delete(`${kind} ${name}`)
              }
              return { rows: changes.length, bytes: 0 }
            }),
          drop: async () => 0,
          forget: async () => undefined,
          keys: (_corpus, table, after, limit) =>
            outside(() =>
              [...rows.keys()]
                .flatMap((name) => (name.startsWith(`${table} `) ? [keyOf(table, name.slice(table.length + 1))] : []))
                .filter((key) => key > after)
                .sort()
                .slice(0, limit),
            ),
          rows: (_corpus, table, keys) =>
            outside(() =>
              keys.flatMap((key) => {
                const row = rows.get(`${table} ${table === 'edge' ? edgeNameOf(key) : key}`)
                return row ? [{ table, row: JSON.parse(row)[table] } as StoredRow] : []
              }),
            ),
          size: async () => ({ bytes: 0, max: Number.POSITIVE_INFINITY }),
        },
        outbound: {
          send: (messages) =>
            outside(() => {
              for (const { kind, id } of messages) world.owed.push(`${kind} ${id}`)
            }),
        },
      }
      migrate(sql)
      const occupant = occupantOf(shared.memory ?? isolateMemory)
      const graph = new SqliteGraph({ sql, dimensions: readMeta(sql, metaKeys.dimensions) ?? dimensions, occupant })
      graph.migrate()
      const settings = { ...defaultSettings, ...more, dimensions }
      if (!hasMeta(sql, metaKeys.config)) writeMeta(sql, metaKeys.config, { uid, name: uid, strategies, settings, budget: {} })
      const context = contextOf({
        sql,
        graph,
        unindexed: createUnindexedVectors(lastSeq({ sql }), MAX_BYTES, occupant),
        now: () => clock.now,
        leaseMs: LEASE,
        ...(shared.part === undefined ? {} : { part: shared.part }),
        ...(shared.asked === undefined ? {} : { lastQuestion: shared.asked }),
        lastBackground: { at: 0 },
        lastJob: { at: 0 },
        ...(shared.page === undefined ? {} : { comparedRows: shared.page }),
        atomically: (work) => {
          try {
            return atomically(() => guard.transaction(work))
          } catch (error) {
            graph.forget()
            throw error
          }
        },
      })
      if (!context) throw new Error('not configured')
      return {
        context,
        sinks,
        dead: () => dead,
        doom: (at) => {
          writes = at.write ?? 0
          awaits = at.await ?? 0
          late = at.late ?? false
        },
      }
    },
  }
  return world
}

/** The corpus's own mark apart: it says how often was sent, not what. */
function vectorLines({ rows }: StandingIndex, uid: string): string[] {
  const vectors = [...rows.values()].filter((one) => one.namespace === uid && one.metadata?.kind !== MARKER)
  return vectors.map(({ id, metadata, values }) => `vector ${id} ${metadata?.kind} ${metadata?.layer} ${values.join(',')}`)
}

function keyOf(table: string, name: string): string {
  if (table !== 'edge') return name
  const [kind, source, target] = name.split(' ')
  return JSON.stringify([source, kind, target])
}

function edgeNameOf(key: string): string {
  const [source, kind, target] = JSON.parse(key) as readonly string[]
  return `${kind} ${source} ${target}`
}

function nameOf(rest: object): string {
  if ('node' in rest) return String((rest.node as { id: string }).id)
  const edge = 'edge' in rest ? (rest.edge as object) : rest
  const { kind, source, target } = edge as { kind: string; source: string; target: string }
  return `${kind} ${source} ${target}`
}
