/**
 * Takes documents in: one transaction stores each text, its chunks, what is owed for them and a job. Nothing is visible yet.
 * A newer version of a document replaces one still staged; the live one is served until the newer is ready.
 */

import type { DocumentStatus } from '../../../src/contract/documents'
import type { JobKind } from '../../../src/contract/jobs'
import type { Chunk, Json, Placed } from '../../../src/core/graph/types'
import { fingerprint } from '../../../src/core/ids'
import { divide } from '../../../src/core/text/divide'
import type { DocumentInput } from '../../../src/ports/documents'
import type { Accepted } from '../../../src/ports/jobs'
import { affordable, estimate } from '../billing/usage'
import { commitReady } from '../indexing/commit'
import { type Job, type JobUnitOfWork, openUnitOfWork } from '../indexing/jobs'
import { integratingJob } from '../indexing/large'
import { uncount } from '../indexing/progress'
import { addTasks, cancelTasks } from '../indexing/tasks'
import { wantsUnits } from '../shadow-graph/candidate'
import { type CorpusContext, next } from '../store'
import { beyond } from './limits'
import { changedAccess, setAccess } from './set-access'

export const BASE = 'base' // the builder name under which chunks ask for their vectors

export interface Revision {
  readonly n: number
  readonly document: string
  readonly state: 'staged' | 'live' | 'failed'
  readonly content_version: number
  readonly indexed_version: number
  readonly hash: string
  readonly title: string
  readonly name: string
  readonly url: string | null
  readonly metadata: string
  readonly text: string
  readonly placed: string
  readonly waiting: number
  readonly job: number
  readonly error: string | null
  /** JSON list of labels. */
  readonly access: string
}

interface Request {
  readonly kind: JobKind
  readonly upserts: readonly DocumentInput[]
  readonly deletes: readonly string[]
  readonly ifMatch?: number
  readonly events?: readonly string[]
}

/** Takes the request in, and its event with it: both or neither. */
export function accept(context: CorpusContext, request: Request): Accepted {
  return context.atomically(() => {
    const { events = [] } = request
    const known = context.sql.one<{ job: string | null }>(
      'SELECT job FROM event WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(events),
    )
    if (known) return { kind: 'duplicate', job: known.job }
    const accepted = takeIn(context, request)
    // What was refused may be sent again; what changed nothing has been heard all the same.
    if (accepted.kind !== 'accepted' && accepted.kind !== 'unchanged' && accepted.kind !== 'missing') return accepted
    const job = accepted.kind === 'accepted' ? accepted.job : null
    for (const id of events) context.sql.run('INSERT INTO event (id, job, at) VALUES (?, ?, ?)', id, job, context.now())
    return accepted
  })
}

function takeIn(context: CorpusContext, request: Request): Accepted {
  const upserts = [...new Map(request.upserts.map((one) => [one.id, one])).values()]
  const known = new Map(upserts.map((one) => [one.id, newest(context, one.id)]))
  if (request.ifMatch !== undefined) {
    const target = upserts[0]?.id ?? request.deletes[0] ?? ''
    if ((newest(context, target)?.content_version ?? 0) !== request.ifMatch) return { kind: 'precondition_failed' }
  }
  const going = leaving(
    context,
    upserts.map((one) => one.id),
  )
  const fresh = upserts.filter(({ id, ...rest }) => {
    const last = known.get(id)
    return last?.hash !== hashOf({ id, ...rest }) || last.state === 'failed' || (last.state === 'live' && going.has(id))
  })
  const changed = setAccess(context, changedAccess(context, upserts))
  const version = changed === null ? {} : { version: changed }
  const deletes = request.deletes.filter((id) => newest(context, id) !== undefined)
  if (fresh.length === 0 && request.deletes.length === 0) {
    return { kind: 'unchanged', documents: upserts.map((one) => ({ document: one.id, status: 'unchanged' as const })), ...version }
  }
  if (fresh.length === 0 && deletes.length === 0 && request.kind === 'delete') return { kind: 'missing' }
  const afford = affordable(context, estimate(context, fresh))
  if (!afford.enough) return { kind: 'over_budget', estimate: afford.estimate, left: afford.left }

  const full = beyond(context, fresh, deletes)
  if (full) return full

  const unitOfWork = openUnitOfWork(context.sql, context.now())
  const upto = context.sql.one<{ n: number }>('SELECT coalesce(max(n), 0) AS n FROM revision')?.n ?? 0
  const job = unitOfWork.create({ id: newJobId(), kind: request.kind, created: context.now(), upto, deletes })
  next(context.sql, 'accepted')
  for (const id of deletes) supersede(context, unitOfWork, id)
  job.tally.counted.documents.total = fresh.length + deletes.length
  const revisions = fresh.map((one) => {
    supersede(context, unitOfWork, one.id)
    return stage(context, job, one, known.get(one.id))
  })
  job.progress = JSON.stringify(revisions)
  commitReady(context, unitOfWork)
  unitOfWork.save()
  const freshIds = new Set(fresh.map((one) => one.id))
  const status = (id: string): DocumentStatus | 'unchanged' => (freshIds.has(id) ? 'queued' : 'unchanged')
  return { kind: 'accepted', job: job.id, documents: upserts.map((one) => ({ document: one.id, status: status(one.id) })) }
}

/** Those that a request not yet in the graph deletes: put again, they are not what they were. */
function leaving({ sql }: CorpusContext, ids: readonly string[]): ReadonlySet<string> {
  const rows = sql.all<{ id: string }>(
    `SELECT DISTINCT d.value AS id FROM job, json_each(job.deletes) d
     WHERE phase <> 'done' AND (phase = 'staging' OR n = ?) AND d.value IN (SELECT value FROM json_each(?))`,
    integratingJob({ sql }) ?? 0,
    JSON.stringify(ids),
  )
  return new Set(rows.map((row) => row.id))
}

/** The version of a document last accepted: staged if there is one, else live. */
export function newest(context: Pick<CorpusContext, 'sql'>, document: string): Revision | undefined {
  return context.sql.one<Revision>('SELECT * FROM revision WHERE document = ? ORDER BY n DESC LIMIT 1', document)
}

export function newJobId(): string {
  return `j_${crypto.randomUUID().replaceAll('-', '')}`
}

function hashOf(input: DocumentInput): string {
  return fingerprint(input.title, input.text, input.url ?? '', canonical(input.metadata))
}

/** JSON with sorted keys: the same metadata in another order is the same document. */
function canonical(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(canonical).join(',')}]`
  const record = value as { readonly [key: string]: Json }
  return `{${Object.keys(record)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(record[key] ?? null)}`)
    .join(',')}}`
}

/** A staged version that will never be shown: its job stops waiting for it. One that is going in by parts goes in, and is replaced later. */
function supersede(context: CorpusContext, unitOfWork: JobUnitOfWork, document: string): void {
  const { sql } = context
  const going = integratingJob(context)
  for (const old of sql.all<Revision>(`SELECT * FROM revision WHERE document = ? AND state <> 'live'`, document)) {
    if (old.job === going && old.state === 'staged') continue
    const job = unitOfWork.find(old.job)
    if (job && old.waiting > 0 && old.state === 'staged') job.waiting--
    if (job && old.state === 'staged') uncount(job.tally.counted, old)
    unstage(context, unitOfWork, old.n)
    sql.run('DELETE FROM revision WHERE n = ?', old.n)
  }
}

/** Drops a revision's claim on staged chunks, and the chunks nobody else awaits. */
export function unstage(context: CorpusContext, unitOfWork: JobUnitOfWork, revision: number): void {
  const { sql } = context
  const chunks = sql.all<{ chunk: string }>('SELECT chunk FROM awaited WHERE revision = ?', revision).map((row) => row.chunk)
  for (const chunk of chunks) {
    sql.run('DELETE FROM awaited WHERE chunk = ? AND revision = ?', chunk, revision)
    if (sql.one('SELECT 1 FROM awaited WHERE chunk = ? LIMIT 1', chunk)) continue
    sql.run('DELETE FROM staged WHERE chunk = ?', chunk)
    cancelTasks(sql, unitOfWork, BASE, [chunk])
  }
}

/** Labels that are not given stay as they were. */
function stage(context: CorpusContext, job: Job, input: DocumentInput, before: Revision | undefined): number {
  const { name, chunks, placed } = divide({ title: input.title, text: input.text }, context.config.settings.chunking)
  const access = input.access ? JSON.stringify(input.access) : (before?.access ?? '[]')
  const n = insertRevision(context, job, input, { name, placed, contentVersion: (before?.content_version ?? 0) + 1, access })
  claim(context, job, n, chunks)
  return n
}

/** A failed version tries again. */
export function restage(context: CorpusContext, job: Job, revision: Revision): void {
  const { chunks } = divide({ title: revision.title, text: revision.text }, context.config.settings.chunking)
  job.tally.counted.documents.total++
  context.sql.run(`UPDATE revision SET state = 'staged', error = NULL WHERE n = ?`, revision.n)
  claim(context, job, revision.n, chunks)
}

/** The version awaits its chunks; those without vectors are staged and owed. */
function claim(context: CorpusContext, job: Job, revision: number, chunks: readonly Chunk[]): void {
  const { sql, graph, config } = context
  const distinct = [...new Map(chunks.map((chunk) => [chunk.id, chunk])).values()]
  const lacking = distinct.filter((chunk) => !graph.chunk(chunk.id) && !hasVectors(context, chunk.id))
  const ids = JSON.stringify(distinct.map((chunk) => chunk.id))
  job.tally.counted.chunks.total += distinct.length
  sql.run('INSERT OR IGNORE INTO awaited (chunk, revision) SELECT value, ? FROM json_each(?)', revision, ids)
  if (lacking.length === 0) return
  job.waiting++
  sql.run('UPDATE revision SET waiting = ? WHERE n = ?', lacking.length, revision)
  for (const chunk of lacking) sql.run('INSERT OR IGNORE INTO staged (chunk, body) VALUES (?, ?)', chunk.id, JSON.stringify(chunk))
  const withUnits = wantsUnits(context)
  const tasks = lacking.map((chunk) => ({
    builder: BASE,
    kind: 'embed' as const,
    node: chunk.id,
    input: `${chunk.id} ${config.settings.models}`,
    urgent: true,
    texts: chunk.passages.length + (withUnits ? chunk.units.length : 0),
  }))
  addTasks(sql, tasks, [job])
}

function hasVectors(context: CorpusContext, chunk: string): boolean {
  return context.sql.one('SELECT 1 FROM staged WHERE chunk = ? AND passages IS NOT NULL', chunk) !== undefined
}

function insertRevision(
  context: CorpusContext,
  job: Job,
  input: DocumentInput,
  made: { name: string; placed: readonly Placed[]; contentVersion: number; access: string },
): number {
  context.sql.run(
    `INSERT INTO revision (document, state, content_version, indexed_version, hash, title, name, url, metadata, text, placed, waiting, job, access)
     VALUES (?, 'staged', ?, 0, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
    input.id,
    made.contentVersion,
    hashOf(input),
    input.title,
    made.name,
    input.url,
    JSON.stringify(input.metadata),
    input.text,
    JSON.stringify(made.placed),
    job.n,
    made.access,
  )
  return context.sql.one<{ n: number }>('SELECT last_insert_rowid() AS n')?.n ?? 0
}

export interface Staged {
  readonly chunk: Chunk
  readonly passages: ArrayBuffer | null
  readonly units: ArrayBuffer | null
}

export function readStaged(context: Pick<CorpusContext, 'sql'>, chunk: string): Staged | undefined {
  const row = context.sql.one<{ body: string; passages: ArrayBuffer | null; units: ArrayBuffer | null }>(
    'SELECT body, passages, units FROM staged WHERE chunk = ?',
    chunk,
  )
  return row && { chunk: JSON.parse(row.body) as Chunk, passages: row.passages, units: row.units }
}
