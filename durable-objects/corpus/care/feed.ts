/** The documents of the corpus, given to the builders of a graph that is derived anew, so many at a time. */
import type { DocumentRecord } from '../../../src/core/graph/types'
import { feed } from '../candidate/candidate'
import type { Ledger } from '../store'
import type { Book, Job } from '../work/jobs'
import { FIRST_PACE, type Pace } from './pace'

/** How far the feeding has got. */
export interface Fed {
  /** The last document. */
  readonly after: string
  readonly pace: Pace
}

/** Gives the candidate's builders the next documents as if they had just arrived; undefined when it has them all. */
export function feedSome(ledger: Ledger, book: Book, job: Job, after: string, { chunks }: Pace = FIRST_PACE): Fed | undefined {
  const documents = upTo(chunks, documentsOf(ledger, ledger.graph.page('document', after, chunks)))
  const last = documents.at(-1)
  if (last === undefined) return undefined
  feed(ledger, book, job, documents)
  const taken = documents.reduce((sum, one) => sum + one.chunks.length, 0)
  return { after: last.id, pace: { chunks, open: { taken, began: ledger.now() } } }
}

/** The first of them that have together no more chunks than these, but one at least: a document comes whole, as it did when it was put. */
function upTo(chunks: number, documents: readonly DocumentRecord[]): readonly DocumentRecord[] {
  let room = chunks
  const past = documents.findIndex((one, i) => {
    room -= one.chunks.length
    return room < 0 && i > 0
  })
  return past < 0 ? documents : documents.slice(0, past)
}

export function documentsOf({ graph }: Ledger, ids: readonly string[]): DocumentRecord[] {
  return ids.map((id) => graph.document(id)).filter((one): one is DocumentRecord => one !== undefined)
}
