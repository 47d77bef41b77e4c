/**
 * The corpus's tables: what was accepted, what is owed, what it cost and who has been told. The graph's own tables are in
 * `../graph`. Every change of a table's shape is a new numbered step; steps run once, in order, when the object wakes.
 */
import { HOLDS } from '../holds'
import type { Sql } from '../sql'
import { AUDIT } from './audit/log'
import { OUTBOUND } from './schema-outbound'
import { CREATE_AWAITED } from './tables/awaited'
import { CREATE_CACHE } from './tables/cache'
import { CREATE_DIFFERING } from './tables/differing'
import { CREATE_EVENT } from './tables/event'
import { CREATE_FACET } from './tables/facet'
import { CREATE_FED } from './tables/fed'
import { CREATE_JOB } from './tables/job'
import { CREATE_LATE } from './tables/late'
import { CREATE_META, metaKeys, NOTE_UNNAMED_VECTORS, readMeta, writeMeta } from './tables/meta'
import { ADD_PROBE_WEIGHED, CREATE_PROBE } from './tables/probe'
import { CREATE_QUARANTINE } from './tables/quarantine'
import { ADD_REVISION_ACCESS, CREATE_REVISION, INDEX_REVISION_ERROR } from './tables/revision'
import { CREATE_SPENDING, CREATE_SPENDING_TOTAL } from './tables/spending'
import { CREATE_STAGED } from './tables/staged'
import { ADD_TASK_TEXTS, CREATE_TASK } from './tables/task'
import { CREATE_TOUCHED } from './tables/touched'
import { CREATE_UNWRITTEN } from './tables/unwritten'

const STEPS: readonly string[] = [
  `
  ${CREATE_REVISION}
  ${CREATE_AWAITED}
  ${CREATE_STAGED}
  ${CREATE_JOB}
  ${CREATE_TASK}
  ${CREATE_TOUCHED}
  CREATE TABLE outbox (seq INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL, entries TEXT NOT NULL);
  CREATE TABLE sent (seq INTEGER PRIMARY KEY, mutation TEXT NOT NULL, at INTEGER NOT NULL);
  ${CREATE_CACHE}
  ${CREATE_FACET}
  `,
  CREATE_EVENT,
  CREATE_SPENDING,
  // One for every commit, for good: what it touched and the state it left, chained by hashes.
  `
  CREATE TABLE receipt (version INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL);
  `,
  OUTBOUND,
  CREATE_QUARANTINE,
  `${CREATE_PROBE} ${CREATE_FED} ${INDEX_REVISION_ERROR}`,
  CREATE_SPENDING_TOTAL,
  CREATE_UNWRITTEN,
  ADD_PROBE_WEIGHED,
  NOTE_UNNAMED_VECTORS,
  // What was heard, or given up, in the order it is thrown away.
  `CREATE INDEX delivery_closed ON delivery (state, at) WHERE state = 'delivered' OR state = 'dead'`,
  CREATE_LATE,
  CREATE_DIFFERING,
  HOLDS,
  ADD_TASK_TEXTS,
  // Labels: JSON lists.
  `
  ${ADD_REVISION_ACCESS}
  ALTER TABLE endpoint ADD COLUMN asker TEXT NOT NULL DEFAULT '"all"';
  ALTER TABLE source ADD COLUMN access TEXT NOT NULL DEFAULT '[]';
  `,
  AUDIT,
]

export function migrate(sql: Sql): void {
  sql.run(CREATE_META)
  const done = readMeta(sql, metaKeys.schemaSteps) ?? 0
  for (const step of STEPS.slice(done)) sql.run(step)
  if (done < STEPS.length) writeMeta(sql, metaKeys.schemaSteps, STEPS.length)
}
