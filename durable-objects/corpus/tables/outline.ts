/** Where the parts of a document's version begin (src/core/text/outline.ts). Separate from the version's row, which is read without it. All SQL on the table is here. */
import { merge, type Outline } from '../../../src/core/text/outline'
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. JSON lists: what came with the document, and what was found in its text. */
export const CREATE_OUTLINE = 'CREATE TABLE outline (revision INTEGER PRIMARY KEY, given TEXT NOT NULL, found TEXT NOT NULL);'

export function insertOutline(sql: Sql, revision: number, { given, found }: { readonly given: Outline; readonly found: Outline }): void {
  if (given.length + found.length === 0) return
  sql.run('INSERT INTO outline (revision, given, found) VALUES (?, ?, ?)', revision, JSON.stringify(given), JSON.stringify(found))
}

/** Empty: nothing is known about the version. */
export function readOutline(sql: Sql, revision: number): Outline {
  const row = sql.one<{ given: string; found: string }>('SELECT given, found FROM outline WHERE revision = ?', revision)
  return row ? merge(JSON.parse(row.given) as Outline, JSON.parse(row.found) as Outline) : []
}

/** What came with the document. */
export function readGivenOutline(sql: Sql, revision: number): Outline {
  const row = sql.one<{ given: string }>('SELECT given FROM outline WHERE revision = ?', revision)
  return row ? (JSON.parse(row.given) as Outline) : []
}

export function deleteOutline(sql: Sql, revision: number): void {
  sql.run('DELETE FROM outline WHERE revision = ?', revision)
}

/** As stored: JSON lists. */
export const readStoredOutline = (sql: Sql, revision: number): { readonly given: string; readonly found: string } | undefined =>
  sql.one('SELECT given, found FROM outline WHERE revision = ?', revision)
