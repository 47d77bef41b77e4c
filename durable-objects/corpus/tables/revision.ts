/** Versions of documents: accepted, served or failed, with their texts. All SQL on the table is here. */
import type { Sql } from '../../sql'
import { deleteBrought } from './brought'
import { deleteFile } from './file'
import { deleteOutline } from './outline'

/** Steps of `schema.ts`; once released they are not changed. */
export const CREATE_REVISION = `
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
`
export const INDEX_REVISION_ERROR = 'CREATE INDEX revision_error ON revision (n) WHERE error IS NOT NULL;'
/** Labels: a JSON list. They are in the index: otherwise a list of documents would have to read past the texts. */
export const ADD_REVISION_ACCESS = `
  ALTER TABLE revision ADD COLUMN access TEXT NOT NULL DEFAULT '[]';
  DROP INDEX revision_document;
  CREATE INDEX revision_document ON revision (document, n, access);
`

/** Whether it takes part in questions: 0 if it is switched off. In the index, like labels. */
export const ADD_REVISION_ACTIVE = `
  ALTER TABLE revision ADD COLUMN active INTEGER NOT NULL DEFAULT 1;
  DROP INDEX revision_document;
  CREATE INDEX revision_document ON revision (document, n, access, active);
`

/** Dates: a JSON object (core/text/iso-date.ts). A language: its code, `und` if it could not be detected, empty in older rows. */
export const ADD_REVISION_DATES = `ALTER TABLE revision ADD COLUMN dates TEXT NOT NULL DEFAULT '{}';`
export const ADD_REVISION_LANGUAGE = `ALTER TABLE revision ADD COLUMN language TEXT NOT NULL DEFAULT '';`

/** For a text corrected here, the fingerprint of the original text; empty: it is the original. When this content was accepted, in ms; 0 in older rows. */
export const ADD_REVISION_SOURCE = `ALTER TABLE revision ADD COLUMN source TEXT NOT NULL DEFAULT '';`
export const ADD_REVISION_ACCEPTED = 'ALTER TABLE revision ADD COLUMN accepted_at INTEGER NOT NULL DEFAULT 0;'

export interface Revision {
  readonly n: number
  readonly document: string
  readonly state: 'staged' | 'live' | 'failed'
  readonly content_version: number
  readonly indexed_version: number
  readonly hash: string
  readonly title: string
  readonly name: string
  readonly url: string | null
  readonly metadata: string
  readonly text: string
  readonly placed: string
  readonly waiting: number
  readonly job: number
  readonly error: string | null
  readonly access: string // JSON list of labels
  readonly active: number // 0: switched off
  readonly dates: string
  readonly language: string
  readonly source: string
  readonly accepted_at: number // ms; 0: unknown
}

/** Everything but the text: a long document's text is not read once for each of its chunks. */
const WITHOUT_TEXT = `n, document, state, content_version, indexed_version, hash, title, name, url, metadata, '' AS text, placed, waiting, job, error, access, active, dates, language, source, accepted_at`

/** A staged version; returns its number. */
export function insertRevision(sql: Sql, row: Omit<Revision, 'n' | 'state' | 'indexed_version' | 'waiting' | 'error'>): number {
  const given = Object.keys(row)
  const values = given.map(() => '?')
  const insert = `INSERT INTO revision (state, indexed_version, waiting, ${given.join(', ')}) VALUES ('staged', 0, 0, ${values.join(', ')})`
  sql.run(insert, ...Object.values(row))
  return sql.one<{ n: number }>('SELECT last_insert_rowid() AS n')?.n ?? 0
}

export function deleteRevision(sql: Sql, n: number): void {
  deleteBrought(sql, n)
  deleteOutline(sql, n)
  deleteFile(sql, n)
  sql.run('DELETE FROM revision WHERE n = ?', n)
}

// ---------------------------------------------------------------- a document's versions

/** The latest accepted version: staged if there is one, or else live. */
export const readNewestRevision = (sql: Sql, document: string): Revision | undefined =>
  sql.one<Revision>('SELECT * FROM revision WHERE document = ? ORDER BY n DESC LIMIT 1', document)

export const readLiveRevision = (sql: Sql, document: string): Revision | undefined =>
  sql.one<Revision>(`SELECT * FROM revision WHERE document = ? AND state = 'live' ORDER BY n DESC LIMIT 1`, document)

export const readLiveNumber = (sql: Sql, document: string): number | undefined =>
  sql.one<{ n: number }>(`SELECT n FROM revision WHERE document = ? AND state = 'live'`, document)?.n

/** Documents that an archive brought: those whose ids begin with its name and that say so. `/` is followed by `0`. */
export const listUnpacked = (sql: Sql, under: string, archive: string): string[] =>
  sql.all<{ document: string }>(UNPACKED, `${under}/`, `${under}0`, archive).map(({ document }) => document)
const UNPACKED = `SELECT DISTINCT document FROM revision WHERE document > ? AND document < ? AND json_extract(metadata, '$.archive') = ?`

export const readRevisionText = (sql: Sql, n: number): string =>
  sql.one<{ text: string }>('SELECT text FROM revision WHERE n = ?', n)?.text ?? ''
/** Its text is empty here. */
export const readLiveRevisionWithoutText = (sql: Sql, document: string): Revision | undefined =>
  sql.one<Revision>(`SELECT ${WITHOUT_TEXT} FROM revision WHERE document = ? AND state = 'live'`, document)

/** Staged and failed ones. */
export const listRevisionsNotLive = (sql: Sql, document: string): Revision[] =>
  sql.all<Revision>(`SELECT * FROM revision WHERE document = ? AND state <> 'live'`, document)

export type LiveState = Pick<Revision, 'document' | 'content_version' | 'indexed_version' | 'error' | 'placed'> & {
  readonly state: 'live'
  readonly done: number // 1: the job that brought it has ended
}

export function readLiveState(sql: Sql, document: string): LiveState | undefined {
  return sql.one<LiveState>(
    `SELECT r.document, r.state, r.content_version, r.indexed_version, r.error, r.placed, coalesce(j.phase = 'done', 1) AS done
     FROM revision r LEFT JOIN job j ON j.n = r.job WHERE r.document = ? AND r.state = 'live'`,
    document,
  )
}

// ---------------------------------------------------------------- from staged to live

/** The staged ones among these numbers (JSON), in order. Their texts are empty here. */
export function listStagedRevisions(sql: Sql, numbers: string): Revision[] {
  return sql.all<Revision>(
    `SELECT ${WITHOUT_TEXT} FROM revision WHERE state = 'staged' AND n IN (SELECT value FROM json_each(?)) ORDER BY n`,
    numbers,
  )
}

/** Live versions of these documents, if accepted before a number. Their texts are empty here. */
export function listLiveRevisionsUpTo(sql: Sql, upto: number, documents: readonly string[]): Revision[] {
  return sql.all<Revision>(
    `SELECT ${WITHOUT_TEXT} FROM revision WHERE state = 'live' AND n <= ? AND document IN (SELECT value FROM json_each(?))`,
    upto,
    JSON.stringify(documents),
  )
}

/** Those that await a chunk. Their texts are empty here. */
export const listRevisionsAwaiting = (sql: Sql, chunk: string): Revision[] =>
  sql.all<Revision>(`SELECT ${WITHOUT_TEXT} FROM revision WHERE n IN (SELECT revision FROM awaited WHERE chunk = ?)`, chunk)

/** Of the documents whose versions await a chunk, the first by id. */
export function findDocumentAwaiting(sql: Sql, chunk: string): string | undefined {
  return sql.one<{ document: string }>(
    'SELECT r.document FROM revision r JOIN awaited a ON a.revision = r.n WHERE a.chunk = ? ORDER BY r.document LIMIT 1',
    chunk,
  )?.document
}

export const setRevisionWaiting = (sql: Sql, n: number, chunks: number) => sql.run('UPDATE revision SET waiting = ? WHERE n = ?', chunks, n)
export const setRevisionLanguage = (sql: Sql, n: number, code: string) => sql.run('UPDATE revision SET language = ? WHERE n = ?', code, n)

/** Each waits for this many chunks more. */
export function addToWaiting(sql: Sql, numbers: readonly number[], chunks: number): void {
  sql.run('UPDATE revision SET waiting = waiting + ? WHERE n IN (SELECT value FROM json_each(?))', chunks, JSON.stringify(numbers))
}

export const setRevisionLive = (sql: Sql, n: number, version: number): void =>
  sql.run(`UPDATE revision SET state = 'live', indexed_version = ? WHERE n = ?`, version, n)

export const setRevisionFailed = (sql: Sql, n: number, error: string): void =>
  sql.run(`UPDATE revision SET state = 'failed', error = ?, waiting = 0 WHERE n = ?`, error, n)

/** A failed version is retried, as it would be divided now. */
export const setRevisionStaged = (sql: Sql, n: number, placed: string): void =>
  sql.run(`UPDATE revision SET state = 'staged', error = NULL, placed = ? WHERE n = ?`, placed, n)

/** The newest version as another partition had it. */
export const setMoved = (sql: Sql, document: string, { content_version: version, hash, accepted_at: at }: Moved): void =>
  sql.run(`UPDATE revision SET content_version = ?, hash = ?, accepted_at = ? ${NEWEST}`, version, hash, at, document)
const NEWEST = 'WHERE n = (SELECT max(n) FROM revision WHERE document = ?)'
type Moved = Pick<Revision, 'content_version' | 'hash' | 'accepted_at'>
// ---------------------------------------------------------------- of a job

export const listFailedRevisionsOfJob = (sql: Sql, job: number): Revision[] =>
  sql.all<Revision>(`SELECT * FROM revision WHERE job = ? AND state = 'failed'`, job)

export const listStagedRevisionsOfJob = (sql: Sql, job: number): Pick<Revision, 'n' | 'document' | 'placed'>[] =>
  sql.all(`SELECT n, document, placed FROM revision WHERE job = ? AND state = 'staged'`, job)

export type SettledRevision = Pick<Revision, 'document' | 'content_version' | 'indexed_version' | 'error'> & {
  readonly state: 'live' | 'failed'
}

/** Those of these numbers (JSON) that this job brought and that are no longer staged. */
export function listSettledRevisionsOfJob(sql: Sql, job: number, numbers: string): SettledRevision[] {
  return sql.all<SettledRevision>(
    `SELECT document, state, content_version, indexed_version, error FROM revision
     WHERE n IN (SELECT value FROM json_each(?)) AND job = ? AND state IN ('live', 'failed') ORDER BY n`,
    numbers,
    job,
  )
}

export const setRevisionErrors = (sql: Sql, numbers: readonly number[], error: string): void =>
  sql.run('UPDATE revision SET error = ? WHERE n IN (SELECT value FROM json_each(?))', error, JSON.stringify(numbers))

export const setLiveError = (sql: Sql, document: string, error: string | null): void =>
  sql.run(`UPDATE revision SET error = ? WHERE document = ? AND state = 'live'`, error, document)

/** How many of at most this many are in each state. */
export function countErrors(sql: Sql, max: number): { readonly error: string; readonly n: number }[] {
  const some = 'SELECT error FROM revision WHERE error IS NOT NULL LIMIT ?'
  return sql.all(`SELECT error, count(*) AS n FROM (${some}) GROUP BY error ORDER BY error`, max)
}

export const listAccessOf = (sql: Sql, document: string): string[] =>
  sql.all<{ access: string }>('SELECT access FROM revision WHERE document = ?', document).map((row) => row.access)
/** The same as an SQL expression, given a column that contains the document: JSON lists of labels, one line for each version. */
export const accessesBy = (id: string): string => `(SELECT group_concat(access, char(10)) FROM revision r WHERE r.document = ${id})`

/** Who may read a document, and whether it takes part in questions. */
export type StoredAccess = Pick<Revision, 'access' | 'active'>

export const readNewestAccess = (sql: Sql, document: string): StoredAccess | undefined =>
  sql.one<StoredAccess>('SELECT access, active FROM revision WHERE document = ? ORDER BY n DESC LIMIT 1', document)

export const setAccessOf = (sql: Sql, document: string, { access, active }: StoredAccess): void =>
  sql.run('UPDATE revision SET access = ?, active = ? WHERE document = ?', access, active, document)
export const setAccessOfRevision = (sql: Sql, n: number, { access, active }: StoredAccess): void =>
  sql.run('UPDATE revision SET access = ?, active = ? WHERE n = ?', access, active, n)
/** Documents after an id, in order, with the labels of their versions: JSON lists, one per line. */
export function listAccessAfter(sql: Sql, after: string, limit: number): { readonly id: string; readonly accesses: string }[] {
  const lists = 'SELECT document AS id, group_concat(access, char(10)) AS accesses FROM revision WHERE document > ?'
  return sql.all(`${lists} GROUP BY document ORDER BY document LIMIT ?`, after, limit)
}

export const readLastRevisionNumber = (sql: Sql): number => sql.one<{ n: number }>('SELECT coalesce(max(n), 0) AS n FROM revision')?.n ?? 0

const counted = (sql: Sql, which: string, bound: string | number): number =>
  sql.one<{ n: number }>(`SELECT count(DISTINCT document) AS n FROM revision WHERE ${which}`, bound)?.n ?? 0
/** Documents other than these; and those served as accepted after a version. */
export const countOtherDocuments = (sql: Sql, ids: readonly string[]): number =>
  counted(sql, 'document NOT IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
export const countRevisionsAfter = (sql: Sql, version: number): number => counted(sql, `state = 'live' AND indexed_version > ?`, version)
