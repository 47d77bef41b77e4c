/**
 * The text model chooses among the candidates the graph found (GORAG Eq. 10–12). Without a model, over budget, or if it names none of them, the score
 * decides.
 */

import type { Degraded } from '../contract/questions'
import type { Spent } from '../contract/usage'
import { applyChoice, decisionBrief, promptLimits, readDecision } from '../core/strategies/gorag/brief'
import type { Classification } from '../core/strategies/gorag/classify'
import type { Message, Models } from '../ports/models'
import type { Allowance } from './allowance'
import { writingBound } from './call-bounds'
import { fenceTexts } from './fence'

export interface Decided {
  /** With the choice applied. */
  readonly found: Classification
  readonly by: 'model' | 'score'
  readonly spent: Spent
  readonly degraded: readonly Degraded[]
}

const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }
const JSON_AROUND = 32 // tokens that the reply's form takes in addition to the label

export async function decide(
  { models }: { readonly models: Models },
  text: string,
  found: Classification,
  allowance: Allowance,
): Promise<Decided> {
  const byScore = (spent: Spent, ...degraded: Degraded[]): Decided => ({ found, by: 'score', spent, degraded })
  if (!models.text || found.candidates.length === 0) return byScore(NOTHING)
  const messages = decisionMessages(text, found)
  const tokens = promptLimits.answer + JSON_AROUND
  const schema = choiceOf(found.candidates.map(({ label }) => label))
  const call = await allowance.begin('classify', writingBound(models, messages, tokens, schema))
  if (!call) return byScore(NOTHING, 'budget')
  try {
    const reply = await models.write(messages, { tokens, schema, role: 'classify', mayRepeat: call.mayRepeat })
    call.paid(reply.spent)
    if (reply.truncated) return byScore(reply.spent, 'truncated') // half a label may be a different one
    const choice = readDecision(reply.text, found.candidates)
    return choice === null
      ? byScore(reply.spent, 'text_model')
      : { found: applyChoice(found, choice), by: 'model', spent: reply.spent, degraded: [] }
  } catch (error) {
    call.failed(error)
    return byScore(NOTHING, 'text_model') // slow, down or over its quota: never asked twice about one text
  }
}

/** Otherwise a small model names other words from its prompt. */
function choiceOf(labels: readonly string[]): unknown {
  return { type: 'object', properties: { label: { type: 'string', enum: [...new Set(labels)] } }, required: ['label'] }
}

/** What the model is asked: labels with description and keywords, then the text and its keywords. */
export function decisionMessages(text: string, found: Classification): readonly Message[] {
  const brief = decisionBrief(text, found)
  const about = fenceTexts(
    brief.candidates.map(({ label, description, keywords }) =>
      [label, description, keywords.length > 0 ? `keywords: ${keywords.join(', ')}` : ''].filter(Boolean).join(' | '),
    ),
  )
  const fenced = fenceTexts([brief.text, brief.keywords.length > 0 ? `keywords: ${brief.keywords.join(', ')}` : ''].filter(Boolean))
  return [
    {
      role: 'system',
      content: `You choose the one label that fits a text. ${fenced.law} Reply with JSON: {"label": "<one of the labels, exactly as written>"}.`,
    },
    {
      role: 'user',
      content: `Labels, what they are about and words of their texts:\n${about.block}\n\nText:\n${fenced.block}\n\nWhich label fits the text?`,
    },
  ]
}
