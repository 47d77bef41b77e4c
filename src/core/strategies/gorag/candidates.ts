/**
 * Which labels a text may have (GORAG §3.3): those of its Steiner tree, joined by those its keywords point to and those its embedding is near to.
 * Never fewer than a handful, since a label that is not among them can never be right; but the surer the text, the fewer. If there are too many
 * they are cut, and if too few filled up, by the probability of each label.
 */
import { softmax } from '../../algorithms/softmax-fit'
import { type Evidence, evidenceFor, KINDS, standardised } from './evidence'
import { type Fit, fitOf } from './fit'
import { candidatesFor } from './gate'
import type { GoragIndex } from './index'
import { keywordCounts } from './keywords'
import type { GoragSettings } from './settings'
import { type Found, steinerOf } from './tree'
import type { View } from './view'

/** What speaks for each label, by its number, and the resulting probability. */
export type Weighed = Evidence & { readonly probabilities: Float64Array }

export interface Candidate {
  /** Number of the label in the view. */
  readonly label: number
  readonly probability: number
  readonly via: readonly Via[]
}

/** `score`: only the sum of the evidence brought it here. */
export type Via = 'steiner' | 'keywords' | 'embedding' | 'score'

export interface WeighedCandidates {
  readonly weighed: Weighed
  readonly found: Found
  /** Best first. */
  readonly candidates: readonly Candidate[]
}

export function weighCandidates(
  view: View,
  index: GoragIndex,
  text: { readonly text: string; readonly vector?: Int8Array | undefined },
  settings: GoragSettings,
): WeighedCandidates {
  const counts = keywordCounts(text.text, index.phrase)
  const evidence = evidenceFor(view, index, { text: text.text, counts, vector: text.vector })
  const fit = fitOf(index, settings)
  const weighed = { ...evidence, probabilities: probabilitiesOf(evidence, fit) }
  const found = steinerOf(view, counts, settings)
  return { weighed, found, candidates: chooseCandidates(weighed, found, candidatesFor(weighed.probabilities, settings, fit.mass)) }
}

/** Labels by a score, best first, ties in their order; labels that score nothing are left out. */
export function topLabels(scores: Float64Array, max: number): number[] {
  return byScore(scores)
    .filter((label) => (scores[label] ?? 0) > 0)
    .slice(0, max)
}

function probabilitiesOf(evidence: Evidence, { belief, usual }: Fit): Float64Array {
  return softmax(
    standardised(evidence, usual),
    KINDS.map((kind) => belief[kind]),
    evidence.terms.length,
  )
}

/** By probability: first what a source proposes, then the rest. */
function chooseCandidates(weighed: Weighed, found: Found, max: number): Candidate[] {
  const { keywords, embedding, probabilities } = weighed
  const sources: readonly (readonly [Via, readonly number[]])[] = [
    ['steiner', found.labels],
    ['keywords', topLabels(keywords, max)],
    ['embedding', embedding ? topLabels(embedding, max) : []],
  ]
  const via = new Map<number, Via[]>()
  for (const [source, labels] of sources) for (const label of labels) via.set(label, [...(via.get(label) ?? []), source])
  const likely = byScore(probabilities)
  const order = new Set([...likely.slice(0, 1), ...likely.filter((label) => via.has(label)), ...likely])
  return [...order]
    .slice(0, max)
    .map((label) => ({ label, probability: probabilities[label] ?? 0, via: via.get(label) ?? ['score' as const] }))
    .sort((a, b) => b.probability - a.probability || a.label - b.label)
}

function byScore(scores: Float64Array): number[] {
  return [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
}
