/** Ids of derived nodes that a job has touched, one row for each of its commits, to be counted once when it ends. All SQL on the table is here. */
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_TOUCHED =
  'CREATE TABLE touched (job INTEGER NOT NULL, n INTEGER NOT NULL, ids TEXT NOT NULL, PRIMARY KEY (job, n)) WITHOUT ROWID;'

/** `ids`: a JSON list. */
export function insertTouched(sql: Sql, job: number, ids: string): void {
  sql.run('INSERT INTO touched (job, n, ids) SELECT ?, coalesce(max(n), 0) + 1, ? FROM touched WHERE job = ?', job, ids, job)
}

/** JSON lists of ids, in the order of the commits. */
export function listTouched(sql: Sql, job: number): string[] {
  return sql.all<{ ids: string }>('SELECT ids FROM touched WHERE job = ? ORDER BY n', job).map((row) => row.ids)
}

export function deleteTouched(sql: Sql, job: number): void {
  sql.run('DELETE FROM touched WHERE job = ?', job)
}

/** Those of jobs that have ended or no longer exist. */
export function deleteOrphanedTouched(sql: Sql, limit: number): void {
  sql.run(
    `DELETE FROM touched WHERE (job, n) IN (SELECT t.job, t.n FROM touched t LEFT JOIN job j ON j.n = t.job
       WHERE j.n IS NULL OR j.phase = 'done' LIMIT ?)`,
    limit,
  )
}
