/**
 * Replies that came while a large change goes in (large.ts) and change the graph themselves: paid for, so they are kept in rows, and folded
 * in when it is in. Vectors of what is still staged touch no graph and are taken at once.
 */
import type { TaskResult } from '../../../src/ports/tasks'
import { BASE, readStaged } from '../ingest/accept'
import type { CorpusContext } from '../store'
import { readTask } from '../tables/task'
import { decode, encode } from './tasks'

export const LATE = `
  CREATE TABLE late (n INTEGER PRIMARY KEY AUTOINCREMENT, result TEXT NOT NULL);
`
const MAX_CHARS = 1_500_000 // of one row: what is longer is asked for again

/** True if it is for later. Its task stays open. */
export function isLate({ sql }: CorpusContext, result: TaskResult): boolean {
  const row = readTask(sql, result.id)
  if (!row || (row.builder === BASE && readStaged({ sql }, row.node))) return false
  const text = encode(result)
  if (text.length <= MAX_CHARS) sql.run('INSERT INTO late (result) VALUES (?)', text)
  return true
}

/** Are replies kept that are not folded in yet? Their tasks are still open, and must not be lent again. */
export function hasLate({ sql }: Pick<CorpusContext, 'sql'>): boolean {
  return sql.one('SELECT 1 FROM late LIMIT 1') !== undefined
}

/** All that was kept, and no longer is. A runner brings no more than a round's worth: nobody is lent anything meanwhile. */
export function takeLate({ sql }: CorpusContext): TaskResult[] {
  const rows = sql.all<{ result: string }>('SELECT result FROM late ORDER BY n')
  if (rows.length > 0) sql.run('DELETE FROM late')
  return rows.map((row) => decode<TaskResult>(row.result))
}
