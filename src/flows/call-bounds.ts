/**
 * The most that the calls of a question can cost, so that they can be covered before they are made (allowance.ts). Counted only if there is a ceiling. A
 * call's bound is certain, whatever the model's vocabulary; what is reserved ahead is an estimate, since nothing has been found yet.
 */
import type { Spent } from '../contract/usage'
import { rerankBound } from '../core/cost'
import { tokenBound, tokenBounds } from '../core/text/token-bound'
import type { Message, Models, TextModel } from '../ports/models'
import type { CostBound, Stages } from './allowance'
import { answerLimits } from './answer-prompt'
import type { AskDeps, EvidenceLimit, QueryRequest } from './ask-types'
import { COMPARISON_TOKENS, PAIRS_ROOM } from './compare-statements'
import type { EmbeddedQuestion } from './entry-points'
import { thinkingTokensOf, writerFor } from './writers'

const NUMBER = 24 // tokens of a source's number and title
const AHEAD = 6 // times our count of a text: the usual bound in most languages
const CALL = 128 // tokens that a model's chat template adds to a conversation
const SCHEMA = 160 // tokens around a schema that is described in words
type Writer = Pick<Models, 'text' | 'roles'>

const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }

/** A question that may not be embedded. */
export const NOT_EMBEDDED: EmbeddedQuestion = { spent: NOTHING, calls: 0 }

export function embeddingBound(...texts: readonly string[]): CostBound {
  return () => ({ ...NOTHING, embedded: tokenBounds(texts) })
}

/** A cross-encoder reads the question with each text. */
export function rerankingBound(question: string, texts: readonly string[]): CostBound {
  return () => ({ ...NOTHING, in: rerankBound([{ question, texts }]) })
}

/** `tokens`: those requested. */
export function writingBound(models: Writer, messages: readonly Message[], tokens: number, schema?: unknown): CostBound {
  return () => {
    const form = schema === undefined ? 0 : SCHEMA + tokenBound(JSON.stringify(schema))
    const out = tokens + thinkingTokensOf(models)
    return { ...NOTHING, in: CALL + form + tokenBounds(messages.map((one) => one.content)), out }
  }
}

/** The most that a cross-encoder will probably read of a walk's findings. */
export function rerankingAhead(question: string, { topK, budget }: EvidenceLimit): Stages {
  return { rerank: { ...NOTHING, in: tokenBound(question) * topK + AHEAD * budget } }
}

/** The most that an answer will probably cost; a judge compares what is found, and reads it once more for what a model wrote. */
export function answeringAhead(
  { models, judge }: Pick<AskDeps, 'models' | 'judge'>,
  request: QueryRequest,
  { topK, budget }: EvidenceLimit,
): Stages {
  const compared = judge?.text ? comparingAhead(judge.text) : undefined
  if (!models.text) return compared ? { judge: compared } : {}
  const turns = tokenBounds((request.history ?? []).map((turn) => turn.content))
  const numbers = AHEAD * (topK * NUMBER + answerLimits.overhead) + 2 * tokenBound(request.query)
  const read = AHEAD * budget + numbers + Math.min(turns, AHEAD * answerLimits.history)
  const room = roomFor(models)
  const out = room + thinkingTokensOf(models)
  const judged = { ...NOTHING, in: AHEAD * (budget + room) + numbers, out: room + (judge?.text?.thinkingTokens ?? 0) }
  const both = compared && { ...NOTHING, in: judged.in + compared.in, out: judged.out + compared.out }
  return { answer: { ...NOTHING, in: read, out }, ...(both ? { judge: both } : {}) }
}

/** The most that a judge will probably read of statements and reply (judge-disagreements.ts). */
function comparingAhead({ thinkingTokens = 0 }: TextModel): Spent {
  return { ...NOTHING, in: AHEAD * COMPARISON_TOKENS, out: PAIRS_ROOM + thinkingTokens }
}

/** Tokens the model may answer with. */
export function roomFor(models: Writer): number {
  return Math.min(answerLimits.tokens, Math.floor((writerFor(models, 'answer')?.window ?? 0) / 4))
}
