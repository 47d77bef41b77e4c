/** Tables of what leaves the corpus and of what it fetches. A step of `schema.ts`; once released it is not changed. */
export const OUTBOUND = `
  CREATE TABLE endpoint (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    events TEXT NOT NULL,             -- JSON list; empty: all
    secrets TEXT NOT NULL,            -- JSON list of {sealed, until}
    status TEXT NOT NULL,             -- active | gone
    created INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE delivery (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    event TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,               -- ids, versions and statuses
    state TEXT NOT NULL,              -- new (the queue has not heard of it) | queued | delivered | dead
    attempts INTEGER NOT NULL,        -- begun
    due INTEGER NOT NULL,             -- ms; not to be tried before
    at INTEGER NOT NULL,
    last TEXT                         -- how the last attempt ended
  );
  CREATE INDEX delivery_endpoint ON delivery (endpoint, n);
  CREATE INDEX delivery_open ON delivery (state, due) WHERE state = 'new' OR state = 'queued'; -- so written, SQLite sees that it serves
  CREATE TABLE source (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    document TEXT NOT NULL UNIQUE,
    every INTEGER NOT NULL,           -- ms
    on_gone TEXT NOT NULL,            -- keep | delete
    metadata TEXT NOT NULL,
    created INTEGER NOT NULL,
    status TEXT NOT NULL,             -- new | ok | failing | gone
    state TEXT NOT NULL,              -- idle | new (to be put on the queue) | queued
    attempts INTEGER NOT NULL,        -- begun, ever: names an attempt
    failures INTEGER NOT NULL,        -- in a row
    missing INTEGER NOT NULL,         -- looks in a row that found 404 or 410
    last TEXT,
    seen INTEGER,
    changed INTEGER,
    due INTEGER NOT NULL,
    etag TEXT,
    modified TEXT,
    hash TEXT
  ) WITHOUT ROWID;
  CREATE INDEX source_due ON source (state, due);
`
