/** What chooses the evidence from what a strategy found, if anything does, and the result. */
import type { Evidence } from '../core/evidence'
import type { Json } from '../core/graph/types'
import type { QuestionTerms } from '../core/reader/question-terms'
import type { AskDeps, EvidenceLimit, QueryRequest } from './ask-types'
import { chooseEvidence } from './choose'
import { extendTrace } from './extend-trace'
import type { Meter } from './meter'
import { packEvidence, rerankEvidence } from './rank'
import type { Walked } from './walk'

type Chooser = 'rerank' | 'model'

const DEFAULT = 'auto' // the strategy whose order a re-ranker may change unasked

/** What may choose; the corpus says whether a re-ranker does, since it knows how far it can be trusted. */
export function chooserOf({ models }: AskDeps, strategy: string, options: QueryRequest['options'] = {}): Chooser | undefined {
  const { select, rerank } = options
  if (select === 'model') return models.text ? 'model' : undefined
  if (select === 'score' || rerank === false || models.reranker === null) return undefined
  return strategy === DEFAULT || select === 'rerank' || typeof rerank === 'number' ? 'rerank' : undefined
}

interface Choice {
  readonly question: string
  readonly asked: QuestionTerms
  readonly by: Chooser | undefined
  readonly walked: Extract<Walked, { readonly kind: 'evidence' }>
  readonly room: EvidenceLimit
}

export interface Selected {
  readonly evidence: readonly Evidence[]
  readonly trace?: Json
}

export async function select(
  deps: AskDeps,
  { trace = false }: Pick<QueryRequest, 'trace'>,
  { question, asked, by, walked, room }: Choice,
  meter: Meter,
): Promise<Selected> {
  const { evidence, pool } = walked
  if (!pool) return { evidence }
  const all = { evidence, ...pool }
  const chosen =
    by === 'model' ? await chooseEvidence(deps, { question, asked }, all, meter) : await rerankEvidence(deps, question, all, meter)
  // The trace says who chose from the pool, and how far the re-ranker was trusted.
  return {
    evidence: packEvidence(chosen, room),
    ...(trace ? { trace: extendTrace(walked.trace, { selection: by === 'model' ? { by } : { by: 'rerank', weight: pool.weight } }) } : {}),
  }
}
