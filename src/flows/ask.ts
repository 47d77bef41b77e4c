/**
 * Questions to a corpus: search (evidence), query (an answer with citations, streamed or not), compare (several strategies side by side). What a question
 * cost is charged to the corpus when the answer is complete, even if the reader has left.
 */
import type { AskEvent, CompareResult, QueryResult, SearchResult } from '../contract/questions'
import { questionsFirst } from '../question-precedence'
import { type Allowance, allowanceOf, settle } from './allowance'
import {
  checkSupport,
  extractAnswer,
  isAskedRefusal,
  type Prompt,
  promptFor,
  queryResult,
  quotesRefusal,
  readEvidence,
  type Written,
  writeAnswer,
} from './answer'
import { toldBy } from './answer-checks'
import type { AnswerDeps, AskDeps, CompareRequest, Outcome, QueryRequest, Refusal, SearchRequest } from './ask-types'
import { embeddingBound, NOT_EMBEDDED, roomFor } from './call-bounds'
import { type EmbeddedQuestion, embedQuestion } from './entry-points'
import { type Expansion, expandQuestion, expansionKind } from './expand/ask-model'
import { faultOf } from './faults'
import { findFiltered } from './filter'
import { find, searchResult } from './find'
import type { Found, QuestionStart } from './found'
import { judgeDisagreements } from './judge-disagreements'
import { recall, replayed } from './kept-answers'
import { markerFilter } from './markers'
import { usdOf } from './prices'
import { shownText } from './shown-text'
import { streamWithin, within } from './spans'
import { calling } from './tools'

export async function search(deps: AskDeps, request: SearchRequest): Promise<Outcome<SearchResult>> {
  return withAllowance(deps, async (allowance) => {
    const found = await within(deps, 'retrieval', (inner) => find(inner, request, { allowance }))
    return found.kind === 'refused' ? found : { kind: 'answered', result: searchResult(found) }
  })
}

export async function query(deps: AskDeps, request: QueryRequest): Promise<Outcome<QueryResult>> {
  const kept = await recall(deps, request)
  if (kept.found) return { kind: 'answered', result: kept.found }
  return withAllowance(deps, async (allowance) => {
    const found = await within(deps, 'retrieval', (inner) => findFiltered(inner, request, { allowance }))
    if (found.kind === 'refused') return found
    const result = await within(deps, 'answer', (inner) => answer(inner, request, found))
    kept.keep(result)
    return { kind: 'answered', result }
  })
}

/** Each strategy answers the same question, embedded once; each result says what it would have cost alone. */
export async function compare(deps: AskDeps, request: CompareRequest): Promise<CompareResult> {
  const { strategies, ...rest } = request
  return withAllowance(deps, async (allowance) => {
    const { expansion, question } = poseOnce(deps, request, allowance)
    const results = await Promise.all(
      [...new Set(strategies)].map(async (strategy): Promise<CompareResult['results'][number]> => {
        const found = await within(deps, 'retrieval', (inner) =>
          findFiltered(inner, { ...rest, strategy }, { allowance, question, ...(expansion ? { expansion } : {}) }),
        )
        if (found.kind === 'refused') return { strategy, error: found.code }
        const result = await within(deps, 'answer', (inner) => answer(inner, { ...rest, strategy }, found))
        return { ...result, strategy, cost_usd: usdOf(deps.models, result.usage, 'answer') }
      }),
    )
    return { query: request.query, results }
  })
}

/** What is computed from the question once for all strategies. */
function poseOnce(
  deps: AskDeps,
  request: CompareRequest,
  allowance: Allowance,
): Required<Pick<QuestionStart, 'question'>> & Pick<QuestionStart, 'expansion'> {
  const { query } = request
  const kind = expansionKind(request)
  const expansion = kind && expandQuestion(deps, { kind, question: query }, allowance)
  const question = embedOnce(deps, query, allowance, kind === 'hyde' ? expansion : undefined)
  return { question, ...(expansion ? { expansion } : {}) }
}

async function embedOnce(deps: AskDeps, text: string, allowance: Allowance, expansion?: Promise<Expansion>): Promise<EmbeddedQuestion> {
  const like = (await expansion)?.texts ?? []
  const call = await allowance.begin('question', embeddingBound(text, ...like))
  return call ? embedQuestion(deps, text, call, like[0]) : NOT_EMBEDDED
}

/** Whatever happens to a question, its cost replaces what was reserved for it. */
async function withAllowance<T>(deps: AskDeps, work: (allowance: Allowance) => Promise<T>): Promise<T> {
  const allowance = allowanceOf(deps)
  const end = questionsFirst.begin()
  try {
    return await work(allowance)
  } finally {
    end()
    settle(deps, allowance)
  }
}

/**
 * Ends after `done` or `error`. Breaking off stops the model and still charges what was spent. An error after the first event is sent as an `error` event
 * and then thrown, since the status has already been sent.
 */
export async function* queryStream(deps: AskDeps, request: QueryRequest): AsyncGenerator<AskEvent, void, void> {
  const kept = await recall(deps, request)
  if (kept.found) return yield* replayed(kept.found)
  const allowance = allowanceOf(deps)
  const end = questionsFirst.begin()
  try {
    const found = await within(deps, 'retrieval', (inner) => findFiltered(inner, request, { allowance }))
    if (found.kind === 'refused') return yield refusal(found)
    for await (const event of streamWithin(deps, 'answer', (inner) => streamAnswer(inner, request, found))) {
      if (event.event === 'done') kept.keep({ ...event.data, evidence: found.evidence })
      yield event
    }
  } finally {
    end()
    settle(deps, allowance)
  }
}

export async function* streamAnswer(deps: AnswerDeps, request: QueryRequest, found: Found): AsyncGenerator<AskEvent, void, void> {
  try {
    yield { event: 'retrieval', data: searchResult(found) }
    await judgeDisagreements(deps, found)
    const prompt = await promptFor(deps, request, found)
    // Parts that may be left out are not sent before that is decided.
    const held = request.unsupported === 'drop' || quotesRefusal(found) || prompt?.tools !== undefined
    const reply: StreamedReply | undefined =
      prompt && (prompt.tools ? await writeAnswer(deps, prompt, found) : yield* streamReply(deps, prompt, found, held))
    if (reply?.failed) return yield reply.failed
    const by = await readEvidence(deps, found)
    if (reply?.calls) return yield* doneEvents(queryResult(found, calling(reply.text, reply.calls), by), true)
    const text = reply && !isAskedRefusal(reply.text, found) ? reply.text : undefined
    const done = text === undefined ? await extractAnswer(deps, request, found, by) : await checkSupport(deps, request, text, found)
    if (!reply || held) yield { event: 'delta', data: { text: done.answer } }
    yield* doneEvents(queryResult(found, done, by), false)
  } catch (error) {
    yield { event: 'error', data: { code: faultOf(error).fault } }
    throw error
  }
}

/** `text`: the answer's text, which has not been sent yet. */
function* doneEvents({ evidence: _, trace: __, ...result }: QueryResult, text: boolean): Generator<AskEvent, void, void> {
  if (text && result.answer !== '') yield { event: 'delta', data: { text: result.answer } }
  for (const citation of result.citations) yield { event: 'citation', data: citation }
  yield { event: 'usage', data: { ...result.usage, timing_ms: result.timing_ms } }
  yield { event: 'done', data: result }
}

interface StreamedReply extends Written {
  /** The model failed after it had begun: the text already sent cannot be taken back. */
  readonly failed?: AskEvent
}

/** Deltas as they come, unless held back. Returns undefined if nothing was sent: then an extract can still be the answer. */
async function* streamReply(
  deps: AnswerDeps,
  { messages, call }: Prompt,
  found: Found,
  held: boolean,
): AsyncGenerator<AskEvent, StreamedReply | undefined, void> {
  const { meter, evidence } = found
  const passing = markerFilter(evidence.length)
  const said = shownText(toldBy(messages, found.question, evidence), held)
  let paid: (() => void) | undefined
  const from = deps.now()
  try {
    const reply = await deps.models.stream(messages, { tokens: roomFor(deps.models), role: 'answer', mayRepeat: call.mayRepeat })
    paid = () => call.brokeOff(reply.spent())
    for await (const delta of reply.deltas) {
      const text = said.take(passing.pass(delta))
      if (said.isOver()) break
      if (text !== '') yield { event: 'delta', data: { text } }
    }
    if (!said.isOver()) paid = () => call.paid(reply.spent())
    if (said.isLoop() || reply.isTruncated?.()) meter.degraded.add('truncated')
  } catch (error) {
    if (!paid) call.failed(error)
    meter.degraded.add('text_model')
    const { fault, retryAfter } = faultOf(error)
    if (said.shown() === '') return undefined
    const data = { code: fault, ...(retryAfter === undefined ? {} : { retry_after: retryAfter }) }
    return { text: said.shown(), failed: { event: 'error', data } }
  } finally {
    paid?.()
    meter.took('generate', deps.now() - from)
  }
  const whole = said.end(passing.end())
  if (whole) {
    if (whole.unsent !== '' && !held) yield { event: 'delta', data: { text: whole.unsent } }
    return { text: whole.text }
  }
  meter.degraded.add('text_model')
  return undefined
}

export async function answer(deps: AnswerDeps, request: QueryRequest, found: Found): Promise<QueryResult> {
  await judgeDisagreements(deps, found)
  const prompt = await promptFor(deps, request, found)
  const written = prompt && (await writeAnswer(deps, prompt, found))
  const by = await readEvidence(deps, found)
  if (written?.calls) return queryResult(found, calling(written.text, written.calls), by)
  const text = written?.text
  const isUsed = text !== undefined && !isAskedRefusal(text, found)
  const done = isUsed ? await checkSupport(deps, request, text, found) : await extractAnswer(deps, request, found, by)
  return queryResult(found, done, by)
}

export function refusal({ code, version, filter }: Refusal): Extract<AskEvent, { readonly event: 'error' }> {
  return { event: 'error', data: { code, ...(version === undefined ? {} : { version }), ...(filter === undefined ? {} : { filter }) } }
}
