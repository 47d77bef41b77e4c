/** Labels, and texts that are classified by them. */

import { z } from 'zod'
import type { ScoredLabel } from '../core/strategies/gorag/classify'
import type { Tree } from '../core/strategies/gorag/tree'
import { exact } from './exact'
import { count, textSchema, upTo } from './fields'
import type { Immutable } from './immutable'
import { degraded } from './questions'
import { spent } from './usage'

export const labelSchema = exact({
  description: upTo(8 * 1024)
    .optional()
    .describe('What texts with this label are about.'),
  examples: z.array(textSchema).max(1000).default([]),
})

export const classifySchema = exact({
  text: textSchema,
  learn: z.boolean().optional().describe('Keep the text as an example if the decision is confident.'),
})

export const sinceSchema = z.iso.datetime({ offset: true }).describe('Undo what was learned at or after this time.')

export const label = z.object({
  label: z.string(),
  description: z.string(),
  examples: z.array(z.object({ id: z.string(), text: z.string().optional().describe('Only in the list.') })),
  learned: count.describe('Texts that were learned as this label.'),
})

/** A label that a text may have, as the corpus's object finds it. */
const candidate = z.object({
  label: z.string(),
  score: z.number().describe('The probability, from 0 to 1. All labels together have 1.'),
  via: z.string().describe('What proposed it, joined by `+`: `steiner`, `keywords`, `embedding`, or `score` alone.'),
  description: z.string().describe('What the label is about: its description, or else its name. May be empty.'),
  keywords: z.array(z.string()).describe('Its strongest keywords.'),
}) satisfies z.ZodType<ScoredLabel>

const tree = z.object({
  nodes: z.array(z.object({ id: z.string(), kind: z.enum(['keyword', 'label', 'hub']), text: z.string() })),
  edges: z.array(z.object({ source: z.string(), target: z.string(), weight: z.number() })),
}) satisfies z.ZodType<Tree>

export const classified = z.object({
  label: z.string().nullable().describe('Null if nothing favours one label over another.'),
  confidence: z.number(),
  candidates: z.array(candidate),
  tree: tree.describe('The Steiner tree that led to the candidates.'),
  decided: z.enum(['model', 'score']),
  degraded,
  usage: spent,
  learned: z.object({ id: z.string() }).optional(),
})

export const deleted = z.object({ status: z.literal('deleted') })
export const undone = z.object({ status: z.enum(['deleted', 'unchanged']) })

export type NewLabel = Immutable<z.input<typeof labelSchema>>
export type ToClassify = Immutable<z.input<typeof classifySchema>>
export type Label = Immutable<z.output<typeof label>>
export type Classified = Immutable<z.output<typeof classified>>
