/** What jobs have touched: counts as they arise, and the ids of derived nodes, so that one touched by several commits is counted once. */
import type { Receipt } from '../../../src/contract/jobs'
import { kindOf } from '../../../src/core/ids'
import type { Sql } from '../../sql'
import type { Touched } from '../outbox/touched'
import { deleteTouched, insertTouched, listTouched } from '../tables/touched'
import type { Job } from './job'

const MAX_NAMED = 20 // other jobs that a receipt names as sharing its commits
const COUNTED = ['documents', 'chunks', 'passages', 'units', 'edges'] as const

/** Adds a commit's changes, or those of a part of it, to the jobs it worked for. */
export function recordTouched(sql: Sql, jobs: readonly Job[], changes: readonly Touched[]): void {
  if (jobs.length === 0 || changes.length === 0) return
  const counts = { documents: 0, chunks: 0, passages: 0, units: 0, edges: 0 }
  for (const change of changes) count(counts, change)
  const derived = changes.flatMap((change) =>
    change.op === 'put-node' ? [`+${change.node.id}`] : change.op === 'drop-node' ? [`-${change.id}`] : [],
  )
  const ids = JSON.stringify(derived)
  for (const job of jobs) {
    const { tally } = job
    for (const key of COUNTED) tally[key] += counts[key]
    for (const other of jobs)
      if (other !== job && tally.with.length < MAX_NAMED && !tally.with.includes(other.id)) tally.with.push(other.id)
    if (derived.length === 0) continue
    insertTouched(sql, job.n, ids)
  }
}

/** As if it had touched nothing yet: what it was about to make will not exist. */
export function forgetTouched(sql: Sql, { n, tally }: Job): void {
  deleteTouched(sql, n)
  for (const key of COUNTED) tally[key] = 0
}

function count(counts: { [key in (typeof COUNTED)[number]]: number }, change: Touched): void {
  switch (change.op) {
    case 'put-document':
    case 'drop-document':
      counts.documents++
      break
    case 'put-chunk':
      counts.chunks++
      counts.passages += change.chunk.passages.length
      counts.units += change.chunk.units.length
      break
    case 'drop-chunk':
      counts.chunks++
      break
    case 'put-edge':
    case 'drop-edge':
      counts.edges++
  }
}

/** Distinct derived nodes over all commits of a job. A segment counts as made or removed; a summary by where a text stands now. */
export function countTouched(
  sql: Sql,
  job: number,
): Pick<Receipt['touched'], 'entities' | 'keywords' | 'segments' | 'summaries' | 'communities'> {
  const last = new Map<string, string>()
  for (const ids of listTouched(sql, job)) {
    for (const signed of JSON.parse(ids) as string[]) last.set(signed.slice(1), signed.slice(0, 1))
  }
  const counts = { entities: 0, keywords: 0, segments: 0, summaries: 0, communities: 0 }
  for (const [id, sign] of last) {
    const kind = kindOf(id)
    if (kind === 'entity') counts.entities++
    else if (kind === 'keyword') counts.keywords++
    else if (kind === 'community') counts.communities++
    else if (kind === 'summary') {
      counts.segments++
      if (sign === '+') counts.summaries++
    }
  }
  return counts
}
