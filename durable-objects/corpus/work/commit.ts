/**
 * The one place where the graph changes. Everything here runs inside one synchronous transaction, without a single await:
 * replies close tasks, ready documents become visible together, builders fold what happened into the graph, the outbox is filled.
 */
import { integrate } from '../../../src/core/graph/integrate'
import type { Change, Chunk, ChunkVectors } from '../../../src/core/graph/types'
import type { Reply } from '../../../src/core/strategy'
import type { TaskResult } from '../../../src/ports'
import { answer, askedOf, candidateJob, follow, ofCandidate } from '../candidate/candidate'
import { noteChurn } from '../care/tend'
import { BASE, type Revision, readStaged, unstage } from '../intake/accept'
import { forgetFacets, recordFacets } from '../intake/facets'
import { openBill } from '../money/bill'
import { unname } from '../money/rows'
import type { Ledger } from '../store'
import { fillOutbox } from '../told/outbox'
import { keepReceipt, NOTHING_TOUCHED, touchedBy } from '../told/receipts'
import { waitFor } from './behind'
import { type Answer, type Commit, runBuilders } from './builders'
import { addSpent, type Book, type Job, openBook, recordTouched } from './jobs'
import { type Part, partsOf } from './parts'
import { noteReadable } from './quarantine'
import { closeTask, jobsOf, remember, type TaskRow } from './tasks'
import { noteWritten } from './unwritten'
import { concat, load, vectorsOf } from './with-vectors'

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

/**
 * Integrates every job in the book that waits for nothing more, and gives the builders their replies: one version. A large batch goes in by
 * parts, so that memory holds one part's texts, vectors and changes at a time; nobody sees the transaction before it is whole.
 */
export function commitReady(ledger: Ledger, book: Book, answers: readonly Answer[] = []): void {
  const ready = book.all().filter((job) => job.phase === 'staging' && job.waiting <= 0)
  if (ready.length === 0 && answers.length === 0) return
  const revisions = ready.flatMap((job) => revisionsOf(ledger, job))
  const removed = deletable(ledger, ready, new Set(revisions.map((one) => one.document)))
  const before = ledger.sql.written()
  const version = ledger.graph.version + 1
  for (const job of ready) job.phase = 'settling'
  const jobs = [...new Set([...ready, ...(answers.length > 0 ? book.all().filter((job) => job.phase === 'settling') : [])])]
  let touched = NOTHING_TOUCHED
  let seq: number | undefined
  for (const part of partsOf(revisions, removed, answers)) {
    const done = integratePart({ ledger, book, jobs, version }, part)
    if (!done) continue
    touched = touchedBy(done.changes, touched)
    seq = done.seq
  }
  unname(
    ledger.sql,
    ready.flatMap((job) => job.deletes),
  )
  if (seq === undefined) return
  keepReceipt(ledger, touched, jobs)
  waitFor(ledger, jobs)
  for (const job of jobs) {
    job.tally.version = version
    job.tally.rows += ledger.sql.written() - before
    if (job.deletes.length > 0) job.told = seq
  }
}

/** Its changes, and the number of its last entry for the sinks; undefined if it changed nothing. */
function integratePart(
  commit: Commit,
  { upserts, deletes, answers }: Part,
): { readonly changes: readonly Change[]; readonly seq: number } | undefined {
  const { ledger, book, jobs, version } = commit
  const arrivals = { upserts: upserts.map((one) => load(ledger, one)), deletes: deletes.map((one) => one.document) }
  const base = integrate(ledger.graph, arrivals)
  if (base.patch.length > 0) ledger.graph.apply(base.patch, version)
  swap(ledger, book, upserts, deletes, base.delta.removed, version)
  noteChurn(ledger, base.delta)
  const changes = [...base.patch, ...runBuilders(commit, base.delta, answers)]
  const candidate = base.patch.length > 0 ? candidateJob(ledger, book) : undefined
  if (candidate) follow(ledger, book, candidate, base.delta)
  if (changes.length === 0) return undefined
  recordTouched(ledger.sql, jobs, changes)
  return { changes, seq: fillOutbox(ledger, changes, version, base.delta.removed) }
}

/** Texts are not needed any more: their chunks are staged. */
const WITHOUT_TEXT = `n, document, state, content_version, indexed_version, hash, title, name, url, metadata, '' AS text, placed, waiting, job, error`

function revisionsOf(ledger: Ledger, job: Job): Revision[] {
  if (!job.progress) return []
  return ledger.sql.all<Revision>(
    `SELECT ${WITHOUT_TEXT} FROM revision WHERE state = 'staged' AND n IN (SELECT value FROM json_each(?)) ORDER BY n`,
    job.progress,
  )
}

/** Live documents these jobs delete. A delete reaches no version accepted after it. */
function deletable(ledger: Ledger, jobs: readonly Job[], replaced: ReadonlySet<string>): Revision[] {
  const found = jobs.flatMap((job) =>
    ledger.sql.all<Revision>(
      `SELECT ${WITHOUT_TEXT} FROM revision WHERE state = 'live' AND n <= ? AND document IN (SELECT value FROM json_each(?))`,
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
