/**
 * The answer to a question from its evidence: written by the model if there is one, it is up and the budget allows; otherwise extracted from the evidence
 * and flagged. Either way with checked citations and with how far they support each claim.
 */

import type { Nearest, QueryResult } from '../contract/questions'
import type { ToolCall, ToolUse } from '../contract/tools'
import type { Evidence } from '../core/evidence'
import { mayBeEnglish } from '../core/language/detect'
import { type Candidate, candidatesOf } from '../core/reader/candidates'
import { type Composed, compose } from '../core/reader/compose'
import { ANSWERED, confidence } from '../core/reader/confidence'
import type { Meaning } from '../core/reader/likeness'
import type { OverviewPlan } from '../core/reader/overview/plan'
import { readOverview } from '../core/reader/overview/read'
import { read, readerLimits } from '../core/reader/read'
import { countTokens } from '../core/text/tokens'
import type { Message } from '../ports/models'
import type { Call } from './allowance'
import { answerIn, saysNothing, toldBy } from './answer-checks'
import { answerPrompt, INSUFFICIENT, numbered } from './answer-prompt'
import type { AnswerDeps, QueryRequest } from './ask-types'
import { roomFor, writingBound } from './call-bounds'
import { citeStatements, placed, verified } from './cite'
import { splitClaims } from './claims'
import { disagreementsIn, replacedIn, rulesFor, toldOf } from './disagreeing'
import { isFiltered } from './filter'
import { searchResult } from './find'
import type { Found } from './found'
import { judgeSupport } from './judge'
import { markerFilter } from './markers'
import { overviewConfidence, overviewRules } from './overview'
import { nothingHere } from './refusal'
import { type Kept, supportOf, withoutUnsupported } from './support'
import { TOOL_RULE, textOfTools } from './tools'
import { writerFor } from './writers'

type Answer = Pick<QueryResult, 'answer' | 'citations' | 'generator' | 'grounded' | 'insufficient' | 'dropped' | 'support' | 'tool_calls'>

/** Matching too much does no harm: then the extract answers, or refuses. */
const REFUSAL_WORDS =
  /insufficient information|\b(?:can ?not|can['’]t|must not|may not|do not|don['’]t|never) (?:answer|reply|respond|use this)\b|\b(?:nicht|keine) (?:be)?antwort|\b(?:réponds|répondez|répondre) pas\b|\bno (?:respondas|responda|puedes responder)\b/i
const NEAREST = 3 // sentences shown instead of an answer

/** What is asked of the model, and the call, which is covered. */
export interface Prompt {
  readonly messages: readonly Message[]
  readonly call: Call
  readonly tools?: ToolUse
}

/** Undefined if no model may or can be asked. */
export async function promptFor(deps: AnswerDeps, request: QueryRequest, found: Found): Promise<Prompt | undefined> {
  const text = request.generator === 'extractive' ? null : writerFor(deps.models, 'answer')
  const { tools } = request
  if (!text || (found.evidence.length === 0 && !tools) || found.meter.degraded.has('budget')) return undefined
  const grounded = !isFiltered(found.strategy) || request.options?.grounded !== false
  const prompt = {
    question: request.query,
    history: request.history ?? [],
    form: request.responseType ?? '',
    grounded,
    rules: [...(tools ? [TOOL_RULE] : []), ...(found.points ? [] : [...overviewRules(found), ...rulesFor(disagreementsIn(found))])],
  }
  const besides = tools ? textOfTools(tools) : ''
  const messages = answerPrompt(prompt, found.points ?? found.evidence.map(numbered), text.window - countTokens(besides))
  const counted = tools ? [...messages, { role: 'user' as const, content: besides }] : messages
  const call = await found.meter.begin('answer', writingBound(deps.models, counted, roomFor(deps.models)))
  return call && { messages, call, ...(tools ? { tools } : {}) }
}

export interface Written {
  readonly text: string
  /** It asks for these first. */
  readonly calls?: readonly ToolCall[]
}

/** The whole reply, or undefined if the model gave none. */
export async function writeAnswer(deps: AnswerDeps, { messages, call, tools }: Prompt, found: Found): Promise<Written | undefined> {
  const { meter, evidence } = found
  try {
    const { text, spent, truncated, toolCalls } = await meter.time(
      'generate',
      deps.models.write(messages, { tokens: roomFor(deps.models), role: 'answer', mayRepeat: call.mayRepeat, ...(tools ? { tools } : {}) }),
    )
    call.paid(spent)
    if (toolCalls) return { text, calls: toolCalls }
    const passing = markerFilter(evidence.length)
    const answer = answerIn(passing.pass(text) + passing.end(), toldBy(messages, found.question, evidence))
    if (truncated || answer?.isLoop) meter.degraded.add('truncated')
    if (answer) return { text: answer.text }
  } catch (error) {
    // Whatever went wrong, the evidence is available and an extract of it is an answer.
    call.failed(error)
  }
  meter.degraded.add('text_model')
  return undefined
}

/** A written answer with its citations, and how far they support it. */
export async function checkSupport(deps: AnswerDeps, request: QueryRequest, answer: string, found: Found): Promise<Answer> {
  if (isInsufficient(answer, found)) return refusing('model', answer)
  const { evidence, meter } = found
  const question = request.query
  const statements = splitClaims(answer)
  const { citations, dropped } = await meter.time('verify', citeStatements(deps.corpus, statements, { question, evidence }))
  const support = await judgeSupport(deps, found, supportOf({ question, statements, citations, evidence }))
  return chosen(request, { generator: 'model', dropped }, { answer, citations, support })
}

/** The reader's tools, and the confidence that the evidence answers. */
export interface EvidenceReading {
  readonly meaning: Meaning | undefined
  readonly confidence: number
}

export async function readEvidence({ models }: AnswerDeps, found: Found): Promise<EvidenceReading> {
  const { question, evidence, terms, passages } = found
  // The encoder knows only English: for other languages its similarity says less than letters do.
  const meaning = mayBeEnglish(found.overview?.about ?? question) ? await models.encoder?.() : undefined
  if (found.overview && found.overview.kind !== 'topic') return { meaning, confidence: overviewConfidence(found.overview, evidence) }
  return { meaning, confidence: confidence(found.overview?.about ?? question, sourcesOf(evidence), terms, { meaning, count: passages }) }
}

type Numbered = Evidence & { readonly marker: number }

const numberedSources = new WeakMap<readonly Evidence[], readonly Numbered[]>()

/** Evidence from documents, by its numbers: one list for all who read it. */
function sourcesOf(evidence: readonly Evidence[]): readonly Numbered[] {
  const known = numberedSources.get(evidence)
  if (known) return known
  const made = evidence.flatMap((one, i) => (one.document === null ? [] : [{ ...one, marker: i + 1 }]))
  numberedSources.set(evidence, made)
  return made
}

/** One or two sentences of the evidence that answer, each with its own citation; or a refusal. */
export async function extractAnswer(deps: AnswerDeps, request: QueryRequest, found: Found, by: EvidenceReading): Promise<Answer> {
  const { question, evidence } = found
  const { minConfidence = ANSWERED } = request
  if (found.overview) return extractOverview(deps, request, { ...found, overview: found.overview }, by)
  const all = sourcesOf(evidence)
  const first = read(question, all, found.terms, by.meaning)
  const readFrom = first.sentences.map((one) => ({ ...one, marker: all[one.passage]?.marker ?? 0, from: all[one.passage]?.start ?? 0 }))
  const older = replacedIn(disagreementsIn(found), readFrom)
  // The current statement is read instead of the one it replaced.
  const sources = older.size > 0 ? all.filter(({ marker }) => !older.has(marker)) : all
  const reading = older.size > 0 ? read(question, sources, found.terms, by.meaning) : first
  if (reading.sentences.length === 0 || by.confidence < minConfidence) return refusing('extractive', nothingHere(question, all[0]?.text))
  return quoting(deps, request, found, { composed: compose(reading, sources), sources })
}

async function extractOverview(
  deps: AnswerDeps,
  request: QueryRequest,
  found: Found & { readonly overview: OverviewPlan },
  by: EvidenceReading,
): Promise<Answer> {
  const sources = found.evidence.flatMap((one, i) => {
    const { document, start } = one
    return document === null || start === null ? [] : [{ ...one, document, start, marker: i + 1 }]
  })
  const composed = readOverview(sources, found.overview, { question: found.question, asked: found.terms })
  const { minConfidence = ANSWERED } = request
  if (composed.statements.length === 0 || by.confidence < minConfidence) {
    return refusing('extractive', nothingHere(found.question, sources[0]?.text))
  }
  return quoting(deps, request, found, { composed, sources })
}

interface Quoting {
  readonly composed: Composed
  readonly sources: readonly (Evidence & { readonly marker: number })[]
}

/** Each statement with the citation that shows it. */
async function quoting(deps: AnswerDeps, request: QueryRequest, found: Found, { composed, sources }: Quoting): Promise<Answer> {
  const { text, statements } = composed
  const proposed = statements.map(({ start, end, quote }) => {
    const source = sources[quote.passage]
    return source && placed(source, quote, source.marker, { start, end })
  })
  const { citations, dropped } = await found.meter.time('verify', verified(deps.corpus, proposed))
  const quoted = statements.map(({ start, end, quote }) => {
    const sentence = sources[quote.passage]?.text.slice(quote.start, quote.end) ?? ''
    return { start, end, text: text.slice(start, end), sentence }
  })
  const { question, evidence } = found
  const support = supportOf({ question, statements: quoted, citations, evidence })
  return chosen(request, { generator: 'extractive', dropped }, { answer: text, citations, support })
}

/** With unsupported statements marked or left out; if nothing is left, it is a refusal that lists what was left out. */
function chosen({ unsupported = 'mark' }: QueryRequest, made: Pick<Answer, 'generator' | 'dropped'>, all: Kept): Answer {
  const kept = unsupported === 'drop' ? withoutUnsupported(all) : all
  if (kept.answer === '') return { ...refusing(made.generator, INSUFFICIENT), dropped: made.dropped, support: kept.support }
  const shown = kept.support.filter(({ span }) => span !== null)
  const grounded = shown.length > 0 && shown.every(({ outcome, citations }) => outcome === 'supported' && citations.length > 0)
  return { ...kept, ...made, grounded, insufficient: false }
}

function refusing(generator: Answer['generator'], answer: string): Answer {
  return { answer, citations: [], support: [], generator, grounded: false, insufficient: true, dropped: 0 }
}

export function queryResult(found: Found, answer: Answer, by: EvidenceReading): QueryResult {
  const sources = found.evidence.filter((one) => one.document !== null)
  return {
    ...searchResult(found),
    ...answer,
    answered: !answer.insufficient,
    confidence: Number(by.confidence.toFixed(3)),
    ...(answer.insufficient ? {} : toldOf(disagreementsIn(found))),
    nearest: answer.insufficient && !answer.tool_calls ? sources.slice(0, NEAREST).flatMap((one) => nearestIn(found, one)) : [],
  }
}

/** The sentence of a passage that shares most with the question. */
function nearestIn({ terms }: Found, source: Evidence): Nearest[] {
  const { id, document, start, title } = source
  if (document === null || start === null) return []
  const worth = ({ isHeading, terms: said }: Candidate): number =>
    [...terms].reduce((sum, [term, { weight }]) => sum + (said.has(term) ? weight : 0), 0) * (isHeading ? readerLimits.heading : 1)
  const [best] = candidatesOf(source, 0).sort(
    (a, b) => worth(b) - worth(a) || Number(a.isHeading) - Number(b.isHeading) || a.start - b.start,
  )
  if (!best) return []
  return [{ id, document, start: start + best.start, end: start + best.end, quote: best.text, ...(title === undefined ? {} : { title }) }]
}

/** Does a source contain the words of a refusal, or mention not answering? Then it may have ordered one. */
export function quotesRefusal({ evidence }: Pick<Found, 'evidence'>): boolean {
  return evidence.some(({ text }) => REFUSAL_WORDS.test(text))
}

/** A refusal that a source may have ordered does not count: an extract answers, or refuses because of what it finds. */
export function isAskedRefusal(answer: string, found: Pick<Found, 'evidence'>): boolean {
  return isInsufficient(answer, found) && quotesRefusal(found)
}

function isInsufficient(answer: string, { evidence }: Pick<Found, 'evidence'>): boolean {
  return saysNothing(answer, evidence.map(({ text }) => text).join('\n'))
}
