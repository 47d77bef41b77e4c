/**
 * One list of evidence from several corpora. A strategy's scores are shares of its best, so the best of a corpus that knows nothing about
 * the question would rank next to the best of one that answers it. So each corpus is first weighed by a common measure: how much of the
 * question its best pieces contain, with each word weighted by its rarity in all of them together (as BM25 does). Within a corpus the
 * strategy's order is kept. Vectors are not used: corpora may have vectors from different models. Pure.
 */
import { idf } from '../../core/channels/lexical'
import type { Evidence } from '../../core/evidence'
import type { QuestionTerms } from '../../core/reader/question-terms'
import { readTerms as terms } from '../../core/text/read-terms'
import { groupEvidence } from '../rank'

const limits = {
  read: 5, // best pieces that represent a corpus
  k1: 0.9, // saturation of repeated words
  b: 0.4, // how far length counts
  usual: 80, // terms in a typical passage
  silent: 0.1, // weight of a corpus with no word of the question: it may be in another language
} as const

export interface Part {
  readonly corpus: string
  readonly evidence: readonly Evidence[]
  /** The question's terms, with the number of its passages that contain each. */
  readonly frequencies: readonly (readonly [term: string, passages: number])[]
  readonly passages: number
}

export interface Merged {
  readonly corpus: string
  readonly evidence: Evidence
}

/** The rarity of each of the question's terms in all corpora together. */
export function termsOfAll(parts: readonly Pick<Part, 'frequencies' | 'passages'>[]): QuestionTerms {
  const passages = passagesOf(parts)
  const counts = new Map<string, number>()
  for (const { frequencies } of parts) for (const [term, count] of frequencies) counts.set(term, (counts.get(term) ?? 0) + count)
  return new Map([...counts].map(([term, count]) => [term, { weight: idf(passages, count), isKnown: count > 0 }]))
}

export function passagesOf(parts: readonly Pick<Part, 'passages'>[]): number {
  return parts.reduce((sum, one) => sum + one.passages, 0)
}

/** Best first; scores are shares of the best possible one. A summary and what supports it stay together. */
export function mergeEvidence(parts: readonly Part[]): Merged[] {
  const known = termsOfAll(parts)
  return parts
    .flatMap((part) => weighed(part, weightOf(part, known)))
    .sort((a, b) => b.score - a.score)
    .flatMap(({ group }) => group)
}

function weighed({ corpus, evidence }: Part, weight: number) {
  const best = Math.max(...evidence.map((one) => one.score), 0) || 1
  let floor = 1 // an order need not be that of the scores
  return groupEvidence(evidence).map((group) => {
    floor = Math.min(floor, Math.max(0, ...group.map((one) => one.score / best)))
    const score = floor * weight
    return { score, group: group.map((one) => ({ corpus, evidence: { ...one, score: Math.max(0, one.score / best) * weight } })) }
  })
}

/** Up to 1: how much of the question the best of its pieces contains. */
function weightOf({ evidence }: Part, known: QuestionTerms): number {
  const most = Math.max(0, ...evidence.slice(0, limits.read).map((one) => saying(one, known)))
  return limits.silent + (1 - limits.silent) * most
}

function saying({ title = '', text }: Evidence, known: QuestionTerms): number {
  const said = terms(`${title}\n${text}`)
  const counts = new Map<string, number>()
  for (const term of said) if (known.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
  const length = 1 - limits.b + (limits.b * said.length) / limits.usual
  let sum = 0
  let all = 0
  for (const [term, { weight, isKnown }] of known) {
    if (!isKnown) continue
    const count = counts.get(term) ?? 0
    sum += (weight * count) / (count + limits.k1 * length)
    all += weight
  }
  return all > 0 ? sum / all : 0
}
