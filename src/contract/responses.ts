/**
 * The bodies of OpenAI's Responses, as far as they mean something here. As in a chat (chat.ts), other members are accepted and
 * ignored; unsupported members that would change the answer are refused.
 */
import { z } from 'zod'
import { aiSearchOptions, citationMarkers, modelName } from './chat'
import { conflict, superseded } from './disagreements'
import { citation } from './questions'
import { conversationId } from './storing'
import { toolName } from './tools'
import { unmisspelt } from './unmisspelt'

const MAX_FORM = 200 // characters of `instructions`: what `response_type` of a question holds
const MAX_ITEMS = 1000

const part = z.object({ type: z.string(), text: z.string().optional() }).loose()
const item = z
  .object({
    type: z
      .string()
      .optional()
      .describe('`message`, `function_call` or `function_call_output`. Reasoning is ignored; other items are refused.'),
    call_id: z.string().optional(),
    name: z.string().optional(),
    arguments: z.string().optional(),
    output: z.union([z.string(), z.array(part)]).nullish(),
    role: z.enum(['user', 'assistant', 'system', 'developer']).optional(),
    content: z.union([z.string(), z.array(part)]).nullish(),
  })
  .loose()

const responseTool = z
  .object({
    type: z.literal('function', 'only functions that the caller supplies can be passed on'),
    name: toolName,
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
  })
  .loose()

/** `resp_` and the id of the turn: the id of a kept response. */
const KEPT_RESPONSE = /^resp_[0-9a-f]{32}$/

export const responseSchema = z
  .object({
    model: modelName,
    input: z
      .union([z.string(), z.array(item).min(1).max(MAX_ITEMS)])
      .describe('The question; or messages, of which the last user message is the question and those before it are the history.'),
    instructions: z
      .string()
      .max(MAX_FORM, `at most ${MAX_FORM} characters, which describe the form of the answer; send a longer text in \`input\` as a message`)
      .nullish()
      .describe('The form of the answer in a few words (`response_type` of a question).'),
    stream: z.boolean().nullish(),
    store: z
      .boolean()
      .nullish()
      .describe(
        'Keep question and answer for this key. Not kept by default, except in a conversation that is being continued; `store` of the response says whether it was.',
      ),
    previous_response_id: z
      .string()
      .regex(KEPT_RESPONSE, 'no answer is kept under this id: send the earlier messages in `input`, or ask with `store: true`')
      .nullish()
      .describe('The id of a kept response, the last of its conversation, that this one follows. Send only the new message.'),
    conversation: z
      .union([conversationId, z.object({ id: conversationId }).loose()])
      .nullish()
      .describe('A kept conversation to continue. Send only the new message.'),
    prompt: z
      .unknown()
      .refine(isAbsent, 'stored prompts are not supported: send `input`')
      .optional()
      .describe('Not supported: Loam stores no prompts.'),
    background: z
      .unknown()
      .refine((value) => value !== true, 'answers are given at once, never in the background')
      .optional(),
    text: z
      .object({ format: z.object({ type: z.string() }).loose().nullish() })
      .loose()
      .refine(({ format }) => !format || format.type === 'text', {
        path: ['format'],
        message: 'an answer is text that cites its sources; no other format is available',
      })
      .nullish(),
    tools: z
      .array(responseTool)
      .nullish()
      .describe('Your functions that the answering model may ask for. Refused if the model cannot call any.'),
    tool_choice: z
      .union([z.enum(['none', 'auto', 'required']), z.object({ type: z.literal('function'), name: toolName }).loose()])
      .nullish(),
    citation_markers: citationMarkers,
    ai_search_options: aiSearchOptions,
  })
  .loose()
  .superRefine(
    unmisspelt([
      'model',
      'input',
      'instructions',
      'stream',
      'previous_response_id',
      'conversation',
      'citation_markers',
      'ai_search_options',
    ]),
  )

export type ResponseAsked = z.output<typeof responseSchema>

const annotation = z.object({ type: z.enum(['url_citation', 'file_citation']) }).loose()
const outputText = z.object({ type: z.literal('output_text'), text: z.string(), annotations: z.array(annotation) }).loose()
const outputMessage = z
  .object({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    status: z.enum(['in_progress', 'completed', 'incomplete']),
    content: z.array(outputText),
  })
  .loose()

const outputCall = z
  .object({ type: z.literal('function_call'), id: z.string(), call_id: z.string(), name: z.string(), arguments: z.string() })
  .loose()

export const responseObject = z
  .object({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.int(),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
    model: z.string(),
    output: z.array(z.union([outputMessage, outputCall])),
    usage: z.object({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }).loose().nullable(),
    citations: z.array(citation).optional(),
    superseded: z.array(superseded).optional(),
    conflicts: z.array(conflict).optional(),
  })
  .loose()

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}
