/** Bodies of questions. */
import { z } from 'zod'
import { idSchema, objectSchema, upTo } from './common'

const MOST_QUERY = 8 * 1024 // bytes
const MOST_HISTORY = 50 // turns
const TOP = 100
const BUDGET = 100_000 // tokens

export const strategyNames = ['auto', 'vector', 'keyword', 'hybrid', 'erarag', 'cluerag', 'ketrag', 'archrag'] as const
const strategySchema = z.enum(strategyNames)

const scalar = z.union([z.string().max(1000), z.number(), z.boolean(), z.null()])

export const searchSchema = z.object({
  query: upTo(MOST_QUERY).refine((text) => text.trim() !== '', { message: 'must not be blank' }),
  strategy: strategySchema.optional(),
  top_k: z.int().min(1).max(TOP).optional(),
  token_budget: z.int().min(1).max(BUDGET).optional(),
  options: objectSchema.optional(),
  filters: z
    .object({
      document: z.array(idSchema).max(1000).optional(),
      metadata: z.record(z.string().max(256), z.union([scalar, z.array(scalar).max(100)])).optional(),
    })
    .optional(),
  min_version: z.int().min(0).optional(),
  trace: z.boolean().optional(),
})

const turnSchema = z.object({ role: z.enum(['system', 'user', 'assistant']), content: upTo(32 * 1024) })

export const querySchema = searchSchema.extend({
  history: z.array(turnSchema).max(MOST_HISTORY).optional(),
  stream: z.boolean().optional(),
  response_type: z.string().max(200).optional(),
})

export const compareSchema = querySchema.omit({ strategy: true, stream: true }).extend({
  strategies: z.array(strategySchema).min(1).max(strategyNames.length),
})
