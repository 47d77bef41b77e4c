/**
 * Accepts documents: one transaction stores each text, its chunks, the tasks they need and a job. Nothing is visible yet. A newer version of a document
 * replaces one still staged; the live one is served until the newer is ready.
 */

import type { DocumentStatus } from '../../../src/contract/documents'
import type { JobKind } from '../../../src/contract/jobs'
import { canonicalJson } from '../../../src/core/canonical-json'
import type { Json } from '../../../src/core/graph/types'
import { fingerprint } from '../../../src/core/ids'
import { foundIn } from '../../../src/core/text/outline'
import type { DocumentInput } from '../../../src/ports/documents'
import type { Accepted } from '../../../src/ports/jobs'
import { affordable, estimate } from '../billing/usage'
import { refuseDocuments } from '../division/closed'
import { commitReady } from '../indexing/commit'
import { integratingJob } from '../jobs/integration-state'
import type { Job } from '../jobs/job'
import { type JobUnitOfWork, openUnitOfWork } from '../jobs/jobs'
import { uncountRevision } from '../jobs/progress'
import { claimChunks, unstage } from '../jobs/staging'
import type { CorpusContext } from '../store'
import { insertBrought } from '../tables/brought'
import { findEvent, insertEvent } from '../tables/event'
import { insertFile } from '../tables/file'
import { listDocumentsLeaving } from '../tables/job'
import { incrementMeta, metaKeys, readMeta } from '../tables/meta'
import { insertOutline } from '../tables/outline'
import {
  deleteRevision,
  insertRevision,
  listRevisionsNotLive,
  type Revision,
  readLastRevisionNumber,
  readNewestRevision,
} from '../tables/revision'
import { noteWithdrawn } from '../tables/withdrawn'
import { withCorrection } from './corrections'
import { type DividedAhead, divisionOf } from './divide-ahead'
import { fileToKeep, renewFile } from './kept-file'
import { isStemmedAnew, languageOfInput, UNDETERMINED } from './language'
import { checkLimits } from './limits'
import { updateAccess } from './set-access'

interface Request {
  readonly kind: JobKind
  readonly upserts: readonly DocumentInput[]
  readonly deletes: readonly string[]
  readonly ifMatch?: number
  readonly events?: readonly string[]
  readonly job?: string
  /** Moved from another partition, with vectors: it was paid for there. */
  readonly isMoved?: true
}

/** Accepts the request and its event: both or neither. */
export function accept(context: CorpusContext, request: Request, ahead?: DividedAhead): Accepted {
  return context.atomically(() => {
    refuseDocuments(context.sql)
    const { events = [] } = request
    const known = findEvent(context.sql, events)
    if (known) return { kind: 'duplicate', job: known.job }
    const accepted = acceptRequest(context, request, ahead)
    // A refused request may be sent again; a request that changed nothing counts as received.
    if (accepted.kind !== 'accepted' && accepted.kind !== 'unchanged' && accepted.kind !== 'missing') return accepted
    const job = accepted.kind === 'accepted' ? accepted.job : null
    for (const id of events) insertEvent(context.sql, id, job, context.now())
    return accepted
  })
}

function acceptRequest(context: CorpusContext, request: Request, ahead: DividedAhead | undefined): Accepted {
  const given = [...new Map(request.upserts.map((one) => [one.id, one])).values()]
  const known = new Map(given.map((one) => [one.id, readNewestRevision(context.sql, one.id)]))
  const handedIn = given.map((one) => withCorrection(context.sql, one, known.get(one.id)))
  const upserts = handedIn.map(({ input }) => input)
  const corrections = new Map(handedIn.map(({ input, correction }) => [input.id, correction ? { correction } : {}]))
  if (request.ifMatch !== undefined) {
    const target = upserts[0]?.id ?? request.deletes[0] ?? ''
    if ((readNewestRevision(context.sql, target)?.content_version ?? 0) !== request.ifMatch) return { kind: 'precondition_failed' }
  }
  // Documents that a request not yet applied deletes: put again, they are not what they were.
  const ids = upserts.map((one) => one.id)
  const leaving = new Set(listDocumentsLeaving(context.sql, ids, integratingJob(context) ?? 0))
  const dividedBefore = readMeta(context.sql, metaKeys.dividedBefore) ?? -1
  const fresh = upserts.filter((input) => {
    const { id, ...rest } = input
    const last = known.get(id)
    if (!last || !isAsStored({ id, ...rest }, last) || last.state === 'failed') return true
    return (last.state === 'live' && leaving.has(id)) || last.n <= dividedBefore || isStemmedAnew(context.config.settings, input, last)
  })
  // The labels of a new text take effect with it: what is served until then must not be shown to those who may read only its replacement.
  const standing = upserts.filter((one) => !fresh.includes(one))
  const deletes = request.deletes.filter((id) => readNewestRevision(context.sql, id) !== undefined)
  if (fresh.length === 0 && request.deletes.length === 0) {
    renewFiles(context, standing, known)
    const changed = updateAccess(context, standing)
    const version = changed === null ? {} : { version: changed }
    const documents = upserts.map(({ id }) => ({ document: id, status: 'unchanged' as const, ...corrections.get(id) }))
    return { kind: 'unchanged', documents, ...version }
  }
  if (fresh.length === 0 && deletes.length === 0 && request.kind === 'delete') return { kind: 'missing' }
  const afford = affordable(context, estimate(context, request.isMoved ? [] : fresh))
  if (!afford.enough) return { kind: 'over_budget', estimate: afford.estimate, left: afford.left }

  const full = checkLimits(context, fresh, deletes)
  if (full) return full
  renewFiles(context, standing, known)
  updateAccess(context, standing)

  const unitOfWork = openUnitOfWork(context.sql, context.now())
  const upto = readLastRevisionNumber(context.sql)
  const job = unitOfWork.create({ id: request.job ?? newJobId(), kind: request.kind, created: context.now(), upto, deletes })
  incrementMeta(context.sql, metaKeys.acceptedCount)
  for (const id of deletes) supersede(context, unitOfWork, id)
  noteWithdrawn(context.sql, 'deleted', context.now(), deletes)
  noteWithdrawn(context.sql, 'access', context.now(), relabelled(fresh, known))
  job.tally.counted.documents.total = fresh.length + deletes.length
  const revisions = fresh.map((one) => {
    const before = known.get(one.id)
    const file = fileToKeep(context, one, before)
    supersede(context, unitOfWork, one.id)
    return stage(context, job, one, { before, file, ahead })
  })
  job.progress = JSON.stringify(revisions)
  commitReady(context, unitOfWork)
  unitOfWork.save()
  const freshIds = new Set(fresh.map((one) => one.id))
  const status = (id: string): DocumentStatus | 'unchanged' => (freshIds.has(id) ? 'queued' : 'unchanged')
  const documents = upserts.map(({ id }) => ({ document: id, status: status(id), ...corrections.get(id) }))
  return { kind: 'accepted', job: job.id, documents, ...(afford.cost ? { cost: afford.cost } : {}) }
}

export function newJobId(): string {
  return `j_${crypto.randomUUID().replaceAll('-', '')}`
}

/** The same metadata in a different order is the same document. */
export function hashOf(input: DocumentInput): string {
  const { title, text, url, metadata, outline = [], dates = {}, language, brought } = input
  const parts = [title, text, url ?? '', canonicalJson(metadata)]
  const named = [...(language ? [{ language }] : []), ...(brought ? [{ brought }] : [])]
  const further = [...(outline.length > 0 ? [outline] : []), ...(Object.keys(dates).length > 0 ? [dates] : []), ...named]
  return fingerprint(...parts, ...further.map((one) => canonicalJson(one as unknown as Json)))
}

/** Given or detected, its language is the same: a language stated by an export does not make it another document. */
function isAsStored(input: DocumentInput, { hash, language }: Revision): boolean {
  if (hash === hashOf(input)) return true
  const { language: given, ...untold } = input
  return given === language && hash === hashOf(untold)
}

function renewFiles(context: CorpusContext, standing: readonly DocumentInput[], known: ReadonlyMap<string, Revision | undefined>): void {
  for (const one of standing) {
    const revision = known.get(one.id)
    if (revision) renewFile(context, one, revision)
  }
}

/** The existing documents that come with other labels or another switch. */
function relabelled(fresh: readonly DocumentInput[], known: ReadonlyMap<string, Revision | undefined>): string[] {
  return fresh.flatMap(({ id, access, active }) => {
    const before = known.get(id)
    if (!before) return []
    const isSame = (!access || JSON.stringify(access) === before.access) && (active === undefined || Number(active) === before.active)
    return isSame ? [] : [id]
  })
}

/** A staged version that will never be shown: its job stops waiting for it. One that is being applied in parts is completed, and replaced later. */
function supersede(context: CorpusContext, unitOfWork: JobUnitOfWork, document: string): void {
  const { sql } = context
  const going = integratingJob(context)
  for (const old of listRevisionsNotLive(sql, document)) {
    if (old.job === going && old.state === 'staged') continue
    const job = unitOfWork.find(old.job)
    if (job && old.waiting > 0 && old.state === 'staged') job.waiting--
    if (job && old.state === 'staged') uncountRevision(job.tally.counted, old)
    unstage(context, unitOfWork, [old])
    deleteRevision(sql, old.n)
  }
}

interface Beside {
  readonly before: Revision | undefined
  readonly file: Uint8Array | undefined
  readonly ahead: DividedAhead | undefined
}

/** Labels that are not given stay unchanged, and so does whether it is switched off. */
function stage(context: CorpusContext, job: Job, input: DocumentInput, { before, file, ahead }: Beside): number {
  const { name, chunks, placed } = divisionOf(context, input, ahead)
  const access = input.access ? JSON.stringify(input.access) : (before?.access ?? '[]')
  const n = insertRevision(context.sql, {
    document: input.id,
    content_version: (before?.content_version ?? 0) + 1,
    hash: hashOf(input),
    title: input.title,
    name,
    url: input.url ?? null,
    metadata: JSON.stringify(input.metadata),
    dates: JSON.stringify(input.dates ?? {}),
    language: languageOfInput(context.config.settings, input) ?? UNDETERMINED,
    text: input.text,
    placed: JSON.stringify(placed),
    job: job.n,
    access,
    active: input.active === undefined ? (before?.active ?? 1) : Number(input.active),
    source: input.correctionOf ?? '',
    accepted_at: context.now(),
  })
  const { outline: given = [] } = input
  const starts = placed.map((one) => one.start)
  insertBrought(context.sql, n, input.brought)
  insertOutline(context.sql, n, { given, found: foundIn(input.text, given, starts) })
  if (file) insertFile(context.sql, n, file)
  claimChunks(context, job, n, chunks)
  return n
}
