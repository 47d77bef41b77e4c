/** Bodies of questions. */
import { z } from 'zod'
import { idSchema, upTo } from './common'
import { exact } from './exact'
import { optionsSchema, type StrategyName, strategyNames, strayOptions } from './options'

const MOST_QUERY = 8 * 1024 // bytes
const MOST_HISTORY = 50 // turns
const MAX_METADATA = 50 // keys of metadata that are filtered by
const TOP = 100
const BUDGET = 100_000 // tokens

export { strategyNames }

const strategySchema = z.enum(strategyNames)

const scalar = z.union([z.string().max(1000), z.number(), z.boolean(), z.null()])

const searched = {
  query: upTo(MOST_QUERY)
    .refine((text) => text.trim() !== '', { message: 'must not be blank' })
    .describe('The question, at most 8 KiB.'),
  strategy: strategySchema.optional().describe('How the graph is walked; `auto` unless told. A system must be switched on for the corpus.'),
  top_k: z.int().min(1).max(TOP).optional().describe('How many pieces of evidence; 10 unless told.'),
  token_budget: z.int().min(1).max(BUDGET).optional().describe('Tokens all evidence together may hold; 4,000 unless told.'),
  options: optionsSchema.optional().describe('The strategy’s own, and `rerank`. An option of another strategy is refused.'),
  filters: exact({
    document: z.array(idSchema).max(1000).optional().describe('Evidence from these documents only.'),
    metadata: z
      .record(z.string().max(256), z.union([scalar, z.array(scalar).max(100)]))
      .refine((wanted) => Object.keys(wanted).length <= MAX_METADATA, `at most ${MAX_METADATA} keys`)
      .optional()
      .describe('A value each, or a list of which one must fit.'),
  }).optional(),
  min_version: z.int().min(0).optional().describe('Wait, up to 10 s, until the corpus has this version; else 409.'),
  trace: z.boolean().optional().describe('Tell how the walk went.'),
}

const turnSchema = exact({ role: z.enum(['system', 'user', 'assistant']), content: upTo(32 * 1024) })

const answered = {
  history: z.array(turnSchema).max(MOST_HISTORY).optional().describe('Earlier turns, oldest first; system messages are ignored.'),
  min_confidence: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Without a text model: below this confidence nothing is answered. 0 answers always.'),
  unsupported: z
    .enum(['mark', 'drop'])
    .optional()
    .describe('A statement that its sources do not support is marked in `support`, or left out of the answer; marked unless told.'),
  response_type: z.string().max(200).optional().describe('The form of the answer in a few words, e.g. “one sentence”.'),
}

export const searchSchema = exact(searched).superRefine(optionsFit)

export const querySchema = exact({
  ...searched,
  ...answered,
  stream: z.boolean().optional().describe('Answer as server-sent events.'),
}).superRefine(optionsFit)

const { strategy: _, ...compared } = searched
export const compareSchema = exact({
  ...compared,
  ...answered,
  strategies: z.array(strategySchema).min(1).max(strategyNames.length),
}).superRefine(optionsFit)

interface Asked {
  readonly options?: z.output<typeof optionsSchema> | undefined
  readonly strategy?: StrategyName | undefined
  readonly strategies?: readonly StrategyName[]
}

function optionsFit({ options = {}, strategy = 'auto', strategies = [strategy] }: Asked, context: z.RefinementCtx): void {
  for (const { name, message } of strayOptions(options, strategies)) context.addIssue({ code: 'custom', path: ['options', name], message })
}
