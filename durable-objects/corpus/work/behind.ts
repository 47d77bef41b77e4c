/**
 * What a change brought that was too much for one transaction: builders left it for commits of their own (Builder.behind). It is caught up
 * with a piece at a time, other requests in between; no tasks are lent meanwhile, so that what is owed does not grow, and jobs that
 * brought it are done when it is. All of it is in the graph: a crash repeats nothing and forgets nothing.
 */
import { candidateJob, inCandidate, inside, noteMade } from '../candidate/candidate'
import { type Ledger, readMeta, writeMeta } from '../store'
import { publish } from '../told/publish'
import { catchUpBuilders } from './builders'
import { type Book, type Job, openBook } from './jobs'

const WAITING = 'behind' // meta: numbers of the jobs that wait

/** Has a builder left something? O(1). */
export function isBehind({ builders, graph }: Pick<Ledger, 'builders' | 'graph'>): boolean {
  return builders.some((builder) => builder.behind?.(graph))
}

/** These jobs are not done before what was left is in: they owe one more. */
export function waitFor(ledger: Ledger, jobs: readonly Job[]): void {
  if (jobs.length === 0 || !isBehind(ledger)) return
  const waiting = waitingFor(ledger)
  for (const job of jobs) {
    if (waiting.includes(job.n)) continue
    job.open++
    job.total++
    waiting.push(job.n)
  }
  writeMeta(ledger.sql, WAITING, JSON.stringify(waiting))
}

/** One piece, in a commit of its own. False when there was nothing to do. */
export function catchUpOnce(ledger: Ledger): boolean {
  if (!isBehind(ledger) && waitingFor(ledger).length === 0) return false
  ledger.atomically(() => {
    const book = openBook(ledger.sql, ledger.now())
    const jobs = waitingFor(ledger).flatMap((n) => book.find(n) ?? [])
    publish(ledger, jobs, catchUpBuilders({ ledger, book, jobs, version: ledger.graph.version + 1 }))
    if (!isBehind(ledger)) release(ledger, jobs)
    book.save()
  })
  return true
}

/** The same for the graph that is derived anew beside the one that is served. */
export function catchUpCandidate(ledger: Ledger, book: Book): boolean {
  const job = candidateJob(ledger, book)
  if (!job) return false
  return inCandidate(ledger, (candidate) => {
    if (!isBehind(candidate)) return false
    noteMade(candidate, catchUpBuilders(inside(candidate, book, job)))
    return true
  })
}

function release(ledger: Ledger, jobs: readonly Job[]): void {
  for (const job of jobs) {
    job.open--
    job.done++
  }
  ledger.sql.run('DELETE FROM meta WHERE key = ?', WAITING)
}

function waitingFor({ sql }: Pick<Ledger, 'sql'>): number[] {
  return JSON.parse(readMeta(sql, WAITING) ?? '[]') as number[]
}
