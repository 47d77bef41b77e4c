/**
 * The chat bodies of OpenAI, as far as they mean something here. Other members are accepted and ignored: clients send whatever their
 * makers choose (`temperature`, `seed`, …). Only names that resemble a supported member are refused, since that member was probably
 * meant.
 */
import { z } from 'zod'
import { modelChoice, runningModel } from './deployment'
import { conflict, superseded } from './disagreements'
import type { Immutable } from './immutable'
import { citation } from './questions'
import { conversationId, stored } from './storing'
import { toolName } from './tools'
import { unmisspelt } from './unmisspelt'

const ONLY_FUNCTIONS = 'only functions that the caller supplies can be passed on'
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
const listed = z.array(scalar).max(100).optional()
const limit = z.union([z.number(), z.string()]).optional()
const operators = z
  .object({ $eq: scalar.optional(), $ne: scalar.optional(), $in: listed, $nin: listed, $gt: limit, $gte: limit, $lt: limit, $lte: limit })
  .strict()
  .refine((all) => Object.keys(all).length > 0, 'must hold an operator')
const wanted = z.union([scalar, operators])
const retrieval = z
  .object({
    retrieval_type: z.enum(['vector', 'keyword', 'hybrid']).optional().describe('The strategy, if `model` names none.'),
    max_num_results: z.int().min(1).max(50).optional().describe('The same as `top_k`.'),
    filters: z
      .record(z.string().max(256), wanted)
      .refine((all) => Object.keys(all).length <= MAX_FILTERS, `at most ${MAX_FILTERS} keys`)
      .optional()
      .describe('A filter on metadata: a value, or `{"$eq": value}`, `$ne`, `$in`, `$nin`, `$gt`, `$gte`, `$lt`, `$lte`.'),
  })
  .loose()
  .superRefine(unmisspelt(['retrieval_type', 'max_num_results', 'filters']))

export const aiSearchOptions = z
  .object({ retrieval: retrieval.optional(), reranking: z.object({ enabled: z.boolean().optional() }).loose().optional() })
  .loose()
  .superRefine(unmisspelt(['retrieval', 'reranking']))
  .nullish()
  .describe('Options as Cloudflare AI Search names them, where they mean the same; others are accepted and ignored.')

export const markerStyles = ['numbers', 'links', 'none'] as const
export const citationMarkers = z
  .enum(markerStyles)
  .nullish()
  .describe(
    'How the answer’s text marks citations: `[1]` after each cited statement, the same as Markdown links, or nothing. By default the text is left as written.',
  )

export const modelName = z.string().min(1).max(200).describe('`<corpus>` or `<corpus>:<strategy>`, also with `loam/` before it.')

export const chatSchema = z
  .object({
    model: modelName,
    messages: z.array(message).min(1).max(1000).describe('The last user message is the question; the messages before it are the history.'),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).loose().nullish(),
    n: z.literal(1).nullish(),
    tools: z
      .array(chatTool)
      .nullish()
      .describe('Your functions that the answering model may ask for. Refused if the model cannot call any.'),
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
        'Keep the last question and its answer for this key. Nothing is kept if you send earlier messages without `conversation`; the answer’s `conversation` is then null.',
      ),
    conversation: conversationId
      .nullish()
      .describe('A kept conversation to continue: send only the new message. Kept unless `store` is false.'),
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
