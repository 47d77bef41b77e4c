/** An answer in the form of OpenAI's chat completions, whole or in chunks, and failures in the form of its errors. */
import type { AnswerEvent, Citation, Evidence, LoamError, QueryResult } from '../../client/client'
import type { ProblemCode } from '../../contract/problem'
import { type Problem, statusOf } from '../problem'
import { chatCallsOf } from './chat-tools'
import { toldIn } from './disagreements'

export interface Head {
  readonly id: string
  /** Seconds since the epoch. */
  readonly created: number
  readonly model: string
}

type Used = Pick<QueryResult['usage'], 'in' | 'out' | 'embedded'>

export function completion(head: Head, result: QueryResult, extra: { readonly chunks: boolean }) {
  const calls = result.tool_calls ? { tool_calls: chatCallsOf(result.tool_calls) } : {}
  const content = result.tool_calls && result.answer === '' ? null : result.answer
  const message = { role: 'assistant' as const, content, refusal: null, annotations: annotationsOf(result.citations), ...calls }
  return {
    ...head,
    object: 'chat.completion' as const,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(result) }],
    usage: usageOf(result.usage),
    citations: result.citations,
    grounded: result.grounded,
    support: result.support,
    ...toldIn(result),
    conversation: result.conversation ?? null,
    ...(extra.chunks ? { chunks: result.evidence.map(chunkOf) } : {}),
  }
}

/** The lines of the stream. `usage`: a last chunk with it and without choices, as `stream_options.include_usage` asks for. */
export async function* chunks(head: Head, events: AsyncIterable<AnswerEvent>, usage: boolean): AsyncGenerator<string, void, void> {
  const chunk = (delta: object, finish: string | null, more: object = {}) =>
    line({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(usage ? { usage: null } : {}),
      ...more,
    })
  yield chunk({ role: 'assistant', content: '' }, null)
  for await (const { event, data } of events) {
    if (event === 'delta') yield chunk({ content: data.text }, null)
    if (event !== 'done') continue
    for (const [index, call] of chatCallsOf(data.tool_calls ?? []).entries()) yield chunk({ tool_calls: [{ index, ...call }] }, null)
    yield chunk({}, finishOf(data), {
      citations: data.citations,
      grounded: data.grounded,
      support: data.support,
      ...toldIn(data),
      conversation: data.conversation ?? null,
    })
    if (usage) yield line({ ...head, object: 'chat.completion.chunk', choices: [], usage: usageOf(data.usage) })
  }
  yield 'data: [DONE]\n\n'
}

/** `length`: the model had more to say than it had room for. */
function finishOf({ degraded, tool_calls }: Pick<QueryResult, 'degraded' | 'tool_calls'>): 'stop' | 'length' | 'tool_calls' {
  if (tool_calls) return 'tool_calls'
  return degraded.includes('truncated') ? 'length' : 'stop'
}

export function line(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

function usageOf({ in: read, out, embedded }: Used) {
  return { prompt_tokens: read, completion_tokens: out, total_tokens: read + out, embedded_tokens: embedded }
}

function annotationsOf(citations: readonly Citation[]) {
  return citations.flatMap(({ url, link, title, span }) =>
    url
      ? [{ type: 'url_citation', url_citation: { start_index: span.start, end_index: span.end, title: title ?? '', url: link ?? url } }]
      : [],
  )
}

/** In the form in which Cloudflare AI Search shows what it found. */
function chunkOf({ id, score, text, document }: Evidence) {
  return { id, type: 'text', score, text, item: { key: document ?? id } }
}

const TYPES: { readonly [status: number]: string } = { 401: 'authentication_error', 403: 'permission_error', 429: 'rate_limit_error' }
const NAMES: { readonly [code in ProblemCode]?: string } = {
  unauthorized: 'invalid_api_key',
  corpus_not_found: 'model_not_found',
  strategy_not_enabled: 'model_not_found',
}

export function chatErrorOf({ code, detail, more }: Pick<Problem, 'code' | 'detail' | 'more'>, requestId: string) {
  const own = statusOf(code)
  const name = NAMES[code] ?? code
  const status = name === 'model_not_found' ? 404 : own === 422 ? 400 : own
  const faults = (more.errors ?? []).map((fault) => `${fault.path}: ${fault.message}`)
  const param = name === 'model_not_found' ? 'model' : (more.errors?.[0]?.path ?? null)
  const message = faults.length > 0 ? `${detail} ${faults.join('; ')}` : detail
  const type = TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')
  return { status, body: { error: { message, type, param, code: name, request_id: requestId } } }
}

/** What broke off in the middle of a stream. */
export function brokenOff({ code, message }: Pick<LoamError, 'code' | 'message'>, requestId: string): string {
  return line({ error: { message, type: 'server_error', param: null, code, request_id: requestId } })
}
