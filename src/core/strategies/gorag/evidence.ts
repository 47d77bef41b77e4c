/**
 * All that speaks for each label of a text, on one scale: TF-IDF centroid, letter sequences, embedding, edges of the keyword graph, and the
 * label's name. Each is standardised over the labels, since cosines of long and short texts, of sums and of edges do not compare.
 */
import { standardScores } from '../../algorithms/standard-scores'
import { embeddingEvidence } from './embedding-evidence'
import type { GoragIndex } from './index'
import { keywordEvidence } from './keyword-evidence'
import type { Counts } from './keywords'
import type { KeptText } from './labelled-view'
import { partEvidence } from './part-evidence'
import { termEvidence } from './term-evidence'
import type { View } from './view'

/** Always in this order. */
export const KINDS = ['terms', 'parts', 'embedding', 'keywords', 'names'] as const
export type Kind = (typeof KINDS)[number]

/** One score per label, as measured; `embedding` is absent without a vector to compare. */
export type Evidence = Readonly<Record<Exclude<Kind, 'embedding'>, Float64Array>> & { readonly embedding: Float64Array | undefined }

export interface Question {
  readonly text: string
  readonly counts: Counts
  readonly vector: Int8Array | undefined
}

/** `without` leaves one labelled text out, as if it had never been given. */
export function evidenceFor(view: View, index: GoragIndex, { text, counts, vector }: Question, without?: KeptText): Evidence {
  const { centroid, name } = termEvidence(view, index, counts, without)
  return {
    terms: centroid,
    parts: partEvidence(index, view.labelled, text, without),
    embedding: embeddingEvidence(view, index, vector, without),
    keywords: keywordEvidence(view, counts, without),
    names: name,
  }
}

/** In the order of `KINDS`; what is absent says nothing. */
export function standardised(evidence: Evidence): Float64Array[] {
  const none = new Float64Array(evidence.terms.length)
  return KINDS.map((kind) => standardScores(evidence[kind] ?? none))
}
