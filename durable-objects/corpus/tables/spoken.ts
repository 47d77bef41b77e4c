/** The language of each served document, as far as it is known. All SQL on the table is here. */
import { languageCodes } from '../../../src/core/text/languages'
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_SPOKEN =
  'CREATE TABLE spoken (language TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (language, document)) WITHOUT ROWID;'

export function insertSpoken(sql: Sql, language: string, document: string): void {
  sql.run('INSERT OR IGNORE INTO spoken (language, document) VALUES (?, ?)', language, document)
}

export function deleteSpoken(sql: Sql, language: string, document: string): void {
  sql.run('DELETE FROM spoken WHERE language = ? AND document = ?', language, document)
}

/** Those of these documents whose language is known, each with it. One language at a time: rows are found by both. */
export function listLanguagesOf(sql: Sql, documents: readonly string[]): (readonly [document: string, language: string])[] {
  const ids = JSON.stringify(documents)
  const query = 'SELECT document FROM spoken WHERE language = ? AND document IN (SELECT value FROM json_each(?))'
  return languageCodes
    .filter((one) => sql.one('SELECT 1 FROM spoken WHERE language = ? LIMIT 1', one))
    .flatMap((one) => sql.all<{ document: string }>(query, one, ids).map((row) => [row.document, one] as const))
}

/** Documents in one of these languages. */
export function listDocumentsIn(sql: Sql, languages: readonly string[]): string[] {
  const query = 'SELECT document FROM spoken WHERE language IN (SELECT value FROM json_each(?))'
  return sql.all<{ document: string }>(query, JSON.stringify(languages)).map((row) => row.document)
}
