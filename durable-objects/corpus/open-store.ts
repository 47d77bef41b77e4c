/**
 * Creates what every part of the object works with: its SQLite with all tables, the graph in it, one transaction at a time, and its limits.
 */
import type { Env } from '../../src/env'
import { rememberLayout } from '../../src/partition-layout'
import { questionsFirst } from '../../src/question-precedence'
import { SqliteGraph } from '../graph/sqlite-graph'
import { counted } from '../sql'
import { strict } from '../strict'
import { limitsOf } from './limits'
import { storeSize } from './outbox/store-size'
import { createUnindexedVectors, MAX_BYTES } from './outbox/unindexed-vectors'
import { resumeRecording } from './replication/writer'
import { migrate } from './schema'
import type { Store, Sync } from './store'
import { deleteAllAnswers } from './tables/kept-answer'
import { metaKeys, readMeta, readUid } from './tables/meta'
import { lastSeq } from './tables/outbox'

/** Results carry the version at which they were given. */
function forgettingAnswers<T>({ sql, graph }: Pick<Store, 'sql' | 'graph'>, work: () => Sync<T>): Sync<T> {
  const { version } = graph
  const done = work()
  if (graph.version !== version) deleteAllAnswers(sql)
  return done
}

export function openStore(storage: DurableObjectStorage, env: Env): Store {
  const guard = env.STRICT_STORAGE === 'on' ? strict(storage.sql) : undefined
  const sql = counted(guard?.source ?? storage.sql)
  migrate(sql)
  const dimensions = readMeta(sql, metaKeys.dimensions) ?? Number(env.EMBEDDING_DIMENSIONS)
  const graph = new SqliteGraph({ sql, dimensions })
  graph.migrate()
  resumeRecording({ sql, graph })
  const [uid, layout] = [readUid(sql), readMeta(sql, metaKeys.layout)]
  if (uid !== undefined && layout) rememberLayout(uid, layout)
  return {
    sql,
    graph,
    unindexed: createUnindexedVectors(lastSeq({ sql }), MAX_BYTES, graph.occupant),
    atomically: (work) => {
      try {
        const whole = () => forgettingAnswers({ sql, graph }, work)
        return storage.transactionSync(guard ? () => guard.transaction(whole) : whole)
      } catch (error) {
        graph.forget() // memory may be out of date now
        throw error
      }
    },
    now: () => Date.now(),
    lastQuestion: { at: 0 },
    areOthersAsked: () => questionsFirst.isExpected,
    lastBackground: { at: 0 },
    lastJob: { at: 0 },
    leaseMs: Number(env.LEASE_SECONDS ?? 300) * 1000,
    ...(env.RERANKER_MODEL ? { reranker: env.RERANKER_MODEL } : {}),
    limits: limitsOf(env),
    databaseSize: storeSize('database_bytes', () => Date.now()),
    indexSize: storeSize('index_vectors', () => Date.now()),
  }
}
