/**
 * The final order of evidence: a cross-encoder over a wider pool, as far as it is trusted, then what fits the budget. A summary and the passage that
 * supports it stay together. Without the reranker's scores the walk's order is kept.
 */
import { blendScores } from '../core/channels/blend'
import { readingText } from '../core/channels/reading-text'
import { type Evidence, tokensOf } from '../core/evidence'
import type { AskDeps, EvidenceLimit } from './ask-types'
import { rerankingBound } from './call-bounds'
import type { Meter } from './meter'

const WIDER = 3 // times the evidence requested is considered
const MAX = 100 // pieces of evidence one walk may return

/** How much to ask of the walk when a reranker will choose from it. */
export function rerankPool({ topK, budget }: EvidenceLimit): EvidenceLimit {
  return { topK: Math.min(MAX, topK * WIDER), budget: budget * WIDER }
}

/** The evidence for a question, more than it asked for. */
export interface Pool {
  readonly evidence: readonly Evidence[]
  /** The re-ranker's share of a score. */
  readonly weight: number
  /** For each piece, the sentence that led to it. */
  readonly paths: readonly (string | null)[]
  /** Its document's weight for the asker; its own score already includes it. */
  readonly worth?: readonly number[]
}

export async function rerankEvidence(deps: AskDeps, question: string, pool: Pool, meter: Meter): Promise<readonly Evidence[]> {
  const { evidence } = pool
  if (evidence.length < 2) return evidence
  const texts = readingTexts(question, pool)
  try {
    const reply = await meter.call('rerank', rerankingBound(question, texts), ({ mayRepeat }) =>
      deps.models.rerank(question, texts, { mayRepeat }),
    )
    return reply ? blendEvidence(pool, reply.scores) : evidence
  } catch {
    meter.degraded.add('reranker')
    return evidence
  }
}

/** What a re-ranker reads for each piece. */
export function readingTexts(question: string, { evidence, paths }: Pick<Pool, 'evidence' | 'paths'>): string[] {
  return evidence.map(({ title = '', text }, i) => readingText({ title, path: paths[i] ?? undefined, text, question }))
}

/** In the order of the blended scores; ties, and everything at weight 0, keep their order. `read`: the re-ranker's scores. */
export function blendEvidence(
  { evidence, weight, worth }: Pick<Pool, 'evidence' | 'weight' | 'worth'>,
  read: readonly number[],
): readonly Evidence[] {
  const own = falling(evidence.map((one) => one.score))
  const scores = blendScores(own, worth ? read.map((score, i) => score * (worth[i] ?? 1)) : read, weight)
  const scored = evidence.map((one, i) => ({ ...one, score: scores[i] ?? 0 }))
  return groupEvidence(scored)
    .sort((a, b) => best(b) - best(a))
    .flat()
}

/** No score above the one before it: the order need not follow the scores alone. */
function falling(scores: readonly number[]): number[] {
  let last = Number.POSITIVE_INFINITY
  return scores.map((score) => {
    last = Math.min(last, score)
    return last
  })
}

/** The first of the list that fit, best first; a group that does not fit is skipped, since a shorter one further down may fit. */
export function packEvidence(evidence: readonly Evidence[], limit: EvidenceLimit): readonly Evidence[] {
  const out: Evidence[] = []
  let left = limit.budget
  for (const group of groupEvidence(evidence)) {
    const cost = group.reduce((sum, one) => sum + tokensOf(one), 0)
    if (cost > left || out.length + group.length > limit.topK) continue
    out.push(...group)
    left -= cost
  }
  return out
}

/** Runs of evidence that belong together: a summary, community or entity with the passages behind it. */
export function groupEvidence(evidence: readonly Evidence[]): Evidence[][] {
  const out: Evidence[][] = []
  for (const one of evidence) {
    const last = out.at(-1)
    if (last?.[0] && one.via === `supports ${last[0].id}`) last.push(one)
    else out.push([one])
  }
  return out
}

function best(group: readonly Evidence[]): number {
  return Math.max(...group.map((one) => one.score))
}
