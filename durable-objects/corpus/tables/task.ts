/**
 * Model work that the graph needs: one row for each open task. A row names a node and the hash of what the reply depends on, never a text.
 * All SQL on the table is here.
 */
import type { Task } from '../../../src/core/strategy'
import type { Sql } from '../../sql'

/** Steps of `schema.ts`; once released they are not changed. */
export const CREATE_TASK = `
  CREATE TABLE task (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    builder TEXT NOT NULL,
    kind TEXT NOT NULL,
    node TEXT NOT NULL,
    input TEXT NOT NULL,
    urgent INTEGER NOT NULL,
    jobs TEXT NOT NULL,
    UNIQUE (builder, kind, node)
  );
`
/** Tasks that no job waits for are few: a queue of thousands is not read to see whether there is one. */
export const INDEX_TASKS_APART = 'CREATE INDEX task_apart ON task (urgent, n) WHERE urgent <> 1;'
/** Passages and sentences that a task embeds for its jobs (indexing/progress.ts); 0 for tasks of builders. */
export const ADD_TASK_TEXTS = 'ALTER TABLE task ADD COLUMN texts INTEGER NOT NULL DEFAULT 0'

export interface TaskRow {
  readonly n: number
  readonly builder: string
  readonly kind: Task['kind']
  readonly node: string
  readonly input: string
  /** 1: a runner should do it as soon as it can; 2: likewise, but no job waits for it, so one at a time; 0: when the schedule says so. */
  readonly urgent: number
  /** JSON list of the numbers of the jobs that wait for it. */
  readonly jobs: string
  readonly texts: number
}

const ALL_KINDS: { readonly [kind in Task['kind']]: true } = { embed: true, rerank: true, summarize: true, report: true, extract: true }
const KINDS = Object.keys(ALL_KINDS).map((kind) => `'${kind}'`)

/** The builder in whose name chunks request their vectors. */
export const BASE = 'base'

type Key = Pick<TaskRow, 'builder' | 'kind' | 'node'>

export function insertTask(sql: Sql, { builder, kind, node, input, urgent, jobs, texts }: Omit<TaskRow, 'n'>): void {
  const row = [builder, kind, node, input, urgent, jobs, texts]
  sql.run('INSERT INTO task (builder, kind, node, input, urgent, jobs, texts) VALUES (?, ?, ?, ?, ?, ?, ?)', ...row)
}

export function updateTask(sql: Sql, n: number, { input, urgent, jobs }: Pick<TaskRow, 'input' | 'urgent' | 'jobs'>): void {
  sql.run('UPDATE task SET input = ?, urgent = ?, jobs = ? WHERE n = ?', input, urgent, jobs, n)
}

export function deleteTask(sql: Sql, n: number): void {
  sql.run('DELETE FROM task WHERE n = ?', n)
}

export function readTask(sql: Sql, n: number): TaskRow | undefined {
  return sql.one<TaskRow>('SELECT * FROM task WHERE n = ?', n)
}

/** The open task with this builder, kind and node: there is at most one. */
export function findTask(sql: Sql, { builder, kind, node }: Key): TaskRow | undefined {
  return sql.one<TaskRow>('SELECT * FROM task WHERE builder = ? AND kind = ? AND node = ?', builder, kind, node)
}

/** For every kind: the key has it before the node, and without it all tasks of the builder would be read. */
export function listTasksOfNodes(sql: Sql, builder: string, nodes: readonly string[]): TaskRow[] {
  return sql.all<TaskRow>(
    `SELECT * FROM task WHERE builder = ? AND kind IN (${KINDS}) AND node IN (SELECT value FROM json_each(?)) ORDER BY n`,
    builder,
    JSON.stringify(nodes),
  )
}

/** Oldest first, after a number. */
export function listTasksAfter(sql: Sql, after: number, limit: number): TaskRow[] {
  return sql.all<TaskRow>('SELECT * FROM task WHERE n > ? ORDER BY n LIMIT ?', after, limit)
}

/** Which tasks: all; of the served graph; of the one derived again; of those, what the move to another embedding model embeds. */
export type TaskGroup = 'all' | 'served' | 'candidate' | 'moved'

/** Oldest first, after a number; without background tasks. */
export function listUrgentTasksAfter(sql: Sql, after: number, limit: number, group: TaskGroup = 'all'): TaskRow[] {
  const query = `SELECT * FROM task WHERE urgent = 1 AND n > ? AND ${IN_GROUP[group]} ORDER BY n LIMIT ?`
  return sql.all<TaskRow>(query, after, limit)
}

/** Does the move of the corpus still have something to embed? */
export function hasMoveTasks(sql: Sql): boolean {
  return sql.one(`SELECT 1 FROM task WHERE ${IN_GROUP.moved} LIMIT 1`) !== undefined
}

/** Tasks that embed chunks have a new input from now on: replies still on their way do not answer them. */
export function renameEmbedInputs(sql: Sql, suffix: string): void {
  sql.run(`UPDATE task SET input = node || ' ' || ? WHERE builder = '${BASE}' AND kind = 'embed'`, suffix)
}

/** The oldest background task. */
export function readBackgroundTask(sql: Sql): TaskRow | undefined {
  return sql.one<TaskRow>('SELECT * FROM task WHERE urgent <> 1 AND urgent = 2 ORDER BY n LIMIT 1')
}

export function hasAnyTask(sql: Sql): boolean {
  return sql.one('SELECT 1 FROM task LIMIT 1') !== undefined
}

/** Background tasks are urgent too. */
export function hasTasks(sql: Sql, which: 'job' | 'lazy'): boolean {
  return sql.one(`SELECT 1 FROM task WHERE ${which === 'job' ? 'urgent = 1' : 'urgent <> 1 AND urgent = 0'} LIMIT 1`) !== undefined
}

/** Is this task open, and does it still ask the same? */
export function isTaskOpen(sql: Sql, { n, input }: Pick<TaskRow, 'n' | 'input'>): boolean {
  return sql.one('SELECT 1 FROM task WHERE n = ? AND input = ?', n, input) !== undefined
}

/** Without background tasks. */
export function countJobTasks(sql: Sql): number {
  return sql.one<{ n: number }>('SELECT count(*) AS n FROM task WHERE urgent = 1')?.n ?? 0
}

/** With background tasks. */
export function countUrgentTasks(sql: Sql): number {
  return sql.one<{ n: number }>('SELECT count(*) AS n FROM task WHERE urgent > 0')?.n ?? 0
}

/** All of them, counted up to `max`. */
export function countTasks(sql: Sql, max: number): number {
  return sql.one<{ n: number }>('SELECT count(*) AS n FROM (SELECT 1 FROM task LIMIT ?)', max)?.n ?? 0
}

/** Makes all tasks urgent that were left to the schedule; false if there were none. */
export function promoteLazyTasks(sql: Sql): boolean {
  if (!hasTasks(sql, 'lazy')) return false
  sql.run('UPDATE task SET urgent = 1 WHERE urgent = 0')
  return true
}

/** The same for the tasks of these nodes. */
export function promoteTasksOfNodes(sql: Sql, nodes: readonly string[]): void {
  sql.run('UPDATE task SET urgent = 1 WHERE urgent = 0 AND node IN (SELECT value FROM json_each(?))', JSON.stringify(nodes))
}

/** Tasks of builders whose names begin with this prefix now belong to the builders without it. */
export function stripBuilderPrefix(sql: Sql, prefix: string): void {
  sql.run('UPDATE task SET builder = substr(builder, ?) WHERE substr(builder, 1, ?) = ?', prefix.length + 1, prefix.length, prefix)
}

/** The names of builders of the graph being derived again, in their tasks, begin with this. */
export const CANDIDATE_PREFIX = 'next/'

export function isOfCandidate(builder: string): boolean {
  return builder.startsWith(CANDIDATE_PREFIX)
}

/** The names under which a moving corpus has texts embedded by the new model: its chunks, its probes, its labelled texts. */
export const MOVERS = { chunk: `${CANDIDATE_PREFIX}${BASE}`, probe: `${CANDIDATE_PREFIX}probe`, label: `${CANDIDATE_PREFIX}label` } as const

export function isMover(builder: string): boolean {
  return Object.values<string>(MOVERS).includes(builder)
}

const IN_GROUP: { readonly [group in TaskGroup]: string } = {
  all: '1',
  served: `NOT (builder >= 'next/' AND builder < 'next0')`,
  candidate: `builder >= 'next/' AND builder < 'next0'`,
  moved: `builder IN (${Object.values(MOVERS)
    .map((one) => `'${one}'`)
    .join(', ')})`,
}
