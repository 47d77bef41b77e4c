/**
 * Questions asked, if a corpus keeps them, and the documents that their answers may quote: when one of these is deleted the entry loses its
 * texts; when any is, if the answer may quote any (`''` in place of the document). All SQL on both tables is here.
 */
import type { LogFilter, LoggedQuestion, NewLogged } from '../../../src/ports/seeing'
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. rating: 1, -1, NULL: none; documents, degraded, wrong: JSON lists. */
export const CREATE_QUESTION_LOG = `
  CREATE TABLE question_log (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,              -- ms
    key TEXT NOT NULL,
    door TEXT NOT NULL,
    kind TEXT NOT NULL,               -- search | query
    outcome TEXT NOT NULL,            -- answered | refused | nothing
    question TEXT,                    -- NULL: it was forgotten
    answer TEXT,
    confidence REAL,
    version INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    documents TEXT NOT NULL,
    degraded TEXT NOT NULL,
    rating INTEGER,
    comment TEXT,
    wrong TEXT
  );
  CREATE INDEX question_log_poor ON question_log (n) WHERE outcome <> 'answered' OR rating < 0;
  CREATE TABLE question_log_document (document TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (document, n)) WITHOUT ROWID;
`

const POOR = `(outcome <> 'answered' OR rating < 0)` // as in the index

interface Row extends Omit<LoggedQuestion, 'documents' | 'degraded' | 'wrong'> {
  readonly documents: string
  readonly degraded: string
  readonly wrong: string | null
}

const ANY = '' // no document has this id

export function insertLogged(sql: Sql, entry: NewLogged & Pick<LoggedQuestion, 'at' | 'key' | 'door'>): void {
  const { isBroad, id, at, key, door, kind, outcome, question, answer, confidence, version, ms, documents, degraded } = entry
  sql.run(
    `INSERT OR IGNORE INTO question_log (id, at, key, door, kind, outcome, question, answer, confidence, version, ms, documents, degraded)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, at, key, door, kind, outcome, question, answer, confidence, version, ms, JSON.stringify(documents), JSON.stringify(degraded)],
  )
  sql.run(
    'INSERT OR IGNORE INTO question_log_document SELECT value, (SELECT n FROM question_log WHERE id = ?) FROM json_each(?)',
    id,
    JSON.stringify(isBroad ? [...documents, ANY] : documents),
  )
}

export function findLogged(sql: Sql, id: string): LoggedQuestion | undefined {
  const row = sql.one<Row>('SELECT * FROM question_log WHERE id = ?', id)
  return row && entryOf(row)
}

/** Newest first, before a number. */
export function listLogged(sql: Sql, { before, limit, outcome, rating }: LogFilter): LoggedQuestion[] {
  return sql
    .all<Row>(
      `SELECT * FROM question_log WHERE n < ? AND (? IS NULL OR outcome = ?) AND (? IS NULL OR rating = ?) ORDER BY n DESC LIMIT ?`,
      ...[before ?? Number.MAX_SAFE_INTEGER, outcome, outcome, rating, rating, limit],
    )
    .map(entryOf)
}

/** Those that found nothing, were refused or were rated badly, newest first. */
export function listPoor(sql: Sql, since: number, limit: number): LoggedQuestion[] {
  const rows = sql.all<Row>(`SELECT * FROM question_log WHERE ${POOR} ORDER BY n DESC LIMIT ?`, limit)
  return rows.filter(({ at }) => at >= since).map(entryOf)
}

export function rateLogged(sql: Sql, id: string, { rating, comment, wrong }: Pick<LoggedQuestion, 'rating' | 'comment' | 'wrong'>): void {
  sql.run('UPDATE question_log SET rating = ?, comment = ?, wrong = ? WHERE id = ?', rating, comment, wrong && JSON.stringify(wrong), id)
}

export function deleteLogged(sql: Sql, id: string): void {
  sql.run('DELETE FROM question_log_document WHERE n = (SELECT n FROM question_log WHERE id = ?)', id)
  sql.run('DELETE FROM question_log WHERE id = ?', id)
}

export function deleteAllLogged(sql: Sql): void {
  sql.run('DELETE FROM question_log_document')
  sql.run('DELETE FROM question_log')
}

/** Entries that may quote these documents keep only ids, and no longer theirs. */
export function blankLoggedOf(sql: Sql, documents: readonly string[]): void {
  const named = JSON.stringify([...documents, ANY])
  sql.run(
    `UPDATE question_log SET question = NULL, answer = NULL, comment = NULL WHERE n IN
       (SELECT n FROM question_log_document WHERE document IN (SELECT value FROM json_each(?)))`,
    named,
  )
  sql.run('DELETE FROM question_log_document WHERE document = ?', ANY)
}

export function oldestLoggedAt(sql: Sql): number | undefined {
  return sql.one<{ at: number }>('SELECT at FROM question_log ORDER BY n LIMIT 1')?.at
}

/** Among the oldest entries, those made before a time. */
export function deleteLoggedBefore(sql: Sql, before: number, limit: number): void {
  deleteUpTo(
    sql,
    sql.one<{ n: number | null }>('SELECT max(n) AS n FROM (SELECT n, at FROM question_log ORDER BY n LIMIT ?) WHERE at < ?', limit, before)
      ?.n,
  )
}

/** All but the newest. */
export function trimLogged(sql: Sql, maxRows: number): void {
  deleteUpTo(sql, sql.one<{ n: number | null }>('SELECT max(n) - ? AS n FROM question_log', maxRows)?.n)
}

function deleteUpTo(sql: Sql, n: number | null | undefined): void {
  if (!n || n <= 0) return
  for (const { id } of sql.all<{ id: string }>('SELECT id FROM question_log WHERE n <= ?', n)) deleteLogged(sql, id)
}

function entryOf({ documents, degraded, wrong, ...row }: Row): LoggedQuestion {
  return { ...row, documents: JSON.parse(documents), degraded: JSON.parse(degraded), wrong: wrong === null ? null : JSON.parse(wrong) }
}
