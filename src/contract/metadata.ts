/** Documents by their metadata: filtered, boosted, counted. */
import { z } from 'zod'
import { exact } from './exact'
import { count } from './fields'

const MAX_METADATA = 50 // keys of metadata that can be filtered by
const MAX_BOOSTS = 20
const MAX_FACTOR = 100
const MAX_FACETS = 10
const scalar = z.union([z.string().max(1000), z.number(), z.boolean(), z.null()])
const scalars = z.array(scalar).max(100)
const bound = z.union([z.number(), z.string().max(1000)]).optional()

/** Of one key. */
const condition = exact({
  in: scalars.optional().describe('One of these.'),
  not: z.union([scalar, scalars]).optional().describe('None of these; documents without the key have none.'),
  gt: bound,
  gte: bound,
  lt: bound,
  lte: bound,
})
  .refine((wanted) => Object.values(wanted).some((one) => one !== undefined), { message: 'must name in, not, gt, gte, lt or lte' })
  .refine(({ gt, gte, lt, lte }) => new Set([gt, gte, lt, lte].flatMap((one) => (one === undefined ? [] : [typeof one]))).size < 2, {
    message: 'bounds must be all numbers or all texts',
  })

export const byMetadata = z
  .record(z.string().max(256), z.union([scalar, scalars, condition]))
  .refine((wanted) => Object.keys(wanted).length <= MAX_METADATA, `at most ${MAX_METADATA} keys`)

export const boostsSchema = z
  .array(exact({ metadata: byMetadata, factor: z.number().min(0).max(MAX_FACTOR) }))
  .max(MAX_BOOSTS)
  .describe('Multiplies a score by `factor` if the document’s metadata match as they would for a filter. Several that match multiply.')

/** Instead of a key of metadata: the language of the document itself. */
export const LANGUAGE_FACET = '@language'

export const facetKeys = z
  .array(
    z
      .string()
      .min(1)
      .max(256)
      .refine((key) => !key.startsWith('@') || key === LANGUAGE_FACET, `\`${LANGUAGE_FACET}\` is the only facet that begins with \`@\``),
  )
  .max(MAX_FACETS)
  .describe(
    `Keys of metadata. \`facets\` of the answer counts the documents of up to 100 hits by their values; \`${LANGUAGE_FACET}\` counts them by language.`,
  )

const value = z.union([z.string(), z.number(), z.boolean(), z.null()])
export const facetCounts = z
  .record(z.string(), z.array(z.object({ value, documents: count })))
  .describe('For each key, the values of the hits’ documents, most frequent first; at most 20.')
