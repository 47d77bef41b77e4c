/** In the object of a corpus in partitions: the top summaries of each partition's tree, as reported. All SQL on the table is here. */
import type { ToldTop } from '../../../src/ports/reports'
import type { Sql } from '../../sql'

/** A step of `schema.ts`; once released it is not changed. */
export const CREATE_TOP = `
  CREATE TABLE top (
    partition TEXT NOT NULL,         -- its uid
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (partition, id)
  ) WITHOUT ROWID;
`

/** Those of the partition that are not named are gone. */
export function replaceTops(sql: Sql, partition: string, ids: readonly string[], changed: readonly ToldTop[]): void {
  sql.run('DELETE FROM top WHERE partition = ? AND id NOT IN (SELECT value FROM json_each(?))', partition, JSON.stringify(ids))
  for (const top of changed)
    sql.run('INSERT OR REPLACE INTO top (partition, id, body) VALUES (?, ?, ?)', partition, top.id, JSON.stringify(top))
}

/** Of partitions that the corpus does not have. */
export function deleteTopsOf(sql: Sql, partitions: readonly string[]): void {
  sql.run('DELETE FROM top WHERE partition IN (SELECT value FROM json_each(?))', JSON.stringify(partitions))
}

/** In order of id. One that two partitions have, since they hold the same texts, is there twice. */
export function listTops(sql: Sql): readonly { readonly partition: string; readonly top: ToldTop }[] {
  const rows = sql.all<{ partition: string; body: string }>('SELECT partition, body FROM top ORDER BY id, partition')
  return rows.map(({ partition, body }) => ({ partition, top: JSON.parse(body) as ToldTop }))
}
