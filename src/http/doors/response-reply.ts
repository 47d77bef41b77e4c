/** An answer in the form of OpenAI's Responses, whole or as the events it documents. */
import type { AnswerEvent, Citation, QueryResult } from '../../client/client'
import type { Head } from './chat-reply'
import { toldIn } from './disagreements'
import { resume } from './lines'

type Answered = Omit<QueryResult, 'evidence' | 'trace'>
type Status = 'in_progress' | 'completed' | 'incomplete' | 'failed'

/** What every event and the answer say about the request. */
export interface ResponseHead extends Head {
  readonly instructions: string | null
  readonly previous: string | null
}

/** `announced`: the message was announced, and stays even if it is empty. */
export function responseOf(begun: ResponseHead, result: Answered, announced = false) {
  const head = headed(begun, result.conversation)
  const says = announced || !result.tool_calls || result.answer !== ''
  const status = result.degraded.includes('truncated') ? ('incomplete' as const) : ('completed' as const)
  return {
    ...shell(head, status),
    store: result.conversation !== undefined,
    conversation: result.conversation ? { id: result.conversation.id } : null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    output: [...(says ? [messageOf(head, result, status)] : []), ...(result.tool_calls ?? []).map(callItemOf)],
    usage: usageOf(result.usage),
    citations: result.citations,
    grounded: result.grounded,
    support: result.support,
    ...toldIn(result),
  }
}

/** The lines of the stream. */
export async function* responseEvents(
  begun: ResponseHead,
  events: AsyncGenerator<AnswerEvent, void, void>,
): AsyncGenerator<string, void, void> {
  let sequence = 0
  const first = await events.next() // says what it will be called
  const head = first.value?.event === 'retrieval' ? headed(begun, first.value.data.conversation) : begun
  const event = (type: string, more: object): string => eventLines(type, { sequence_number: sequence++, ...more })
  const id = messageId(head)
  const at = { item_id: id, output_index: 0, content_index: 0 }
  yield event('response.created', { response: shell(head, 'in_progress') })
  yield event('response.in_progress', { response: shell(head, 'in_progress') })
  const item = { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] }
  yield event('response.output_item.added', { output_index: 0, item })
  yield event('response.content_part.added', { ...at, part: partOf('', []) })
  for await (const one of resume(first, events)) {
    if (one.event === 'delta') yield event('response.output_text.delta', { ...at, delta: one.data.text, logprobs: [] })
    if (one.event !== 'done') continue
    const response = responseOf(head, one.data, true)
    const message = messageOf(head, one.data, response.incomplete_details ? 'incomplete' : 'completed')
    for (const [i, annotation] of annotationsOf(one.data.citations).entries())
      yield event('response.output_text.annotation.added', { ...at, annotation_index: i, annotation })
    yield event('response.output_text.done', { ...at, text: one.data.answer, logprobs: [] })
    yield event('response.content_part.done', { ...at, part: message.content[0] })
    yield event('response.output_item.done', { output_index: 0, item: message })
    for (const [i, call] of (one.data.tool_calls ?? []).entries()) {
      const done = callItemOf(call)
      const place = { item_id: done.id, output_index: i + 1 }
      yield event('response.output_item.added', { output_index: i + 1, item: { ...done, status: 'in_progress', arguments: '' } })
      yield event('response.function_call_arguments.delta', { ...place, delta: call.arguments })
      yield event('response.function_call_arguments.done', { ...place, name: call.name, arguments: call.arguments })
      yield event('response.output_item.done', { output_index: i + 1, item: done })
    }
    yield event(`response.${response.status}`, { response })
  }
}

/** What broke off in the middle of a stream. */
export function responseFailed(head: ResponseHead, { code, message }: { readonly code: string; readonly message: string }): string {
  const response = { ...shell(head, 'failed'), error: { code: 'server_error', message: `${message} (${code})` } }
  return eventLines('response.failed', { response })
}

function eventLines(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
}

/** A kept response has the id of its turn, so that a later one can name it. */
function headed<T extends ResponseHead>(head: T, kept: Answered['conversation']): T {
  return kept ? { ...head, id: kept.turn.replace(/^turn_/, 'resp_') } : head
}

/** What a response contains besides the answer: members that OpenAI's clients rely on, with their meaning here. */
function shell({ id, created, model, instructions, previous }: ResponseHead, status: Status) {
  return {
    id,
    object: 'response' as const,
    created_at: created,
    status,
    background: false,
    error: null,
    incomplete_details: null,
    instructions,
    max_output_tokens: null,
    metadata: {},
    model,
    output: [],
    parallel_tool_calls: false,
    previous_response_id: previous,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: null,
    text: { format: { type: 'text' } },
    tool_choice: 'none',
    tools: [],
    top_p: null,
    truncation: 'auto',
    usage: null,
    user: null,
  }
}

function messageOf(head: ResponseHead, { answer, citations }: Answered, status: 'completed' | 'incomplete') {
  const content = [partOf(answer, annotationsOf(citations))]
  return { id: messageId(head), type: 'message' as const, role: 'assistant' as const, status, content }
}

function callItemOf({ id, name, arguments: given }: NonNullable<Answered['tool_calls']>[number]) {
  return { id: `fc_${id}`, type: 'function_call' as const, call_id: id, name, arguments: given, status: 'completed' as const }
}

const messageId = ({ id }: ResponseHead): string => id.replace(/^resp_/, 'msg_')

type Annotation = ReturnType<typeof annotationsOf>[number]

function partOf(text: string, annotations: readonly Annotation[]) {
  return { type: 'output_text' as const, text, annotations, logprobs: [] }
}

/** A citation of a source with an address names the place; without an address, the document, by its number among those cited. */
function annotationsOf(citations: readonly Citation[]) {
  const documents = [...new Set(citations.map((one) => one.document))]
  return citations.map(({ url, link, title, document, span }) =>
    url
      ? {
          type: 'url_citation' as const,
          start_index: span.start,
          end_index: span.end,
          title: title || document,
          url: link ?? url,
        }
      : { type: 'file_citation' as const, file_id: document, filename: title || document, index: documents.indexOf(document) },
  )
}

function usageOf({ in: read, out }: QueryResult['usage']) {
  return {
    input_tokens: read,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: out,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: read + out,
  }
}
