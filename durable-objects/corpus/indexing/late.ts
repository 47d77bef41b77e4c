/**
 * Replies that arrived while a large change is being applied (large.ts) and change the graph themselves: they are paid for, so they are kept in rows, and
 * applied afterwards. Vectors of what is still staged do not touch the graph and are accepted at once.
 */
import type { TaskResult } from '../../../src/ports/tasks'
import { decode, encode } from '../jobs/reply-cache'
import type { CorpusContext } from '../store'
import { insertLate, takeAllLate } from '../tables/late'
import { readStaged } from '../tables/staged'
import { BASE, readTask } from '../tables/task'

const MAX_CHARS = 1_500_000 // in one row: a longer reply is requested again

/** True if it must wait. Its task stays open. */
export function isLate({ sql }: CorpusContext, result: TaskResult): boolean {
  const row = readTask(sql, result.id)
  if (!row || (row.builder === BASE && readStaged(sql, row.node))) return false
  const text = encode(result)
  if (text.length <= MAX_CHARS) insertLate(sql, text)
  return true
}

/** Takes everything that was kept. It is at most one round's worth: no tasks are leased meanwhile. */
export function takeLate({ sql }: CorpusContext): TaskResult[] {
  return takeAllLate(sql).map((text) => decode<TaskResult>(text))
}
