/** What the calls of a question come to at most, so that they can be covered before they are made (allowance.ts). Counted only where there is a ceiling. */
import type { Spent } from '../contract/usage'
import { atMost } from '../core/cost'
import { countTokens } from '../core/text/tokens'
import type { Message, Models } from '../ports/models'
import type { CostBound, Stages } from './allowance'
import { answerLimits } from './answer-prompt'
import type { AskDeps, EvidenceLimit, QueryRequest } from './ask-types'
import type { EmbeddedQuestion } from './entry-points'

const NUMBER = 24 // tokens of a source's number and title
const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }

/** A question that may not be embedded. */
export const NOT_EMBEDDED: EmbeddedQuestion = { spent: NOTHING, calls: 0 }

export function embeddingBound(...texts: readonly string[]): CostBound {
  return () => ({ ...NOTHING, embedded: atMost(texts.reduce((sum, text) => sum + countTokens(text), 0)) })
}

/** A cross-encoder reads the question with each text. */
export function rerankingBound(question: string, texts: readonly string[]): CostBound {
  return () => ({ ...NOTHING, in: atMost(countTokens(question) * texts.length + texts.reduce((sum, text) => sum + countTokens(text), 0)) })
}

export function writingBound(messages: readonly Message[], tokens: number): CostBound {
  return () => ({ ...NOTHING, in: atMost(messages.reduce((sum, one) => sum + countTokens(one.content), 0)), out: tokens })
}

/** What a cross-encoder will read at most of a walk's findings. */
export function rerankingAhead(question: string, { topK, budget }: EvidenceLimit): Stages {
  return { rerank: { ...NOTHING, in: atMost(countTokens(question) * topK + budget) } }
}

/** What writing an answer will come to at most, as far as that can be said before anything is found; a judge reads the evidence once more. */
export function answeringAhead(
  { models, judge }: Pick<AskDeps, 'models' | 'judge'>,
  request: QueryRequest,
  { topK, budget }: EvidenceLimit,
): Stages {
  if (!models.text) return {}
  const turns = (request.history ?? []).reduce((sum, turn) => sum + countTokens(turn.content), 0)
  const numbers = topK * NUMBER + 2 * countTokens(request.query) + answerLimits.overhead
  const read = Math.min(models.text.window, budget + numbers + Math.min(turns, answerLimits.history))
  const out = roomFor(models)
  const judging: Stages = judge?.text ? { judge: { ...NOTHING, in: atMost(budget + numbers + out), out } } : {}
  return { answer: { ...NOTHING, in: atMost(read), out }, ...judging }
}

/** Tokens the model may answer with. */
export function roomFor(models: Pick<Models, 'text'>): number {
  return Math.min(answerLimits.tokens, Math.floor((models.text?.window ?? 0) / 4))
}
