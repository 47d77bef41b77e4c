/** Bodies about labels and texts to classify. */
import { z } from 'zod'
import { textSchema, upTo } from './common'
import { exact } from './exact'

export const labelSchema = exact({
  description: upTo(8 * 1024)
    .optional()
    .describe('What texts of this label are about.'),
  examples: z.array(textSchema).max(1000).default([]),
})

export const classifySchema = exact({
  text: textSchema,
  learn: z.boolean().optional().describe('Keep what is decided with confidence.'),
})

export const sinceSchema = z.iso.datetime({ offset: true }).describe('Undo what was learned at or after this time.')
