/** What questions, classification and the graph answer. Described here, checked by tests against real answers. */
import { z } from 'zod'
import { outcomes } from '../../core/support/check'
import { faults } from '../../core/support/reason'
import { json, spent } from './answers'

const count = z.int().min(0)
const place = z.object({ document: z.string(), start: count, end: count })
const span = z.object({ start: count, end: count })
const timing = z.record(z.string(), z.number()).describe('Milliseconds, by step.')

export const usage = spent.extend({ calls: count.describe('Model calls of every kind.') })

export const degraded = z
  .array(z.enum(['budget', 'embedding', 'index', 'reranker', 'text_model', 'scorer', 'judge']))
  .describe('What was not as it should be, though there is an answer.')

export const evidence = z.object({
  id: z.string(),
  kind: z.string().describe('passage, unit, chunk, summary, community, entity'),
  layer: count,
  score: z.number(),
  text: z.string(),
  tokens: count,
  document: z.string().nullable().describe('Null for summaries, communities and entities; a supporting passage follows those.'),
  chunk: z.string().nullable(),
  start: count.nullable().describe('UTF-16 offset into the document’s text: the slice from start to end equals `text`.'),
  end: count.nullable(),
  title: z.string().optional(),
  url: z.string().nullable().optional(),
  via: z.string().describe('The channel or path that led here.'),
  stale: z.boolean().optional(),
  also: z.array(place).optional().describe('Other places with the same text.'),
})

export const searchResult = z.object({
  strategy: z.string(),
  evidence: z.array(evidence),
  trace: json.optional(),
  version: count,
  degraded,
  usage,
  timing_ms: timing,
})

export const citation = z.object({
  id: z.string().describe('The piece of evidence that holds the quote.'),
  marker: z.int().min(1).describe('The number the answer cites it by.'),
  document: z.string(),
  chunk: z.string().nullable(),
  start: count,
  end: count,
  quote: z.string().describe('Equals the document’s text from start to end; checked.'),
  title: z.string().optional(),
  url: z.string().nullable().optional(),
  span: span.describe('The statement of the answer it supports.'),
  verified: z.literal(true),
})

const nearest = z.object({
  id: z.string().describe('The piece of evidence that holds it.'),
  document: z.string(),
  title: z.string().optional(),
  start: count,
  end: count,
  quote: z.string().describe('Equals the document’s text from start to end.'),
})

export const claimSupport = z.object({
  claim: z.string().describe('A statement of the answer, without its markers.'),
  span: span.nullable().describe('Where it stands in the answer; null: left out.'),
  outcome: z.enum(outcomes),
  by: z.enum(['rules', 'judge']).describe('Who said so.'),
  score: z.number().describe('Share of what it says that its sources say, from 0 to 1, by the rules.'),
  citations: z.array(z.int().min(1)).describe('Markers of its verified citations.'),
  reasons: z.array(z.object({ fault: z.enum(faults), claim: z.string(), source: z.string().optional() })),
  supported_by: z.array(z.int().min(1)).optional().describe('Numbers of other evidence that would support it.'),
})

export const queryResult = searchResult.extend({
  answer: z.string(),
  citations: z.array(citation),
  generator: z.enum(['model', 'extractive']),
  grounded: z.boolean().describe('Every statement of the answer is supported by what it cites.'),
  support: z.array(claimSupport).describe('Each statement, in order, and whether what it cites says so.'),
  answered: z.boolean().describe('The evidence answers the question; false: the answer says that it does not.'),
  insufficient: z.boolean().describe('The contrary of `answered`.'),
  confidence: z.number().min(0).max(1).describe('How sure it is that the evidence answers the question, by its words.'),
  nearest: z.array(nearest).describe('What comes nearest, where the question is not answered.'),
  dropped: count.describe('Citations left out because their quote could not be verified.'),
})

export const compareResult = z.object({
  query: z.string(),
  results: z.array(z.union([queryResult.extend({ cost_usd: z.number() }), z.object({ strategy: z.string(), error: z.string() })])),
})

const cost = z.object({ tokens: spent, calls: z.record(z.string(), count), usd: z.number() })

const bounded = cost.extend({ bounds: z.object({ least: cost, most: cost }) })

export const estimate = z.object({
  documents: count,
  chunks: count,
  tokens: count,
  priced_on: z.string(),
  strategies: z.record(z.string(), bounded).describe('Each strategy alone, its embeddings included.'),
  corpus: bounded
    .extend({ basis: z.enum(['measured', 'rates']).describe('What its latest chunks have cost, or rates while there are too few.') })
    .optional()
    .describe('The corpus’s own strategies together: what ingestion is refused by.'),
})

export const label = z.object({
  label: z.string(),
  description: z.string(),
  examples: z.array(z.object({ id: z.string(), text: z.string().optional().describe('Only in the list.') })),
  learned: count.describe('Texts learned as this label and kept.'),
})

export const classified = z.object({
  label: z.string().nullable().describe('Null where nothing speaks for one label more than for another.'),
  confidence: z.number(),
  candidates: z.array(z.object({ label: z.string(), score: z.number(), via: json }).loose()),
  tree: z.object({ nodes: z.array(json), edges: z.array(json) }).describe('The Steiner tree that led to the candidates.'),
  decided: z.enum(['model', 'score']),
  degraded,
  usage: spent,
  learned: z.object({ id: z.string() }).optional(),
})

export const deleted = z.object({ status: z.literal('deleted') })
export const undone = z.object({ status: z.enum(['deleted', 'unchanged']) })

export const node = z.object({
  id: z.string(),
  kind: z.string(),
  layer: count,
  text: z.string(),
  tokens: count,
  stale: z.literal(true).optional(),
  about: z
    .object({ document: z.string(), title: z.string() })
    .optional()
    .describe('Of an entity that shares its name with another: a document about this one, by which they are told apart.'),
  data: json.optional(),
})

export const edge = z.object({ kind: z.string(), source: z.string(), target: z.string(), weight: z.number(), data: json.optional() })

export const neighbourhood = z.object({
  nodes: z.array(node),
  edges: z.array(edge),
  truncated: z.boolean().describe('There is more than `limit` let through.'),
  version: count,
})

export const nodes = z.object({ data: z.array(node), next_cursor: z.string().nullable(), version: count })
export const layers = z.object({ layers: z.array(z.object({ layer: count, count })), version: count })
