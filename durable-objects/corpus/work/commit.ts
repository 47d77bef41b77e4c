/**
 * The one place where the graph changes. Everything here runs inside one synchronous transaction, without a single await:
 * replies close tasks, ready documents become visible together, builders fold what happened into the graph, the outbox is filled.
 */
import { integrate } from '../../../src/core/graph/integrate'
import type { Change, Chunk, ChunkVectors, Patch } from '../../../src/core/graph/types'
import type { Builder, Delta, Reply } from '../../../src/core/strategy'
import type { TaskResult } from '../../../src/ports'
import { answer, askedOf, candidateJob, follow, ofCandidate } from '../candidate/candidate'
import { noteChurn } from '../care/tend'
import { BASE, type Revision, readStaged, unstage } from '../intake/accept'
import { forgetFacets, recordFacets } from '../intake/facets'
import { openBill } from '../money/bill'
import { unname } from '../money/rows'
import type { Ledger } from '../store'
import { fillOutbox } from '../told/outbox'
import { keepReceipt } from '../told/receipts'
import { addSpent, type Book, type Job, openBook, recordTouched } from './jobs'
import { noteReadable } from './quarantine'
import { addTasks, cancelTasks, closeTask, forget, jobsOf, remember, type TaskRow } from './tasks'
import { forgetUnwritten, noteWritten } from './unwritten'
import { concat, load, vectorsOf } from './with-vectors'

/** A reply and the builder it belongs to. */
interface Answer {
  readonly builder: string
  readonly reply: Reply
}

/** What a runner brings back. A result whose task is gone, or asks something else by now, changes nothing but is paid for. */
export function commitResults(ledger: Ledger, results: readonly TaskResult[]): Job[] {
  return ledger.atomically(() => {
    const book = openBook(ledger.sql, ledger.now())
    const answers: Answer[] = []
    const others: Answer[] = []
    const bill = openBill(ledger)
    for (const result of results) {
      const row = ledger.sql.one<TaskRow>('SELECT * FROM task WHERE n = ?', result.id)
      bill.add(row, result)
      if (!row || row.input !== result.reply.input) continue
      for (const n of jobsOf(row)) charge(book.find(n), result)
      if (row.builder !== BASE) noteWritten(ledger, row.builder, result, writerOf(ledger, row.builder))
      if (row.builder === BASE) receiveVectors(ledger, book, row, result.reply)
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
function receiveVectors(ledger: Ledger, book: Book, row: TaskRow, reply: Reply): void {
  const { sql } = ledger
  const staged = readStaged(ledger, row.node)
  if (!staged) {
    completeChunk(ledger, row.node, reply)
    return
  }
  const revisions = sql.all<Revision>('SELECT r.* FROM revision r JOIN awaited a ON a.revision = r.n WHERE a.chunk = ?', row.node)
  if (reply.kind !== 'embed') {
    for (const revision of revisions) failRevision(ledger, book, revision, reply.kind === 'unusable' ? reply.reason : 'invalid')
    return
  }
  if (staged.passages) return
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
  job.error = reason
  if (job.kind === 'ingest') job.status = 'failed'
  unstage(ledger, book, revision.n)
}

/** Integrates every job in the book that waits for nothing more, and gives the builders their replies: one version. */
export function commitReady(ledger: Ledger, book: Book, answers: readonly Answer[] = []): void {
  const ready = book.all().filter((job) => job.phase === 'staging' && job.waiting <= 0)
  if (ready.length === 0 && answers.length === 0) return
  const revisions = ready.flatMap((job) => revisionsOf(ledger, job))
  const removed = deletable(ledger, ready, new Set(revisions.map((one) => one.document)))
  const before = ledger.sql.written()
  const version = ledger.graph.version + 1
  const base = integrate(ledger.graph, { upserts: revisions.map((one) => load(ledger, one)), deletes: removed.map((one) => one.document) })
  if (base.patch.length > 0) ledger.graph.apply(base.patch, version)
  swap(ledger, book, revisions, removed, base.delta.removed, version)
  unname(
    ledger.sql,
    ready.flatMap((job) => job.deletes),
  )
  noteChurn(ledger, base.delta)
  for (const job of ready) job.phase = 'settling'
  const jobs = [...new Set([...ready, ...(answers.length > 0 ? book.all().filter((job) => job.phase === 'settling') : [])])]
  const changes = [...base.patch, ...runBuilders(ledger, book, base.delta, answers, jobs, version)]
  const candidate = base.patch.length > 0 ? candidateJob(ledger, book) : undefined
  if (candidate) follow(ledger, book, candidate, base.delta)
  if (changes.length === 0) return
  const seq = fillOutbox(ledger, changes, version, base.delta.removed)
  keepReceipt(ledger, changes, jobs)
  recordTouched(ledger.sql, jobs, changes, version)
  for (const job of jobs) {
    job.tally.version = version
    job.tally.rows += ledger.sql.written() - before
    if (job.deletes.length > 0) job.told = seq
  }
}

/** Builders run in registry order; each sees the graph as the one before left it. */
export function runBuilders(
  ledger: Ledger,
  book: Book,
  delta: Omit<Delta, 'replies'>,
  answers: readonly Answer[],
  jobs: readonly Job[],
  version: number,
  only?: readonly string[],
): Change[] {
  const { graph, config, sql } = ledger
  const moved = delta.added.length + delta.removed.length + delta.documents.added.length + delta.documents.removed.length > 0
  const changes: Change[] = []
  const made = new Map<string, Patch>()
  // Where those it follows do not run, they stand already: it looks at everything.
  const told = (builder: Builder): boolean => !only || (builder.follows ?? []).every((name) => only.includes(name))
  forget(
    sql,
    delta.removed.map((one) => one.chunk.id),
  )
  for (const builder of ledger.builders) {
    if (only && !only.includes(builder.name)) continue
    const replies = answers.filter((one) => one.builder === builder.name).map((one) => one.reply)
    const followed = builder.follows?.flatMap((name) => made.get(name) ?? [])
    if (!moved && replies.length === 0 && !followed?.length) continue
    const update = builder.update(
      graph,
      { ...delta, replies, ...(followed && told(builder) ? { changes: followed } : {}) },
      config.settings,
    )
    if (update.patch.length > 0) graph.apply(update.patch, version)
    forgetUnwritten(sql, builder.name, update.patch)
    changes.push(...update.patch)
    made.set(builder.name, update.patch)
    cancelTasks(sql, book, builder.name, update.cancelled ?? [])
    addTasks(sql, update.tasks, jobs)
  }
  return changes
}

function revisionsOf(ledger: Ledger, job: Job): Revision[] {
  if (!job.progress) return []
  return ledger.sql.all<Revision>(
    `SELECT * FROM revision WHERE state = 'staged' AND n IN (SELECT value FROM json_each(?)) ORDER BY n`,
    job.progress,
  )
}

/** Live documents these jobs delete. A delete reaches no version accepted after it. */
function deletable(ledger: Ledger, jobs: readonly Job[], replaced: ReadonlySet<string>): Revision[] {
  const found = jobs.flatMap((job) =>
    ledger.sql.all<Revision>(
      `SELECT * FROM revision WHERE state = 'live' AND n <= ? AND document IN (SELECT value FROM json_each(?))`,
      job.upto,
      JSON.stringify(job.deletes),
    ),
  )
  return [...new Map(found.filter((one) => !replaced.has(one.document)).map((one) => [one.n, one])).values()]
}

/** The ledger follows the graph: new versions are live, old ones and deleted ones are gone with their text. */
function swap(
  ledger: Ledger,
  book: Book,
  live: readonly Revision[],
  deleted: readonly Revision[],
  removed: readonly { readonly chunk: Chunk; readonly vectors: ChunkVectors }[],
  version: number,
): void {
  const { sql } = ledger
  for (const revision of deleted) {
    sql.run('DELETE FROM revision WHERE n = ?', revision.n)
    forgetFacets(sql, revision.document, revision.metadata)
  }
  for (const revision of live) {
    const old = sql.one<Revision>(`SELECT * FROM revision WHERE document = ? AND state = 'live'`, revision.document)
    if (old) {
      forgetFacets(sql, old.document, old.metadata)
      sql.run('DELETE FROM revision WHERE n = ?', old.n)
    }
    sql.run(`UPDATE revision SET state = 'live', indexed_version = ? WHERE n = ?`, version, revision.n)
    recordFacets(sql, revision.document, revision.metadata)
    unstage(ledger, book, revision.n)
  }
  // A chunk that has just left the graph may be part of a version still being staged: it waits there, with its vectors.
  for (const { chunk, vectors } of removed) {
    if (!sql.one('SELECT 1 FROM awaited WHERE chunk = ? LIMIT 1', chunk.id)) continue
    sql.run(
      'INSERT OR REPLACE INTO staged (chunk, body, passages, units) VALUES (?, ?, ?, ?)',
      chunk.id,
      JSON.stringify(chunk),
      concat(vectors.passages),
      concat(vectors.units),
    )
  }
}
