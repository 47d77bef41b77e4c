/** Feeds the documents of the corpus to the builders of a graph that is derived again, a limited number at a time. */
import type { DocumentRecord } from '../../../src/core/graph/types'
import type { Job } from '../jobs/job'
import type { JobUnitOfWork } from '../jobs/jobs'
import { isMigrating } from '../pending-config'
import { feedCandidate } from '../shadow-graph/candidate'
import { movedDocuments } from '../shadow-graph/move'
import type { CorpusContext } from '../store'
import { FIRST_PACE, type Pace } from './pace'

const DOCUMENTS = 64 // in one slice at most, however short they are

/** How far the feeding has got. */
export interface Fed {
  /** The last document. */
  readonly after: string
  readonly pace: Pace
  /** How many tokens were fed now. */
  readonly documents: number
}

/** Gives the candidate's builders the next documents as if they had just arrived; undefined when they have them all. */
export function feedSlice(
  context: CorpusContext,
  unitOfWork: JobUnitOfWork,
  job: Job,
  after: string,
  { tokens }: Pace = FIRST_PACE,
): Fed | undefined {
  const began = context.now()
  const { documents, taken } = nextDocuments(context, after, tokens)
  const last = documents.at(-1)
  if (last === undefined) return undefined
  feedCandidate(context, unitOfWork, job, isMigrating(context) ? movedDocuments(context, documents) : documents) // the others are fed when they are ready
  return { documents: documents.length, after: last.id, pace: { tokens, open: { taken, began } } }
}

/** Documents with at most this many tokens together, but at least one: a document is fed as a whole, as when it was put. */
function nextDocuments(
  { graph }: CorpusContext,
  after: string,
  room: number,
): { readonly documents: readonly DocumentRecord[]; readonly taken: number } {
  const documents: DocumentRecord[] = []
  let taken = 0
  for (const id of graph.page('document', after, DOCUMENTS)) {
    const document = graph.document(id)
    if (!document) continue
    const own = document.chunks.reduce((sum, { chunk }) => sum + (graph.chunk(chunk)?.tokens ?? 0), 0)
    if (documents.length > 0 && taken + own > room) break
    documents.push(document)
    taken += own
  }
  return { documents, taken }
}

export function documentsOf({ graph }: CorpusContext, ids: readonly string[]): DocumentRecord[] {
  return ids.map((id) => graph.document(id)).filter((one): one is DocumentRecord => one !== undefined)
}
