/**
 * A question that depends on earlier turns ("And when?") as a self-contained one. The model rewrites it; without one, or when it is down, the previous turn
 * is searched for along with it, if it does depend on it. Used only for finding evidence: the answer is requested with the turns themselves.
 */
import { leansOnEarlier } from '../core/reader/leaning'
import type { Call } from './allowance'
import type { AskDeps, QueryRequest } from './ask-types'
import { embeddingBound, writingBound } from './call-bounds'
import { fenceTexts } from './fence'
import type { Meter } from './meter'
import { clipToTokens } from './windows'

export const followUp = {
  turns: 6, // latest turns shown; a question seldom refers further back
  turn: 400, // tokens of each
  tokens: 120, // of the rewritten question
} as const

/** The question itself if there are no earlier turns, or if it is self-contained by rule and no model can decide. */
export async function rewriteFollowUp(deps: AskDeps, request: QueryRequest, meter: Meter): Promise<string> {
  const turns = (request.history ?? []).filter((turn) => turn.role !== 'system').slice(-followUp.turns)
  const before = turns.findLast((turn) => turn.role === 'user')
  if (!before) return request.query
  const joined = leansOnEarlier(request.query) ? `${clipToTokens(before.content, followUp.turn)}\n${request.query}` : request.query
  if (!deps.models.text || meter.degraded.has('budget')) return joined
  const { law, block } = fenceTexts([
    ...turns.map((turn) => `${turn.role}: ${clipToTokens(turn.content, followUp.turn)}`),
    `user: ${request.query}`,
  ])
  const task =
    'The material is a conversation. Rewrite its last question so that it is understood alone: put names for pronouns and add what it takes ' +
    'from earlier turns. Keep its language. If it is understood alone already, repeat it. Reply with the question and nothing else.'
  try {
    const messages = [
      { role: 'system', content: `${task}\n${law}` },
      { role: 'user', content: block },
    ] as const
    const write = ({ mayRepeat }: Call) => deps.models.write(messages, { tokens: followUp.tokens, role: 'answer', mayRepeat })
    const ahead = () => ({ question: embeddingBound(joined)() })
    const reply = await meter.call('rewrite', writingBound(deps.models, messages, followUp.tokens), write, { ahead })
    if (!reply) return joined
    const { text, truncated } = reply
    if (truncated) {
      meter.degraded.add('truncated')
      return joined // half a question asks something else
    }
    return text.split('\n')[0]?.trim() || joined
  } catch {
    meter.degraded.add('text_model')
    return joined
  }
}
