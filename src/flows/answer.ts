/**
 * The answer to a question from its evidence: written by the model where there is one, it is up and the budget allows; else extracted
 * from the evidence, flagged. Either way with citations that were checked.
 */
import { extractAnswer } from '../core/text/answer'
import type { Message, Models } from '../ports'
import { answering, answerPrompt, INSUFFICIENT, numbered } from './answer-prompt'
import type { AskDeps, QueryRequest, QueryResult } from './ask-types'
import { cited, placed, verified } from './cite'
import { FILTERED } from './filter'
import { type Found, searchResult } from './find'
import { gate } from './markers'
import { affords, writingOf } from './purse'

type Answer = Pick<QueryResult, 'answer' | 'citations' | 'generator' | 'grounded' | 'insufficient' | 'dropped'>

/** The prompt, or undefined where no model may or can be asked. */
export function promptFor(deps: AskDeps, request: QueryRequest, found: Found): readonly Message[] | undefined {
  const { text } = deps.models
  if (!text || found.evidence.length === 0 || found.meter.degraded.has('budget')) return undefined
  const grounded = found.strategy !== FILTERED || request.options?.grounded !== false
  const asked = { question: request.query, history: request.history ?? [], form: request.responseType ?? '', grounded }
  const messages = answerPrompt(asked, found.points ?? found.evidence.map(numbered), text.window)
  return affords(deps, found.meter, 'answer', writingOf(messages, roomFor(deps.models))) ? messages : undefined
}

/** Tokens the model may answer with. */
export function roomFor(models: Models): number {
  return Math.min(answering.tokens, Math.floor((models.text?.window ?? 0) / 4))
}

/** The whole reply, or undefined when the model gave none. */
export async function written(deps: AskDeps, messages: readonly Message[], found: Found): Promise<string | undefined> {
  const { meter, evidence } = found
  try {
    const { text, spent } = await meter.time('generate', deps.models.write(messages, { tokens: roomFor(deps.models) }))
    meter.pay(spent)
    const passing = gate(evidence.length)
    const answer = passing.pass(text) + passing.end()
    if (answer !== '') return answer
  } catch {
    // Whatever it was, the evidence is here and an extract of it is an answer.
  }
  meter.degraded.add('text_model')
  return undefined
}

/** A written answer with its citations. */
export async function supported(deps: AskDeps, question: string, answer: string, found: Found): Promise<Answer> {
  if (isInsufficient(answer)) {
    return { answer, citations: [], generator: 'model', grounded: false, insufficient: true, dropped: 0 }
  }
  const checked = await found.meter.time('verify', cited(deps.corpus, { question, answer, evidence: found.evidence }))
  return { answer, generator: 'model', insufficient: false, ...checked }
}

/** Sentences of the evidence that answer best, each its own citation. */
export async function extracted(deps: AskDeps, question: string, found: Found): Promise<Answer> {
  const sources = new Map(found.evidence.flatMap((one, i) => (one.document === null ? [] : [[one.id, { one, marker: i + 1 }] as const])))
  const passages = [...sources.values()].map(({ one }) => ({ id: one.id, text: one.text }))
  const { text, spans } = extractAnswer(question, passages)
  if (text === '') return { answer: INSUFFICIENT, citations: [], generator: 'extractive', grounded: false, insufficient: true, dropped: 0 }
  const statements = spans.map(({ answerStart, answerEnd }) => ({ start: answerStart, end: answerEnd }))
  const proposed = spans.map(({ passage, start, end, answerStart, answerEnd }) => {
    const source = sources.get(passage)
    return source && placed(source.one, { start, end }, source.marker, { start: answerStart, end: answerEnd })
  })
  const checked = await found.meter.time('verify', verified(deps.corpus, proposed, statements))
  return { answer: text, generator: 'extractive', insufficient: false, ...checked }
}

export function queryResult(found: Found, answer: Answer): QueryResult {
  return { ...searchResult(found), ...answer }
}

function isInsufficient(answer: string): boolean {
  return answer.toLowerCase().startsWith(INSUFFICIENT.slice(0, -1).toLowerCase())
}
