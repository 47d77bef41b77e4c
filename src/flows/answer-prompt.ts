/**
 * What a model is asked when a question is answered: numbered sources inside the fence, the question before and after them, a citation
 * behind every statement, and one fixed sentence when the sources do not answer. Sources that do not fit the model's context are left out.
 */
import { countTokens } from '../core/text/tokens'
import type { Evidence, Message } from '../ports'
import { fenced } from './fence'
import { clipped } from './windows'

export const INSUFFICIENT = 'Insufficient information.'

export const answering = {
  tokens: 1000, // of an answer
  overhead: 600, // tokens of a prompt besides sources, question and history
  history: 2000, // tokens of earlier turns, and at most an eighth of the context
  form: 200, // characters of a form of answer
} as const

export interface Asked {
  readonly question: string
  readonly history: readonly Message[]
  readonly form: string
}

/** `window`: tokens of the model's context. */
export function answerPrompt(asked: Asked, evidence: readonly Evidence[], window: number): readonly Message[] {
  const reply = Math.min(answering.tokens, Math.floor(window / 4))
  const history = recent(asked.history, Math.min(answering.history, Math.floor(window / 8)))
  const before = history.reduce((sum, turn) => sum + countTokens(turn.content), 0)
  const question = clipped(asked.question, Math.floor(window / 8))
  const room = window - reply - before - answering.overhead - 2 * countTokens(question)
  const { law, block } = fenced(numbered(evidence, room))
  const rules = [
    'Answer the question from the numbered sources alone; use no other knowledge.',
    'Behind every statement put the number of each source that says so, like [2] or [1][3]. Cite no number that is not there.',
    `If the sources do not answer the question, reply exactly: ${INSUFFICIENT}`,
    'Be brief. Answer in the language of the question.',
    ...(asked.form === '' ? [] : [`Form of the answer: ${asked.form.slice(0, answering.form)}`]),
    law,
  ]
  return [
    { role: 'system', content: rules.join('\n') },
    ...history,
    { role: 'user', content: `Question: ${question}\n\n${block}\n\nQuestion: ${question}` },
  ]
}

function numbered(evidence: readonly Evidence[], room: number): string[] {
  let left = room
  return evidence.flatMap((one, i) => {
    const source = `[${i + 1}] ${one.title ? `${one.title}\n` : ''}${one.text}`
    const cost = countTokens(source)
    if (cost > left) return []
    left -= cost
    return [source]
  })
}

/** The latest turns that fit, oldest first. */
function recent(history: readonly Message[], tokens: number): readonly Message[] {
  const out: Message[] = []
  let left = tokens
  for (const turn of [...history].reverse()) {
    if (turn.role === 'system') continue
    left -= countTokens(turn.content)
    if (left < 0) break
    out.unshift(turn)
  }
  return out
}
