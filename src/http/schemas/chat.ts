/** The chat bodies of OpenAI, as far as they mean something here; what they hold besides is let through. */
import { z } from 'zod'

const part = z.object({ type: z.string(), text: z.string().optional() }).loose()
const message = z
  .object({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
    content: z.union([z.string(), z.array(part)]).nullish(),
  })
  .loose()

const scalar = z.union([z.string(), z.number(), z.boolean()])
const wanted = z.union([scalar, z.object({ $eq: scalar }).strict(), z.object({ $in: z.array(scalar).max(100) }).strict()])

const retrieval = z
  .object({
    retrieval_type: z.enum(['vector', 'keyword', 'hybrid']).optional().describe('The strategy, where `model` names none.'),
    max_num_results: z.int().min(1).max(50).optional().describe('Our `top_k`.'),
    filters: z.record(z.string(), wanted).optional().describe('On metadata: a value, `{"$eq": value}` or `{"$in": [value]}`.'),
  })
  .loose()

export const chatSchema = z
  .object({
    model: z.string().min(1).max(200).describe('`<corpus>` or `<corpus>:<strategy>`.'),
    messages: z.array(message).min(1).max(1000).describe('The last of the user is the question, what stands before it the history.'),
    stream: z.boolean().nullish(),
    stream_options: z.object({ include_usage: z.boolean().nullish() }).loose().nullish(),
    n: z.literal(1).nullish(),
    ai_search_options: z
      .object({ retrieval: retrieval.optional(), reranking: z.object({ enabled: z.boolean().optional() }).loose().optional() })
      .loose()
      .nullish()
      .describe('As Cloudflare AI Search names them, where they mean the same; other names are let through and do nothing.'),
  })
  .loose()

export type Chat = z.output<typeof chatSchema>

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
