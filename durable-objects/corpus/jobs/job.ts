/** A job as the code uses it: its row with its counts, what it touched and its receipt parsed. */

import type { JobKind, JobStatus, Job as JobView, Receipt } from '../../../src/contract/jobs'
import type { Spent } from '../../../src/contract/usage'
import type { JobRow, Phase } from '../tables/job'
import type { CorpusProgress } from '../tables/meta-values'
import { type Counted, emptyCounts, NO_PROGRESS, progressOfJob } from './progress'

/** What a job has cost and touched, without the derived nodes (those are in `touched`, by id, to be counted once). */
export interface Tally {
  spent: Spent
  calls: { [kind: string]: number }
  rows: number
  version: number
  documents: number
  chunks: number
  passages: number
  units: number
  edges: number
  with: string[]
  /** Worked examples that went with their documents. */
  examples?: number
  /** Sentences of replaced versions that are kept because the new ones say something else. */
  earlier?: number
  counted: Counted
}

export interface Job {
  readonly n: number
  readonly id: string
  readonly kind: JobKind
  status: JobStatus
  phase: Phase
  readonly created: number
  readonly upto: number
  readonly deletes: readonly string[]
  waiting: number
  open: number
  done: number
  total: number
  told: number
  tally: Tally
  error: string | null
  receipt: Receipt | null
  progress: string | null
}

export const emptyTally = (): Tally => ({
  spent: { in: 0, out: 0, embedded: 0 },
  calls: {},
  rows: 0,
  version: 0,
  documents: 0,
  chunks: 0,
  passages: 0,
  units: 0,
  edges: 0,
  with: [],
  counted: emptyCounts(),
})

export function addSpent(a: Spent, b: Spent): Spent {
  return { in: a.in + b.in, out: a.out + b.out, embedded: a.embedded + b.embedded }
}

export const parseJob = (row: JobRow): Job => ({
  ...row,
  deletes: JSON.parse(row.deletes) as string[],
  tally: { ...emptyTally(), ...(JSON.parse(row.tally) as Tally) }, // a job of an earlier release counted nothing
  receipt: row.receipt ? (JSON.parse(row.receipt) as Receipt) : null,
})

export function viewOf(job: Job, line: CorpusProgress = NO_PROGRESS): JobView {
  const { tally } = job
  const tasks = job.open - tally.counted.embeds
  const isOpen = job.phase !== 'done' && job.status !== 'paused_budget'
  return {
    job: job.id,
    kind: job.kind,
    status: job.status,
    progress: { done: job.done, total: job.total, ...progressOfJob(line, tally.counted, tasks, isOpen) },
    usage: tally.spent,
    ...(job.receipt ? { receipt: job.receipt } : {}),
    ...(job.error ? { error: job.error } : {}),
  }
}
