/**
 * Everything that speaks for each label of a text, on one scale: TF-IDF centroid, letter sequences, embedding, edges of the keyword graph, and the
 * label's name. Each is standardised: half over this text's labels, since cosines of long and short texts, of sums and of edges are not comparable,
 * and half over what labelled texts score with labels that are not theirs, since among many labels one that shares a stray word would stand out
 * most.
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
export type ByKind = Readonly<Record<Kind, number>>

/** One score per label, as measured; `embedding` is absent if there is no vector to compare. */
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

/** In the order of `KINDS`; absent evidence says nothing. `usual`: how far scores with other texts' labels deviate. */
export function standardised(evidence: Evidence, usual: ByKind): Float64Array[] {
  const none = new Float64Array(evidence.terms.length)
  return KINDS.map((kind) => standardScores(evidence[kind] ?? none, usual[kind]))
}

/** By kind, how far the scores that texts get with labels not theirs lie from each text's mean: the root of the mean square; 0 without texts. */
export function usualDeviations(measured: readonly { readonly right: number; readonly evidence: Evidence }[]): ByKind {
  const of = (kind: Kind): number => {
    let [sum, count] = [0, 0]
    for (const { right, evidence } of measured) {
      const scores = evidence[kind] ?? new Float64Array()
      const mean = scores.reduce((total, x) => total + x, 0) / Math.max(1, scores.length)
      for (const [y, x] of scores.entries()) sum += y === right ? 0 : (x - mean) ** 2
      count += Math.max(0, scores.length - 1)
    }
    return Math.sqrt(sum / Math.max(1, count))
  }
  return Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as Record<Kind, number>
}
