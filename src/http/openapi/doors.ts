/** The service itself and the doors for clients made for others, as the reference describes them. */
import { z } from 'zod'
import { chatSchema } from '../../contract/chat'
import { health } from '../../contract/deployment'
import { citation } from '../../contract/questions'
import type { Operation, Parameter } from './operation'

const model = z.object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() })
const used = z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }).loose()
const chosen = z.object({ index: z.int(), message: z.object({ role: z.literal('assistant'), content: z.string() }).loose() }).loose()
const completion = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(chosen),
    usage: used,
    citations: z.array(citation),
  })
  .loose()
const rpcError = z.object({ jsonrpc: z.literal('2.0'), error: z.object({ code: z.int(), message: z.string() }).loose(), id: z.unknown() })
const refused = (description: string) => ({ description, schema: rpcError })
const corpus: Parameter = {
  name: 'corpus',
  in: 'query',
  description: 'The only corpus this connection is about.',
  schema: { type: 'string' },
}
const anyJson = z.record(z.string(), z.unknown())

export const doorOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/models',
    id: 'listModels',
    tag: 'chat',
    summary: 'Each corpus, and each with each of its strategies, as a model',
    access: 'key',
    answers: { 200: { description: 'The models.', schema: z.object({ object: z.literal('list'), data: z.array(model) }) } },
    foreign: true,
  },
  {
    method: 'get',
    path: '/v1/models/{model}',
    id: 'getModel',
    tag: 'chat',
    summary: 'One model',
    access: 'key',
    answers: { 200: { description: 'The model.', schema: model } },
    problems: ['not_found'],
    foreign: true,
  },
  {
    method: 'post',
    path: '/v1/chat/completions',
    id: 'createChatCompletion',
    tag: 'chat',
    summary: 'An answer from a corpus, as a chat completion',
    description:
      'The last message of the user is the question, what stands before it the history; system messages are not followed. Streams with `stream: true`. The answer carries `citations` besides what OpenAI defines; so does the last chunk of a stream.',
    access: 'key',
    body: { schema: chatSchema, example: { model: 'manuals', messages: [{ role: 'user', content: 'When is bread baked?' }] } },
    answers: { 200: { description: 'The completion.', schema: completion } },
    problems: ['not_found'],
    foreign: true,
  },
  {
    method: 'post',
    path: '/mcp',
    id: 'mcp',
    tag: 'agents',
    summary: 'The Model Context Protocol over streamable HTTP, stateless',
    description:
      'Tools: `list_corpora`, `search`, `fetch`, `ask`, `get_document`, `explore_entity`, and with a key that may write `add_document` and `delete_document`. `?corpus=` fixes the corpus.',
    access: 'key',
    parameters: [corpus],
    body: { schema: anyJson, example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    answers: {
      200: { description: 'A reply, as JSON or as an event stream.' },
      202: { description: 'A notification was taken.' },
      400: refused('Not a message of the protocol.'),
      406: refused('`Accept` must name both `application/json` and `text/event-stream`.'),
      413: refused('Larger than 4 MiB.'),
      415: refused('Not JSON.'),
    },
  },
  ...(['get', 'delete'] as const).map(
    (method): Operation => ({
      method,
      path: '/mcp',
      id: `${method}Mcp`,
      tag: 'agents',
      summary: 'There are no sessions to listen to or to end',
      access: 'key',
      parameters: [corpus],
      answers: { 405: { description: 'Always.' } },
    }),
  ),
  {
    method: 'get',
    path: '/healthz',
    id: 'health',
    tag: 'service',
    summary: 'Is it open?',
    access: 'open',
    answers: { 200: { description: 'It is.', schema: health, example: { status: 'ok', version: '0.1.0' } } },
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'openapi',
    tag: 'service',
    summary: 'This document',
    access: 'open',
    answers: { 200: { description: 'OpenAPI 3.1.' } },
  },
  {
    method: 'get',
    path: '/docs',
    id: 'docs',
    tag: 'service',
    summary: 'This document, to be read by people',
    access: 'open',
    answers: { 200: { description: 'A page.', type: 'text/html' } },
  },
]
