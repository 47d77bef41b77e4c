/**
 * Tasks: model work that the graph needs. A task row names a node and the hash of what the reply depends on, never a text; the brief is
 * read from the graph when a runner leases the task. One runner per corpus; any runner may take over an expired lease.
 */
import type { Task } from '../../../src/core/strategy'
import type { Sql } from '../../sql'
import { deleteTask, findTask, insertTask, listTasksOfNodes, type TaskRow, updateTask } from '../tables/task'
import type { Job } from './job'
import type { JobUnitOfWork } from './jobs'

/** `texts`: those of its documents that it embeds; they are counted in its jobs' progress. */
type TaskWithTexts = Task & { readonly texts?: number }

export const jobsOf = (row: TaskRow): number[] => JSON.parse(row.jobs) as number[]

/**
 * Adds tasks for these jobs. A task with the same builder, kind and node replaces the open one and inherits its jobs; with the same input
 * it merely gains the new jobs.
 */
export function addTasks(sql: Sql, tasks: readonly TaskWithTexts[], jobs: readonly Job[]): void {
  for (const task of tasks) {
    const { texts = 0 } = task
    const open = findTask(sql, task)
    const knownJobs = open ? jobsOf(open) : []
    const added = task.urgent ? jobs.filter((job) => !knownJobs.includes(job.n)) : []
    for (const job of added) {
      job.open++
      job.total++
      if (texts === 0) continue
      job.tally.counted.embeds++
      job.tally.counted.texts.total += texts
    }
    const all = JSON.stringify([...knownJobs, ...added.map((job) => job.n)])
    const urgent = urgencyOf(task, open)
    if (!open) insertTask(sql, { ...task, urgent, jobs: all, texts })
    else if (open.input !== task.input || open.jobs !== all || open.urgent !== urgent) {
      updateTask(sql, open.n, { input: task.input, urgent, jobs: all })
    }
  }
}

/** As stored in the row; an open one stays at least as urgent as before. */
function urgencyOf(task: Task, open: TaskRow | undefined): number {
  if (task.urgent || open?.urgent === 1) return 1
  return task.background ? 2 : (open?.urgent ?? 0)
}

/** Closes a completed task: its jobs have one less open. */
export function closeTask(sql: Sql, unitOfWork: JobUnitOfWork, row: TaskRow): void {
  for (const { phase, tally } of closeRow(sql, unitOfWork, row)) if (phase !== 'done') tally.counted.texts.done += row.texts
}

/** Closes an obsolete task: its texts are not embedded and no longer expected. */
export function dropTask(sql: Sql, unitOfWork: JobUnitOfWork, row: TaskRow): void {
  for (const { phase, tally } of closeRow(sql, unitOfWork, row)) if (phase !== 'done') tally.counted.texts.total -= row.texts
}

function closeRow(sql: Sql, unitOfWork: JobUnitOfWork, row: TaskRow): Job[] {
  deleteTask(sql, row.n)
  const jobs = jobsOf(row).flatMap((n) => unitOfWork.find(n) ?? [])
  for (const job of jobs) {
    job.open--
    job.done++
    if (row.texts > 0) job.tally.counted.embeds--
  }
  return jobs
}

export function cancelTasks(sql: Sql, unitOfWork: JobUnitOfWork, builder: string, nodes: readonly string[]): void {
  if (nodes.length === 0) return
  for (const row of listTasksOfNodes(sql, builder, nodes)) dropTask(sql, unitOfWork, row)
}
