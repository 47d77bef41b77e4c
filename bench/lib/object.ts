/** The corpus object's state and graph in Node, on node:sqlite: the same code without the platform around it, for profiling. */
import { commitNext } from '../../durable-objects/corpus/indexing/commit'
import { commitRound, openTasks } from '../../durable-objects/corpus/indexing/runner'
import { accept } from '../../durable-objects/corpus/ingest/accept'
import { createUnindexedVectors } from '../../durable-objects/corpus/outbox/unindexed-vectors'
import { migrate } from '../../durable-objects/corpus/schema'
import { type CorpusContext, contextOf } from '../../durable-objects/corpus/store'
import { metaKeys, writeMeta } from '../../durable-objects/corpus/tables/meta'
import { SqliteGraph } from '../../durable-objects/graph/sqlite-graph'
import { counted, type Sql, type SqlSource } from '../../durable-objects/sql'
import type { Settings } from '../../src/core/settings'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import type { DocumentInput } from '../../src/ports/documents'
import type { TaskResult } from '../../src/ports/tasks'
import { openDatabase, sqliteSource } from '../../test/node-sqlite'
import { looked, watched } from './watched'

export interface Ran {
  readonly runs: number
  readonly ms: number
  readonly rows: number
}

export interface Opened extends Sql {
  atomically<T>(work: () => T): T
  /** By statement: how often it ran, how long in all, and the rows it wrote, indexes not counted. */
  readonly statements: ReadonlyMap<string, Ran>
}

/** `path`: of a file, which is read and written through a cache as small as the platform's. */
export function openSql(path = ':memory:'): Opened {
  const db = openDatabase(path)
  if (path !== ':memory:') db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  const statements = new Map<string, { runs: number; ms: number; rows: number }>()
  const source = sqliteSource(db)
  const timed: SqlSource['exec'] = (query, ...bindings) => {
    looked()
    const since = performance.now()
    let rows = 0
    try {
      const done = source.exec(query, ...bindings)
      rows = done.rowsWritten
      return done
    } finally {
      const known = statements.get(query) ?? { runs: 0, ms: 0, rows: 0 }
      known.runs++
      known.ms += performance.now() - since
      known.rows += rows
      statements.set(query, known)
    }
  }
  const sql = counted({ exec: timed })
  let depth = 0
  const atomically = <T>(work: () => T): T => {
    if (depth++ > 0) {
      try {
        return work()
      } finally {
        depth--
      }
    }
    db.exec('BEGIN')
    try {
      const result = work()
      db.exec('COMMIT')
      return result
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    } finally {
      depth--
    }
  }
  return { ...sql, atomically, statements }
}

export interface LocalObject {
  readonly context: CorpusContext
  /**
   * Accepts, embeds by `embed`, and works until no work is left. Returns seconds spent in accept and in commits, those of the longest one, and
   * the MB a commit held at most (bench/lib/watched.ts).
   */
  ingest(
    documents: readonly DocumentInput[],
    embed: (texts: readonly string[]) => Int8Array[],
  ): { accept: number; commit: number; longest: number; peak: number }
}

interface Otherwise {
  /** Chunks that go in together at most. */
  readonly part?: number | undefined
  /** What a question may read of the keyword index. */
  readonly postings?: number | undefined
}

/** `otherwise`: than the object does by itself. */
export function localObject(
  strategies: readonly string[],
  settings: Partial<Settings>,
  sql = openSql(),
  { part, postings }: Otherwise = {},
): LocalObject {
  migrate(sql)
  const merged = { ...defaultSettings, ...settings }
  const graph = new SqliteGraph({ sql, dimensions: merged.dimensions, postings })
  graph.migrate()
  const store = {
    sql,
    graph,
    unindexed: createUnindexedVectors(0),
    atomically: sql.atomically,
    now: () => Date.now(),
    leaseMs: 300_000,
    ...(part ? { part } : {}),
  }
  writeMeta(sql, metaKeys.config, { uid: 'local', name: 'local', strategies, settings: merged, budget: {} })
  const context = contextOf(store)
  if (!context) throw new Error('not configured')
  return {
    context,
    ingest: (documents, embed) => {
      const began = performance.now()
      accept(context, { kind: 'batch', upserts: documents, deletes: [] })
      const accepted = performance.now()
      let spent = 0
      let [longest, peak] = [0, 0]
      const timed = (work: () => unknown): boolean => {
        const { result, ...one } = watched(work)
        spent += one.seconds
        longest = Math.max(longest, one.seconds)
        peak = Math.max(peak, one.peak ?? 0)
        return Boolean(result)
      }
      for (;;) {
        const round = openTasks(context, 'local', 1024)
        if (!round || round.tasks.length === 0) break
        const results = round.tasks.map((task): TaskResult => {
          const texts = 'texts' in task.brief ? task.brief.texts : []
          const reply = { node: task.node, input: task.input, kind: 'embed' as const, vectors: embed(texts) }
          return { id: task.id, reply, spent: { in: 0, out: 0, embedded: 0 }, calls: {} }
        })
        timed(() => commitRound(context, 'local', results))
        while (timed(() => commitNext(context))) {} // a commit each
      }
      return { accept: (accepted - began) / 1000, commit: spent, longest, peak }
    },
  }
}
