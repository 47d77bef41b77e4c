/**
 * The graph's tables in the object's SQLite. Every row written is paid for, including those of indexes: a chunk with its spans and all its
 * vectors is one row and one index entry, an edge one row for each end it is walked from.
 */
import type { Occupant } from '../../src/isolate-memory'
import type { Sql } from '../sql'

export interface Opening {
  readonly sql: Sql
  readonly dimensions: number
  /** What a question may read of the keyword index (words.ts). */
  readonly postings?: number | undefined
  /** How much of what was read may be cached. */
  readonly cacheBytes?: number
  /** The isolate's memory. Absent: one for this graph alone. */
  readonly occupant?: Occupant
}

/** For the keyword index: what is removed from it is not kept. */
export const SECURE_DELETE = `INSERT INTO words (words, rank) VALUES ('secure-delete', 1)`

const STEPS: readonly string[] = [
  `
  CREATE TABLE graph_state (one INTEGER PRIMARY KEY CHECK (one = 0), version INTEGER NOT NULL, counts TEXT NOT NULL);
  INSERT INTO graph_state VALUES (0, 0, '{}');

  CREATE TABLE document (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL);
  CREATE TABLE placement (
    chunk TEXT NOT NULL, document TEXT NOT NULL, start INTEGER NOT NULL,
    PRIMARY KEY (chunk, document, start)
  ) WITHOUT ROWID;

  -- Passages' vectors first and units' last: SQLite reads a long row up to the column that is asked for.
  CREATE TABLE chunk (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, passages BLOB NOT NULL, body TEXT NOT NULL, units BLOB NOT NULL);

  CREATE TABLE node (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    layer INTEGER NOT NULL, vector BLOB, body TEXT NOT NULL, sum BLOB
  );

  -- side: the edge's kind and the end it is seen from (rows.ts); near is that end, far the other.
  CREATE TABLE edge (
    side INTEGER NOT NULL, near TEXT NOT NULL, far TEXT NOT NULL, weight REAL NOT NULL, data TEXT,
    PRIMARY KEY (side, near, far)
  ) WITHOUT ROWID;

  CREATE TABLE place (space TEXT NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (space, key)) WITHOUT ROWID;
  CREATE TABLE value (space TEXT NOT NULL, key TEXT NOT NULL, body NOT NULL, PRIMARY KEY (space, key)) WITHOUT ROWID;

  -- Holds no text: terms are fed to it ready-made, and the ascii tokenizer takes every other character as part of a word.
  CREATE VIRTUAL TABLE words USING fts5(
    title, text, content='', tokenize="ascii tokenchars '!#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~'"
  );
  ${SECURE_DELETE};
  CREATE VIRTUAL TABLE word USING fts5vocab(words, row);
  `,
  // The state in two sums (state-sum.ts); empty: not summed up yet.
  `ALTER TABLE graph_state ADD COLUMN sums TEXT NOT NULL DEFAULT ''`,
  // Who may read what (access.ts). Documents without labels, and nodes derived only from such, have no row. A label set is a sorted JSON
  // list, never changed and never removed; `numbers` are those of label sets.
  `
  CREATE TABLE label_set (n INTEGER PRIMARY KEY, labels TEXT NOT NULL UNIQUE);
  CREATE TABLE access (document TEXT PRIMARY KEY, label_set INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX access_set ON access (label_set);
  CREATE TABLE beneath (node TEXT PRIMARY KEY, numbers TEXT NOT NULL) WITHOUT ROWID;
  `,
  // Memberships are read only from the member (`EDGE_ENDS`): their rows from the other end, 2 × 6 + 1, are no longer read.
  'DELETE FROM edge WHERE side = 13',
  // What extracts of chunks are made from (sentences.ts): a graph derived beside this one shares it.
  'CREATE TABLE sentences (chunk TEXT PRIMARY KEY, terms BLOB NOT NULL) WITHOUT ROWID',
]

export function migrate(sql: Sql): void {
  sql.run('CREATE TABLE IF NOT EXISTS graph_schema (one INTEGER PRIMARY KEY CHECK (one = 0), done INTEGER NOT NULL)')
  const done = sql.one<{ done: number }>('SELECT done FROM graph_schema')?.done ?? 0
  for (const step of STEPS.slice(done)) sql.run(step)
  if (done < STEPS.length) sql.run('INSERT OR REPLACE INTO graph_schema VALUES (0, ?)', STEPS.length)
}
