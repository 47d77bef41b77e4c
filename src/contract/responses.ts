/**
 * The bodies of OpenAI's Responses, as far as they mean something here. As in a chat (chat.ts), what they hold besides is let through and does
 * nothing; what would change the answer and cannot be had is refused.
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
      .describe('`message`, `function_call`, `function_call_output`; reasoning is passed over, and other items are refused.'),
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
    type: z.literal('function', 'only functions of the caller’s can be passed on'),
    name: toolName,
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
  })
  .loose()

/** `resp_` and what the turn is called: the id of a response that was kept. */
const KEPT_RESPONSE = /^resp_[0-9a-f]{32}$/

export const responseSchema = z
  .object({
    model: modelName,
    input: z
      .union([z.string(), z.array(item).min(1).max(MAX_ITEMS)])
      .describe('The question; or messages, of which the last of the user is the question and what stands before it the history.'),
    instructions: z
      .string()
      .max(
        MAX_FORM,
        `at most ${MAX_FORM} characters: they say the form of the answer; a longer text has to stand in \`input\` as a message`,
      )
      .nullish()
      .describe('The form of the answer in a few words (`response_type` of a question).'),
    stream: z.boolean().nullish(),
    store: z
      .boolean()
      .nullish()
      .describe(
        'Keep question and answer for this key. Kept only if told, or with what it goes on from; `store` of the response says whether it was.',
      ),
    previous_response_id: z
      .string()
      .regex(KEPT_RESPONSE, 'no answer is kept under this id: send what was said before in `input`, or ask with `store: true`')
      .nullish()
      .describe('Of a response that was kept, the last of its conversation: this one follows it. Send the new message alone.'),
    conversation: z
      .union([conversationId, z.object({ id: conversationId }).loose()])
      .nullish()
      .describe('A kept conversation to go on with. Send the new message alone.'),
    prompt: z.unknown().refine(isAbsent, 'no prompts are kept: send `input`').optional().describe('Refused: no prompts are kept.'),
    background: z
      .unknown()
      .refine((value) => value !== true, 'an answer is given at once, and none in the background')
      .optional(),
    text: z
      .object({ format: z.object({ type: z.string() }).loose().nullish() })
      .loose()
      .refine(({ format }) => !format || format.type === 'text', {
        path: ['format'],
        message: 'an answer is text that cites its sources; no other format can be had',
      })
      .nullish(),
    tools: z
      .array(responseTool)
      .nullish()
      .describe('Functions of yours that the answering model may ask for; refused where it calls none.'),
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
