/**
 * Other labels for existing documents, or documents switched off or on: in force with the resulting version, for texts, for everything
 * derived from them, and for a graph in progress.
 */
import type { AccessChange } from '../../../src/ports/documents'
import { labelsIn } from '../access/readable'
import { BUSY_INTEGRATING } from '../indexing/large'
import { isIntegrating } from '../jobs/integration-state'
import { keepReceipt, NOTHING_TOUCHED } from '../outbox/receipts'
import { isCandidateOpen } from '../shadow-graph/tables'
import { withCandidate } from '../shadow-graph/with-candidate'
import type { CorpusContext } from '../store'
import { deleteEarlierOf } from '../tables/earlier'
import { readNewestAccess, readNewestRevision, type StoredAccess, setAccessOf, setAccessOfRevision } from '../tables/revision'
import { noteWithdrawn } from '../tables/withdrawn'

const UNCHANGED = { putNodes: [], dropNodes: [], dropDocuments: [] }

export interface ChangedAccess {
  readonly document: string
  /** Sorted. */
  readonly access: readonly string[]
  readonly active: boolean
}

type AccessInput = AccessChange & { readonly id: string }

/** Those of these documents that exist with other values. */
export function changedAccess({ sql }: Pick<CorpusContext, 'sql'>, upserts: readonly AccessInput[]): readonly ChangedAccess[] {
  return upserts.flatMap(({ id, access, active }) => {
    const known = access || active !== undefined ? readNewestAccess(sql, id) : undefined
    if (!known) return []
    const wanted = { access: access ?? labelsIn(known.access), active: active ?? known.active === 1 }
    const stored = storedAs(wanted)
    return stored.access === known.access && stored.active === known.active ? [] : [{ document: id, ...wanted }]
  })
}

const storedAs = ({ access, active }: Omit<ChangedAccess, 'document'>): StoredAccess => ({
  access: JSON.stringify(access),
  active: Number(active),
})

/** A change that is applied in parts has its version, and reads the labels part by part: callers wait until it is complete. */
function refuseWithin(context: CorpusContext, changes: readonly ChangedAccess[]): void {
  if (changes.length > 0 && isIntegrating(context)) throw new Error(BUSY_INTEGRATING)
}

function noteChanged({ sql, now }: CorpusContext, changes: readonly ChangedAccess[]): void {
  const documents = changes.map(({ document }) => document)
  noteWithdrawn(sql, 'access', now(), documents)
}

/**
 * Documents put again with their text: a version in progress gets only the labels, since the version served meanwhile has another text.
 * Null as below.
 */
export function updateAccess(context: CorpusContext, upserts: readonly AccessInput[]): number | null {
  const changes = changedAccess(context, upserts)
  refuseWithin(context, changes)
  noteChanged(context, changes)
  const live = changes.filter(({ document, ...change }) => {
    const last = readNewestRevision(context.sql, document)
    if (last?.state === 'live') return true
    if (last) setAccessOfRevision(context.sql, last.n, storedAs(change))
    return false
  })
  return setAccess(context, live)
}

/** In the caller's transaction: it applies to every version of the documents. Null: nothing served was changed. */
export function setAccess(context: CorpusContext, changes: readonly ChangedAccess[]): number | null {
  refuseWithin(context, changes)
  const { sql, graph } = context
  noteChanged(context, changes)
  for (const { document, ...change } of changes) {
    const stored = storedAs(change)
    if (readNewestAccess(sql, document)?.access !== stored.access) deleteEarlierOf(sql, [document])
    setAccessOf(sql, document, stored)
  }
  const live = changes.flatMap(({ document, access, active }) => {
    const record = graph.document(document)
    return record ? [{ record, access, active }] : []
  })
  if (live.length === 0) return null
  const chunks = live.flatMap(({ record }) => record.chunks.map((placed) => placed.chunk))
  for (const { record, access, active } of live) graph.access.assign(record.id, access, active)
  const version = graph.version + 1
  graph.apply([], version)
  graph.access.applyChange(UNCHANGED, chunks)
  if (isCandidateOpen(sql)) withCandidate(context, (candidate) => candidate.graph.access.applyChange(UNCHANGED, chunks))
  keepReceipt(context, { ...NOTHING_TOUCHED, documents: live.length })
  return version
}
