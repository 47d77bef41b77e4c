/**
 * The answer to a question from its evidence: written by the model where there is one, it is up and the budget allows; else extracted
 * from the evidence, flagged. Either way with citations that were checked.
 */
import { candidatesOf } from '../core/reader/candidates'
import { compose } from '../core/reader/compose'
import { ANSWERED, confidence } from '../core/reader/confidence'
import { read } from '../core/reader/read'
import type { Evidence, Message, Models } from '../ports'
import { answering, answerPrompt, INSUFFICIENT, numbered } from './answer-prompt'
import type { AskDeps, Nearest, QueryRequest, QueryResult } from './ask-types'
import { cited, placed, verified } from './cite'
import { FILTERED } from './filter'
import { type Found, searchResult } from './find'
import { gate } from './markers'
import { affords, writingOf } from './purse'

type Answer = Pick<QueryResult, 'answer' | 'citations' | 'generator' | 'grounded' | 'insufficient' | 'dropped'>

/** What a question that the documents do not answer is told. */
export const NOTHING_HERE = 'Nothing here answers that.'
const NEAREST = 3 // sentences shown in place of an answer

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

/** The sentence or two of the evidence that answer, each its own citation; or that nothing here does. */
export async function extracted(deps: AskDeps, { minConfidence = ANSWERED }: QueryRequest, found: Found): Promise<Answer> {
  const { question } = found
  const sources = found.evidence.flatMap((one, i) => (one.document === null ? [] : [{ ...one, marker: i + 1 }]))
  const reading = read(question, sources, new Map([...found.terms].map(([term, { weight }]) => [term, weight])))
  if (reading.sentences.length === 0 || confidence(question, sources, found.terms) < minConfidence) {
    return { answer: NOTHING_HERE, citations: [], generator: 'extractive', grounded: false, insufficient: true, dropped: 0 }
  }
  const { text, statements } = compose(reading, sources)
  const proposed = statements.map(({ start, end, quote }) => {
    const source = sources[quote.passage]
    return source && placed(source, quote, source.marker, { start, end })
  })
  const checked = await found.meter.time('verify', verified(deps.corpus, proposed, statements))
  return { answer: text, generator: 'extractive', insufficient: false, ...checked }
}

export function queryResult(found: Found, answer: Answer): QueryResult {
  const sources = found.evidence.filter((one) => one.document !== null)
  return {
    ...searchResult(found),
    ...answer,
    answered: !answer.insufficient,
    confidence: Number(confidence(found.question, sources, found.terms).toFixed(3)),
    nearest: answer.insufficient ? sources.slice(0, NEAREST).flatMap((one) => nearestIn(found, one)) : [],
  }
}

/** The sentence of a passage that says most of the question. */
function nearestIn({ terms }: Found, source: Evidence): Nearest[] {
  const { id, document, start, title } = source
  if (document === null || start === null) return []
  const worth = (said: ReadonlySet<string>): number =>
    [...terms].reduce((sum, [term, { weight }]) => sum + (said.has(term) ? weight : 0), 0)
  const [best] = candidatesOf(source, 0).sort((a, b) => worth(b.terms) - worth(a.terms) || a.start - b.start)
  if (!best) return []
  return [{ id, document, start: start + best.start, end: start + best.end, quote: best.text, ...(title === undefined ? {} : { title }) }]
}

function isInsufficient(answer: string): boolean {
  return answer.toLowerCase().startsWith(INSUFFICIENT.slice(0, -1).toLowerCase())
}
