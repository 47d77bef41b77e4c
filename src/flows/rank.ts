/**
 * The last word on the order of evidence: a cross-encoder over a wider pool, then what fits the budget. A summary and the passage
 * that supports it stay together. Without the reranker's word the walk's order stands.
 */
import type { Evidence } from '../core/evidence'
import type { AskDeps, EvidenceLimit } from './ask-types'
import { rerankingBound } from './call-bounds'
import type { Meter } from './meter'

const WIDER = 3 // times the evidence asked for is looked at
const MAX = 100 // pieces of evidence one walk may return

/** How much to ask of the walk when a reranker will choose from it. */
export function rerankPool({ topK, budget }: EvidenceLimit): EvidenceLimit {
  return { topK: Math.min(MAX, topK * WIDER), budget: budget * WIDER }
}

export async function rerankEvidence(
  deps: AskDeps,
  question: string,
  evidence: readonly Evidence[],
  meter: Meter,
): Promise<readonly Evidence[]> {
  const texts = evidence.map((one) => one.text)
  if (evidence.length < 2) return evidence
  try {
    const reply = await meter.call('rerank', rerankingBound(question, texts), ({ mayRepeat }) =>
      deps.models.rerank(question, texts, { mayRepeat }),
    )
    if (!reply) return evidence
    const { scores } = reply
    const scored = evidence.map((one, i) => ({ ...one, score: scores[i] ?? 0 }))
    return groupEvidence(scored)
      .sort((a, b) => best(b) - best(a) || (idOf(a) < idOf(b) ? -1 : 1))
      .flat()
  } catch {
    meter.degraded.add('reranker')
    return evidence
  }
}

/** The first of the list that fit, best first; a group that does not fit is skipped, a shorter one further down may fit. */
export function packEvidence(evidence: readonly Evidence[], limit: EvidenceLimit): readonly Evidence[] {
  const out: Evidence[] = []
  let left = limit.budget
  for (const group of groupEvidence(evidence)) {
    const cost = group.reduce((sum, one) => sum + one.tokens, 0)
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

function idOf(group: readonly Evidence[]): string {
  return group[0]?.id ?? ''
}
