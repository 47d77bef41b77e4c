/**
 * Whole answers to questions, under the hash of what they depend on; none outlives the version at which it was given. All SQL on the table
 * is here.
 */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. `answer`: JSON. `made`: when it was asked for, milliseconds since 1970. */
export const CREATE_KEPT_ANSWER = `
  CREATE TABLE kept_answer (n INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, made INTEGER NOT NULL, answer TEXT NOT NULL);
`

export interface KeptAnswerRow {
  readonly version: number
  readonly made: number
  readonly answer: string
}

export function writeKeptAnswer(sql: Sql, { key, version, made, answer }: KeptAnswerRow & { readonly key: string }): void {
  sql.run('INSERT OR REPLACE INTO kept_answer (key, version, made, answer) VALUES (?, ?, ?, ?)', key, version, made, answer)
}

export function readKeptAnswer(sql: Sql, key: string): KeptAnswerRow | undefined {
  return sql.one<KeptAnswerRow>('SELECT version, made, answer FROM kept_answer WHERE key = ?', key)
}

export function countKeptAnswers(sql: Sql): number {
  return sql.one<{ n: number }>('SELECT count(*) AS n FROM kept_answer')?.n ?? 0
}

/** All but the latest. */
export function deleteOldAnswers(sql: Sql, kept: number): void {
  sql.run('DELETE FROM kept_answer WHERE n NOT IN (SELECT n FROM kept_answer ORDER BY n DESC LIMIT ?)', kept)
}

export function deleteAnswersBefore(sql: Sql, time: number): void {
  sql.run('DELETE FROM kept_answer WHERE made < ?', time)
}

export function deleteAllAnswers(sql: Sql): void {
  sql.run('DELETE FROM kept_answer')
}
