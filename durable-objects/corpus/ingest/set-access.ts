/** Other labels for documents that are here: in force with the version this makes, for texts, for what was derived from them, and for a graph under way. */
import type { DocumentInput } from '../../../src/ports/documents'
import { BUSY_INTEGRATING } from '../indexing/large'
import { isIntegrating } from '../jobs/integration-state'
import { keepReceipt, NOTHING_TOUCHED } from '../outbox/receipts'
import { withCandidate } from '../shadow-graph/candidate'
import { isCandidateOpen } from '../shadow-graph/tables'
import type { CorpusContext } from '../store'
import { readNewestAccess, readNewestRevision, setAccessOf, setAccessOfRevision } from '../tables/revision'

const UNCHANGED = { putNodes: [], dropNodes: [], dropDocuments: [] }

export interface ChangedAccess {
  readonly document: string
  /** Sorted. */
  readonly access: readonly string[]
}

/** Of these documents those that are here under other labels. */
export function changedAccess(
  { sql }: Pick<CorpusContext, 'sql'>,
  upserts: readonly Pick<DocumentInput, 'id' | 'access'>[],
): readonly ChangedAccess[] {
  return upserts.flatMap(({ id, access }) => {
    if (!access) return []
    const known = readNewestAccess(sql, id)
    return known !== undefined && known !== JSON.stringify(access) ? [{ document: id, access }] : []
  })
}

/** A change that goes in by parts has its version, and reads the labels part by part: callers wait until it is in. */
function refuseWithin(context: CorpusContext, changes: readonly ChangedAccess[]): void {
  if (changes.length > 0 && isIntegrating(context)) throw new Error(BUSY_INTEGRATING)
}

/** Documents put again with their text: a version on its way takes the labels alone, what is served beside it is another text. Null as below. */
export function updateAccess(context: CorpusContext, upserts: readonly Pick<DocumentInput, 'id' | 'access'>[]): number | null {
  const changes = changedAccess(context, upserts)
  refuseWithin(context, changes)
  const live = changes.filter(({ document, access }) => {
    const last = readNewestRevision(context.sql, document)
    if (last?.state === 'live') return true
    if (last) setAccessOfRevision(context.sql, last.n, JSON.stringify(access))
    return false
  })
  return setAccess(context, live)
}

/** In the caller's transaction: every version of the documents has these labels. Null: nothing that is served was changed. */
export function setAccess(context: CorpusContext, changes: readonly ChangedAccess[]): number | null {
  refuseWithin(context, changes)
  const { sql, graph } = context
  for (const { document, access } of changes) setAccessOf(sql, document, JSON.stringify(access))
  const live = changes.flatMap(({ document, access }) => {
    const record = graph.document(document)
    return record ? [{ record, access }] : []
  })
  if (live.length === 0) return null
  const chunks = live.flatMap(({ record }) => record.chunks.map((placed) => placed.chunk))
  for (const { record, access } of live) graph.access.assign(record.id, access)
  const version = graph.version + 1
  graph.apply([], version)
  graph.access.applyChange(UNCHANGED, chunks)
  if (isCandidateOpen(sql)) withCandidate(context, (candidate) => candidate.graph.access.applyChange(UNCHANGED, chunks))
  keepReceipt(context, { ...NOTHING_TOUCHED, documents: live.length })
  return version
}
