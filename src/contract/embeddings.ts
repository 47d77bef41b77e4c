/** The bodies of OpenAI's embeddings. */
import { z } from 'zod'
import { unmisspelt } from './unmisspelt'

export const embeddingLimits = {
  inputs: 512, // texts of a request: their vectors are 10 MB of JSON at 1,024 dimensions
  text: 64 * 1024, // characters of one of them
} as const

const text = z
  .string()
  .max(embeddingLimits.text, `at most ${embeddingLimits.text} characters`)
  .refine((one) => one.trim() !== '', 'must not be blank')

export const embeddingsSchema = z
  .object({
    model: z
      .string()
      .min(1)
      .max(200)
      .describe(
        'A corpus, with or without `loam/`: the model of its vectors is used. A key for all corpora may also name the deployment’s embedding model.',
      ),
    input: z
      .union([text, z.array(text).min(1).max(embeddingLimits.inputs, `at most ${embeddingLimits.inputs} texts`)], {
        error: 'a text or a list of texts; token ids are not accepted',
      })
      .describe(`A text, or up to ${embeddingLimits.inputs}, of at most ${embeddingLimits.text} characters each.`),
    encoding_format: z.enum(['float', 'base64']).nullish().describe('`float` by default; `base64`: little-endian 32-bit floats.'),
    dimensions: z.int().min(1).nullish().describe('Must equal the model’s dimensions: vectors are not shortened.'),
  })
  .loose()
  .superRefine(unmisspelt(['model', 'input', 'encoding_format', 'dimensions']))

const embedding = z.object({ object: z.literal('embedding'), index: z.int(), embedding: z.union([z.array(z.number()), z.string()]) })

export const embeddingList = z.object({
  object: z.literal('list'),
  data: z.array(embedding),
  model: z.string(),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
})
