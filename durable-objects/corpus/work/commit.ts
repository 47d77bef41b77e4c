/**
 * The one place where the graph changes. Everything here runs inside one synchronous transaction, without a single await:
 * replies close tasks, ready documents become visible together, builders fold what happened into the graph, the outbox is filled.
 */
import type { Reply } from '../../../src/core/strategy'
import type { TaskResult } from '../../../src/ports'
import { answer, askedOf, ofCandidate } from '../candidate/candidate'
import { BASE, type Revision, readStaged, unstage } from '../intake/accept'
import { openBill } from '../money/bill'
import { unname } from '../money/rows'
import type { Ledger } from '../store'
import { keepReceipt, touchedBy } from '../told/receipts'
import { arrivalsOf, countIn, swap, WITHOUT_TEXT } from './arrivals'
import { catchUpOnce, isBehind, waitFor } from './behind'
import type { Answer } from './builders'
import { integratePart } from './integrate'
import { addSpent, type Book, type Job, openBook, readyJobs } from './jobs'
import { begin, integrateOnce, isIntegrating } from './large'
import { hasLate, isLate, takeLate } from './late'
import { isAsked, partOf, partsOf } from './parts'
import { uncount } from './progress'
import { noteReadable, noteRefused } from './quarantine'
import { closeTask, jobsOf, remember, type TaskRow } from './tasks'
import { noteWritten } from './unwritten'
import { concat, vectorsOf } from './with-vectors'

/** What a runner brings back. A result whose task is gone, or asks something else by now, changes nothing but is paid for. */
export function commitResults(ledger: Ledger, results: readonly TaskResult[]): Job[] {
  return ledger.atomically(() => {
    const book = openBook(ledger.sql, ledger.now())
    const answers: Answer[] = []
    const others: Answer[] = []
    const bill = openBill(ledger)
    for (const result of inTime(ledger, results)) {
      const row = ledger.sql.one<TaskRow>('SELECT * FROM task WHERE n = ?', result.id)
      bill.add(row, result)
      if (!row || row.input !== result.reply.input) continue
      for (const n of jobsOf(row)) charge(book.find(n), result)
      if (row.builder !== BASE) noteWritten(ledger, row.builder, result, writerOf(ledger, row.builder))
      if (row.builder === BASE) receiveVectors(ledger, book, row, result)
      else if (ofCandidate(row.builder)) others.push({ builder: row.builder, reply: result.reply })
      else {
        answers.push({ builder: row.builder, reply: result.reply })
        keepReply(ledger, row.builder, result.reply)
        noteReadable(ledger, row, result.reply)
      }
      closeTask(ledger.sql, book, row)
    }
    bill.save()
    commitReady(ledger, book, answers)
    answer(ledger, book, others)
    return book.save()
  })
}

/** While a large change goes in, those that touch no graph. */
function inTime(ledger: Ledger, results: readonly TaskResult[]): readonly TaskResult[] {
  return isIntegrating(ledger) ? results.filter((result) => !isLate(ledger, result)) : results
}

/** Has this builder's graph a model that writes? */
function writerOf(ledger: Ledger, builder: string): boolean {
  return (ofCandidate(builder) ? askedOf(ledger) : ledger.config).settings.writer
}

function charge(job: Job | undefined, result: TaskResult): void {
  if (!job) return
  if (job.status === 'queued') job.status = 'running'
  job.tally.spent = addSpent(job.tally.spent, result.spent)
  for (const [kind, n] of Object.entries(result.calls)) job.tally.calls[kind] = (job.tally.calls[kind] ?? 0) + n
}

/** Replies that cost a text model are kept under their input, and die with the nodes they were made from. */
export function keepReply(ledger: Ledger, builder: string, reply: Reply): void {
  if (reply.kind === 'embed' || reply.kind === 'unusable') return
  // An extract made while the writer was out is no answer to keep: when it is back, it is asked.
  if ('generator' in reply && reply.generator === 'extractive') return
  const sources = ledger.builders.find((one) => one.name === builder)?.sources?.(ledger.graph, reply)
  const members = sources ?? ledger.graph.edgesTo('member', reply.node).map((edge) => edge.source)
  remember(ledger.sql, reply, members.length > 0 ? members : [reply.node])
}

/** A chunk's vectors have come: every revision that waits for it waits for one less. */
function receiveVectors(ledger: Ledger, book: Book, row: TaskRow, { reply, dropped }: TaskResult): void {
  const { sql } = ledger
  const staged = readStaged(ledger, row.node)
  if (!staged) {
    completeChunk(ledger, row.node, reply)
    return
  }
  const revisions = sql.all<Revision>(
    `SELECT ${WITHOUT_TEXT} FROM revision WHERE n IN (SELECT revision FROM awaited WHERE chunk = ?)`,
    row.node,
  )
  if (reply.kind !== 'embed') {
    for (const revision of revisions) failRevision(ledger, book, revision, reply.kind === 'unusable' ? reply.reason : 'invalid')
    return
  }
  if (staged.passages) return
  noteRefused(ledger, row, revisions, dropped?.refused ?? 0)
  const count = staged.chunk.passages.length
  sql.run(
    'UPDATE staged SET passages = ?, units = ? WHERE chunk = ?',
    concat(reply.vectors.slice(0, count)),
    concat(reply.vectors.slice(count)),
    row.node,
  )
  sql.run(
    'UPDATE revision SET waiting = waiting - 1 WHERE n IN (SELECT value FROM json_each(?))',
    JSON.stringify(revisions.map((one) => one.n)),
  )
  for (const revision of revisions) if (revision.waiting === 1) settle(book.find(revision.job))
}

/** A chunk already in the graph gets the vectors of its sentences, because a builder that needs them was switched on. */
function completeChunk(ledger: Ledger, id: string, reply: Reply): void {
  const chunk = ledger.graph.chunk(id)
  if (!chunk || reply.kind !== 'embed') return
  const vectors = { passages: vectorsOf(ledger, chunk).passages, units: reply.vectors }
  ledger.graph.apply([{ op: 'put-chunk', chunk, vectors }], ledger.graph.version)
}

function settle(job: Job | undefined): void {
  if (job) job.waiting--
}

/** A document whose vectors cannot be had is failed; the rest of its batch goes on. */
function failRevision(ledger: Ledger, book: Book, revision: Revision, reason: string): void {
  ledger.sql.run(`UPDATE revision SET state = 'failed', error = ?, waiting = 0 WHERE n = ?`, reason, revision.n)
  const job = book.find(revision.job)
  if (!job) return
  job.waiting--
  uncount(job.tally.counted, revision)
  job.error = reason
  if (job.kind === 'ingest') job.status = 'failed'
  unstage(ledger, book, revision.n)
}

/**
 * Integrates the jobs in the book that wait for nothing more, and gives the builders their replies: one version. What is too large for one
 * transaction is begun here, and goes in by parts of its own (large.ts); until it is in, nothing else does.
 */
export function commitReady(ledger: Ledger, book: Book, answers: readonly Answer[] = []): void {
  if (isIntegrating(ledger)) return
  const ready = book.all().filter((job) => job.phase === 'staging' && job.waiting <= 0)
  if (ready.length === 0 && answers.length === 0) return
  if (fits(ledger, ready)) {
    commitAtOnce(ledger, book, ready, answers)
    return
  }
  if (answers.length > 0) commitAtOnce(ledger, book, [], answers)
  for (let left: readonly Job[] = ready; left.length > 0; ) {
    const some = together(ledger, left)
    const [job] = some
    if (!job) return
    if (!fits(ledger, some)) {
      begin(ledger, job)
      return
    }
    commitAtOnce(ledger, book, some, [])
    if (isAsked(ledger)) return // the others are ready, and go in next: no question waits for all of them
    left = left.slice(some.length)
  }
}

/** The first, and those after it that go in with it. */
function together(ledger: Ledger, ready: readonly Job[]): readonly Job[] {
  let count = 1
  while (count < ready.length && fits(ledger, ready.slice(0, count + 1))) count++
  return ready.slice(0, count)
}

/**
 * The next commit that waits for nobody, in a transaction of its own: a part of a large change; after it, what has waited for it, replies that
 * came meanwhile, then jobs that were ready; then what builders have left. False where there is none of this.
 */
export function commitSome(ledger: Ledger): boolean {
  return integrateOnce(ledger) || commitWaiting(ledger) || catchUpOnce(ledger)
}

/** Is there a commit that waits for nobody? No model work is lent before it is made. */
export function hasCommit(ledger: Ledger): boolean {
  return isIntegrating(ledger) || hasLate(ledger) || isBehind(ledger) || readyJobs(ledger.sql).length > 0
}

function commitWaiting(ledger: Ledger): boolean {
  return ledger.atomically(() => {
    const late = takeLate(ledger)
    if (late.length > 0) commitResults(ledger, late)
    const book = openBook(ledger.sql, ledger.now())
    const ready = late.length > 0 ? [] : readyJobs(ledger.sql)
    for (const n of ready) book.find(n)
    if (ready.length > 0) commitReady(ledger, book)
    book.save()
    return late.length + ready.length > 0
  })
}

function fits(ledger: Ledger, jobs: readonly Job[]): boolean {
  return partsOf(arrivalsOf(ledger, jobs), [], partOf(ledger)).length === 1
}

function commitAtOnce(ledger: Ledger, book: Book, ready: readonly Job[], answers: readonly Answer[]): void {
  const arriving = arrivalsOf(ledger, ready)
  const before = ledger.sql.written()
  const version = ledger.graph.version + 1
  for (const job of ready) {
    job.phase = 'settling'
    countIn(job, arriving)
  }
  const jobs = [...new Set([...ready, ...(answers.length > 0 ? book.all().filter((job) => job.phase === 'settling') : [])])]
  const [part] = partsOf(arriving, answers, partOf(ledger))
  const done = part && integratePart({ ledger, book, jobs, version }, part)
  swap(ledger, book, arriving, version)
  unname(
    ledger.sql,
    ready.flatMap((job) => job.deletes),
  )
  if (!done) return
  keepReceipt(ledger, touchedBy(done.changes), jobs)
  waitFor(ledger, jobs)
  for (const job of jobs) {
    job.tally.version = version
    job.tally.rows += ledger.sql.written() - before
    if (job.deletes.length > 0) job.told = done.seq
  }
}
