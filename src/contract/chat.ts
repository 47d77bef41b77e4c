/**
 * The chat bodies of OpenAI, as far as they mean something here. What they hold besides is let through and does nothing: clients send what their
 * makers think of (`temperature`, `seed`, …). Refused is only what resembles a member that means something, since it was meant.
 */
import { z } from 'zod'
import { modelChoice, runningModel } from './deployment'
import { conflict, superseded } from './disagreements'
import type { Immutable } from './immutable'
import { citation } from './questions'
import { conversationId, stored } from './storing'
import { toolName } from './tools'
import { unmisspelt } from './unmisspelt'

const ONLY_FUNCTIONS = 'only functions of the caller’s can be passed on'
const chatFunction = z
  .object({ name: toolName, description: z.string().nullish(), parameters: z.record(z.string(), z.unknown()).nullish() })
  .loose()
const chatTool = z.object({ type: z.literal('function', ONLY_FUNCTIONS), function: chatFunction }).loose()
const chatCall = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }).loose() }).loose()

const part = z.object({ type: z.string(), text: z.string().optional() }).loose()
const message = z
  .object({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
    content: z.union([z.string(), z.array(part)]).nullish(),
    tool_calls: z.array(chatCall).nullish(),
    tool_call_id: z.string().nullish(),
  })
  .loose()

const scalar = z.union([z.string(), z.number(), z.boolean()])
const MAX_FILTERS = 50
const wanted = z.union([scalar, z.object({ $eq: scalar }).strict(), z.object({ $in: z.array(scalar).max(100) }).strict()])
const retrieval = z
  .object({
    retrieval_type: z.enum(['vector', 'keyword', 'hybrid']).optional().describe('The strategy, where `model` names none.'),
    max_num_results: z.int().min(1).max(50).optional().describe('Our `top_k`.'),
    filters: z
      .record(z.string().max(256), wanted)
      .refine((all) => Object.keys(all).length <= MAX_FILTERS, `at most ${MAX_FILTERS} keys`)
      .optional()
      .describe('On metadata: a value, `{"$eq": value}` or `{"$in": [value]}`.'),
  })
  .loose()
  .superRefine(unmisspelt(['retrieval_type', 'max_num_results', 'filters']))

export const aiSearchOptions = z
  .object({ retrieval: retrieval.optional(), reranking: z.object({ enabled: z.boolean().optional() }).loose().optional() })
  .loose()
  .superRefine(unmisspelt(['retrieval', 'reranking']))
  .nullish()
  .describe('As Cloudflare AI Search names them, where they mean the same; other names are let through and do nothing.')

export const markerStyles = ['numbers', 'links', 'none'] as const
export const citationMarkers = z
  .enum(markerStyles)
  .nullish()
  .describe(
    'In the text of the answer: `[1]` behind each statement that is cited, the same as Markdown links, or none. Unless told, as it was written.',
  )

export const modelName = z.string().min(1).max(200).describe('`<corpus>` or `<corpus>:<strategy>`, also with `loam/` before it.')

export const chatSchema = z
  .object({
    model: modelName,
    messages: z.array(message).min(1).max(1000).describe('The last of the user is the question, what stands before it the history.'),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).loose().nullish(),
    n: z.literal(1).nullish(),
    tools: z.array(chatTool).nullish().describe('Functions of yours that the answering model may ask for; refused where it calls none.'),
    tool_choice: z
      .union([
        z.enum(['none', 'auto', 'required']),
        z.object({ type: z.literal('function'), function: z.object({ name: toolName }).loose() }).loose(),
      ])
      .nullish(),
    store: z
      .boolean()
      .nullish()
      .describe(
        'Keep the last question and its answer for this key. Not where earlier messages are sent without `conversation`: `conversation` of the answer is then null.',
      ),
    conversation: conversationId
      .nullish()
      .describe('A kept conversation to go on with: send the new message alone. Kept unless `store` is false.'),
    citation_markers: citationMarkers,
    ai_search_options: aiSearchOptions,
  })
  .loose()
  .superRefine(unmisspelt(['model', 'messages', 'stream', 'stream_options', 'conversation', 'citation_markers', 'ai_search_options']))

export type Chat = z.output<typeof chatSchema>
export type MarkerStyle = (typeof markerStyles)[number]

/** A corpus, or a corpus with one of its strategies. */
export const chatModel = z.object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() })
const chatUsage = z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }).loose()
const choice = z
  .object({ index: z.int(), message: z.object({ role: z.literal('assistant'), content: z.string().nullable() }).loose() })
  .loose()
export const chatCompletion = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(choice),
    usage: chatUsage,
    citations: z.array(citation),
    superseded: z.array(superseded).optional(),
    conflicts: z.array(conflict).optional(),
    conversation: stored.conversation.nullable(),
  })
  .loose()

export const chatModels = z.object({
  object: z.literal('list'),
  data: z.array(chatModel),
  running: z.array(runningModel).describe('The models that embed, write, judge and rank for all corpora.'),
  choices: z.array(modelChoice).describe('Text models that a corpus may have for a role (`settings.models`).'),
})

export type ModelList = Immutable<z.output<typeof chatModels>>

/** Errors as OpenAI's clients read them. */
export const chatError = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
    request_id: z.string(),
  }),
})
