/**
 * The corpus's tables: what was accepted, what is owed, what it cost and who has been told. The graph's own tables are in
 * `../graph`. Every change of a table's shape is a new numbered step; steps run once, in order, when the object wakes.
 */
import { HOLDS } from '../holds'
import type { Sql } from '../sql'
import { AUDIT } from './audit/log'
import { TOTALS } from './billing/rows'
import { LATE } from './indexing/late'
import { UNWRITTEN } from './indexing/pending-rewrites'
import { QUARANTINE } from './indexing/quarantine'
import { WEIGHED } from './quality-gate/probes'
import { OUTBOUND } from './schema-outbound'
import { DIFFERING } from './shadow-graph/differing'
import { ADD_TASK_TEXTS, CREATE_TASK } from './tables/task'

const STEPS: readonly string[] = [
  `
  CREATE TABLE revision (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    document TEXT NOT NULL,
    state TEXT NOT NULL,              -- staged | live | failed; superseded and deleted ones are removed
    content_version INTEGER NOT NULL, -- 1, 2, … per document
    indexed_version INTEGER NOT NULL, -- corpus version that made it live; 0 while staged
    hash TEXT NOT NULL,
    title TEXT NOT NULL,
    name TEXT NOT NULL,
    url TEXT,
    metadata TEXT NOT NULL,
    text TEXT NOT NULL,
    placed TEXT NOT NULL,             -- [{chunk, start}]
    waiting INTEGER NOT NULL,         -- chunks whose vectors are not here yet
    job INTEGER NOT NULL,
    error TEXT
  );
  CREATE INDEX revision_document ON revision (document, n);
  CREATE TABLE awaited (chunk TEXT NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (chunk, revision)) WITHOUT ROWID;
  CREATE TABLE staged (chunk TEXT PRIMARY KEY, body TEXT NOT NULL, passages BLOB, units BLOB) WITHOUT ROWID;
  CREATE TABLE job (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,             -- queued | running | succeeded | failed | cancelled | paused_budget
    phase TEXT NOT NULL,              -- staging → settling → telling → done
    created INTEGER NOT NULL,
    upto INTEGER NOT NULL,            -- newest revision when it was accepted: its deletes reach no further
    deletes TEXT NOT NULL,
    waiting INTEGER NOT NULL,         -- revisions not ready to be integrated
    open INTEGER NOT NULL,            -- urgent tasks owed to it
    done INTEGER NOT NULL,
    total INTEGER NOT NULL,
    told INTEGER NOT NULL,            -- outbox entry that must have reached the sinks; 0: none
    tally TEXT NOT NULL,              -- what it has cost and touched so far
    error TEXT,
    receipt TEXT,
    progress TEXT                     -- where paged work (reindex, rebuild, drop) has got to
  );
  CREATE INDEX job_unfinished ON job (n) WHERE phase <> 'done';
${CREATE_TASK}  CREATE TABLE touched (job INTEGER NOT NULL, n INTEGER NOT NULL, ids TEXT NOT NULL, PRIMARY KEY (job, n)) WITHOUT ROWID;
  CREATE TABLE outbox (seq INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL, entries TEXT NOT NULL);
  CREATE TABLE sent (seq INTEGER PRIMARY KEY, mutation TEXT NOT NULL, at INTEGER NOT NULL);
  CREATE TABLE cache (input TEXT PRIMARY KEY, node TEXT NOT NULL, reply TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE cache_source (source TEXT NOT NULL, input TEXT NOT NULL, PRIMARY KEY (source, input)) WITHOUT ROWID;
  CREATE TABLE facet (key TEXT NOT NULL, value TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (key, value, document)) WITHOUT ROWID;
  `,
  // Events taken in, by keyed names that say nothing; job: what it became, null if it changed nothing; at: ms.
  `
  CREATE TABLE event (id TEXT PRIMARY KEY, job TEXT, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX event_at ON event (at);
  `,
  // What was paid for, by stage; document: '' where it serves several or none.
  `
  CREATE TABLE spending (
    document TEXT NOT NULL,
    stage TEXT NOT NULL,
    calls INTEGER NOT NULL,
    read INTEGER NOT NULL,
    written INTEGER NOT NULL,
    embedded INTEGER NOT NULL,
    usd REAL NOT NULL,
    PRIMARY KEY (document, stage)
  ) WITHOUT ROWID;
  `,
  // One for every commit, for good: what it touched and the state it left, chained by hashes.
  `
  CREATE TABLE receipt (version INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL);
  `,
  OUTBOUND,
  QUARANTINE,
  // Pinned questions and the documents that must answer them; found: what each strategy found of them last.
  `
  CREATE TABLE probe (n INTEGER PRIMARY KEY, query TEXT NOT NULL, expect TEXT NOT NULL, vector BLOB, found TEXT);
  CREATE TABLE fed (id TEXT PRIMARY KEY) WITHOUT ROWID; -- chunks, and documents behind a d and a space, that a graph being derived anew has taken in
  CREATE INDEX revision_error ON revision (n) WHERE error IS NOT NULL;
  `,
  TOTALS,
  UNWRITTEN,
  WEIGHED,
  // Vectors were written under the nodes' bare ids, which two corpora may share: what is told anew removes them (outbox/index-sink.ts).
  `INSERT INTO meta (key, value) SELECT 'index/unnamed', 'yes' FROM meta WHERE key = 'told/index'`,
  // What was heard, or given up, in the order it is thrown away.
  `CREATE INDEX delivery_closed ON delivery (state, at) WHERE state = 'delivered' OR state = 'dead'`,
  LATE,
  DIFFERING,
  HOLDS,
  ADD_TASK_TEXTS,
  // Labels: JSON lists. Those of a version stand in its index: behind its text a list would have to read the text.
  `
  ALTER TABLE revision ADD COLUMN access TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE endpoint ADD COLUMN asker TEXT NOT NULL DEFAULT '"all"';
  ALTER TABLE source ADD COLUMN access TEXT NOT NULL DEFAULT '[]';
  DROP INDEX revision_document;
  CREATE INDEX revision_document ON revision (document, n, access);
  `,
  AUDIT,
]

export function migrate(sql: Sql): void {
  sql.run('CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID')
  const done = Number(sql.one<{ value: string }>(`SELECT value FROM meta WHERE key = 'schema'`)?.value ?? 0)
  for (const step of STEPS.slice(done)) sql.run(step)
  if (done < STEPS.length) sql.run(`INSERT OR REPLACE INTO meta (key, value) VALUES ('schema', ?)`, String(STEPS.length))
}
