/** Questions and their answers. */
import { z } from 'zod'
import type * as core from '../core/evidence'
import { outcomes } from '../core/support/check'
import { faults, type Reason } from '../core/support/reason'
import { dateSchema, dates } from './dates'
import { conflict, earlierStatements, nearest, superseded } from './disagreements'
import { exact } from './exact'
import type { ModelFault, RefusalCode } from './faults'
import { answerers, byReader, count, idSchema, json, upTo } from './fields'
import { filterFields, MAX_SAVED } from './filters'
import type { Immutable } from './immutable'
import { location } from './location'
import { boostsSchema, facetCounts, facetKeys } from './metadata'
import { optionsFit, optionsSchema, strategyNames } from './options'
import { stored, storing, storingFits } from './storing'
import { toolCall, withTools } from './tools'
import { spent } from './usage'

const MAX_QUERY = 8 * 1024 // bytes
const MAX_HISTORY = 50 // turns
const TOP = 100
const BUDGET = 100_000 // tokens
const strategySchema = z.enum(strategyNames)

export const searched = {
  query: upTo(MAX_QUERY)
    .refine((text) => text.trim() !== '', { message: 'must not be blank' })
    .describe('The question, at most 8 KiB.'),
  strategy: strategySchema
    .optional()
    .describe('How the graph is searched; `auto` by default. A system must be switched on for the corpus.'),
  top_k: z.int().min(1).max(TOP).optional().describe('How many pieces of evidence; 10 by default.'),
  token_budget: z.int().min(1).max(BUDGET).optional().describe('The most tokens of all evidence together; 4,000 by default.'),
  options: optionsSchema.optional().describe('Options of the strategy and of all strategies. An option of another strategy is refused.'),
  filters: exact({
    ...filterFields,
    saved: z
      .union([idSchema, z.array(idSchema).max(MAX_SAVED)])
      .optional()
      .describe('Saved filters by name. A document must match all of them and any other filters.'),
  }).optional(),
  as_of: dateSchema.optional().describe('Only documents in force on this date. Those that apply later, or had ended, are left out.'),
  since: dateSchema.optional().describe('Only documents published on this date or later. Those without a publication date are left out.'),
  until: dateSchema.optional().describe('Only documents published on this date or earlier. Those without a publication date are left out.'),
  freshness: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('How far recently published documents are preferred. 0, the default: not at all. At 1 a score halves with each year of age.'),
  boosts: boostsSchema.optional(),
  facets: facetKeys.optional(),
  min_version: z.int().min(0).optional().describe('Waits up to 10 s for the corpus to reach this version; otherwise the answer is 409.'),
  trace: z.boolean().optional().describe('Include how the search went.'),
}

const turnSchema = exact({ role: z.enum(['system', 'user', 'assistant']), content: upTo(32 * 1024) })

/** For a question that is to be answered. */
export const answered = {
  history: z.array(turnSchema).max(MAX_HISTORY).optional().describe('Earlier turns, oldest first; system messages are ignored.'),
  min_confidence: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Without a text model: refuse to answer below this confidence. 0 always answers.'),
  generator: byReader,
  unsupported: z
    .enum(['mark', 'drop'])
    .optional()
    .describe('What happens to a statement that its sources do not support: marked in `support` (the default), or left out.'),
  response_type: z.string().max(200).optional().describe('The form of the answer in a few words, such as “one sentence”.'),
}

export const searchSchema = exact(searched).superRefine(optionsFit)

export const querySchema = exact({
  ...searched,
  ...answered,
  ...withTools,
  stream: z.boolean().optional().describe('Answer as server-sent events.'),
  ...storing,
})
  .superRefine(optionsFit)
  .superRefine(storingFits)

const { strategy: _, ...compared } = searched

export const compareSchema = exact({
  ...compared,
  ...answered,
  strategies: z.array(strategySchema).min(1).max(strategyNames.length),
}).superRefine(optionsFit)

export const place = z.object({ document: z.string(), start: count, end: count })
const span = z.object({ start: count, end: count })
const timing = z.record(z.string(), z.number()).describe('Milliseconds by step.')
export const usage = spent.extend({ calls: count.describe('Model calls of every kind.') })
export const degraded = z
  .array(z.enum(['budget', 'embedding', 'index', 'reranker', 'text_model', 'scorer', 'judge', 'truncated', 'expansion', 'partitions']))
  .describe(
    'What went wrong although there is an answer. `embedding`: the question could not be embedded, or its corpus is just changing to another embedding model; it was answered by words. `truncated`: the text model reached its length limit. `expansion`: `options.expand` was not carried out, or not for all parts. `partitions`: those in `skipped_partitions` did not answer in time.',
  )

export const evidence = z.object({
  id: z.string(),
  kind: z.string().describe('passage, unit, chunk, document, summary, community, entity'),
  layer: count,
  score: z.number(),
  text: z.string(),
  tokens: count,
  document: z.string().nullable().describe('Null for summaries, communities and entities. A supporting passage follows those.'),
  chunk: z.string().nullable(),
  start: count.nullable().describe('UTF-16 offset into the document’s text: the slice from start to end equals `text`.'),
  end: count.nullable(),
  title: z.string().optional(),
  url: z.string().nullable().optional(),
  dates: dates.optional(),
  via: z.string().describe('The channel or path that led here.'),
  stale: z.boolean().optional(),
  ...location,
  context: z
    .object({ start: count, end: count, text: z.string(), tokens: count })
    .optional()
    .describe('With `options.neighbours`: the passages around it and the passage itself: the document’s text from start to end.'),
  also: z.array(place).optional().describe('Other places with the same text.'),
  earlier: earlierStatements.optional(),
}) satisfies z.ZodType<core.Evidence>
export const searchResult = z.object({
  question_id: z.string().optional().describe('The question’s id in the log, for `POST …/feedback`. Absent: there is no log.'),
  strategy: z.string(),
  evidence: z.array(evidence),
  expanded: z
    .array(z.string())
    .optional()
    .describe('With `options.expand`: the parts that were searched for as well, or the imagined passage that was used. Empty: neither.'),
  facets: facetCounts.optional(),
  trace: json.optional(),
  version: count,
  ...answerers,
  degraded,
  usage,
  timing_ms: timing,
})

export const citation = z.object({
  id: z.string().describe('The piece of evidence that contains the quote.'),
  marker: z.int().min(1).describe('The number by which the answer cites it.'),
  document: z.string(),
  chunk: z.string().nullable(),
  start: count,
  end: count,
  quote: z.string().describe('Equals the document’s text from start to end; this is checked.'),
  title: z.string().optional(),
  url: z.string().nullable().optional(),
  ...location,
  dates: dates.optional(),
  span: span.describe('Where the answer makes the statement that it supports.'),
  verified: z.literal(true),
})

export const claimSupport = z.object({
  claim: z.string().describe('A statement of the answer, without its markers.'),
  span: span.nullable().describe('Where it is in the answer; null: it was left out.'),
  outcome: z.enum(outcomes),
  by: z.enum(['rules', 'judge']).describe('What decided.'),
  score: z.number().describe('The share of its contents that the sources say, from 0 to 1, according to the rules.'),
  citations: z.array(z.int().min(1)).describe('The markers of its verified citations.'),
  reasons: z.array(z.object({ fault: z.enum(faults), claim: z.string(), source: z.string().optional() }) satisfies z.ZodType<Reason>),
  supported_by: z.array(z.int().min(1)).optional().describe('The numbers of other evidence that would support it.'),
})

export const queryResult = searchResult.extend({
  answer: z.string(),
  citations: z.array(citation),
  generator: z.enum(['model', 'extractive']),
  grounded: z.boolean().describe('Every statement of the answer is supported by what it cites.'),
  support: z.array(claimSupport).describe('Each statement in order, and whether its citations support it.'),
  answered: z.boolean().describe('The evidence answers the question. `false`: the answer says that it does not.'),
  insufficient: z.boolean().describe('The opposite of `answered`.'),
  confidence: z.number().min(0).max(1).describe('How confident Loam is that the evidence answers the question, judged by its words.'),
  nearest: z.array(nearest).describe('The nearest statements, if the question is not answered.'),
  superseded: z
    .array(superseded)
    .optional()
    .describe('Statements of the evidence that a newer document contradicts; the newer one counts.'),
  conflicts: z.array(conflict).optional().describe('Statements of the evidence that contradict each other.'),
  tool_calls: z
    .array(toolCall)
    .optional()
    .describe('Functions that the model asks for instead of answering. Call them, and ask again with `tool_turns`.'),
  ...stored,
  dropped: count.describe('Citations left out because their quotes could not be verified.'),
})

export const compareResult = z.object({
  query: z.string(),
  results: z.array(z.union([queryResult.extend({ cost_usd: z.number() }), z.object({ strategy: z.string(), error: z.string() })])),
})

export type Search = Immutable<z.input<typeof searchSchema>>
export type Question = Omit<Immutable<z.input<typeof querySchema>>, 'stream'>
export type Comparison = Immutable<z.input<typeof compareSchema>>
export type Usage = Immutable<z.output<typeof usage>>
export type Timing = Immutable<z.output<typeof timing>>
/**
 * `embedding`, `index`, `reranker`, `text_model`, `judge`: unreachable · `budget`: used up · `scorer`: paths were scored by embeddings, since the corpus
 * kept changing · `expansion`: the question was searched for as it is · `partitions`: some did not answer.
 */
export type Degraded = Immutable<z.output<typeof degraded>>[number]
export type Evidence = Immutable<z.output<typeof evidence>>
export type Citation = Immutable<z.output<typeof citation>>
/** A sentence of the documents that is close to a question they do not answer. */
export type Nearest = Immutable<z.output<typeof nearest>>
/** A statement of the answer, and whether its citations support it. */
export type ClaimSupport = Immutable<z.output<typeof claimSupport>>
export type SearchResult = Immutable<z.output<typeof searchResult>>
export type QueryResult = Immutable<z.output<typeof queryResult>>
export type CompareResult = Immutable<z.output<typeof compareResult>>

export type { ModelFault, RefusalCode }

/** Server-sent events of a streamed answer. `error` ends the stream; as the first event it means that nothing was sent and the status can still report it. */
export type AskEvent =
  | { readonly event: 'retrieval'; readonly data: SearchResult & Pick<QueryResult, 'conversation'> }
  | { readonly event: 'delta'; readonly data: { readonly text: string } }
  | { readonly event: 'citation'; readonly data: Citation }
  | { readonly event: 'usage'; readonly data: Usage & { readonly timing_ms: Timing } }
  | { readonly event: 'done'; readonly data: Omit<QueryResult, 'evidence' | 'trace'> }
  | {
      readonly event: 'error'
      readonly data: {
        readonly code: RefusalCode | ModelFault
        readonly version?: number
        readonly filter?: string
        readonly retry_after?: number
      }
    }
