/** Lines of an import: those of our own export, or documents with their text. Lines of other types are passed over. */
import { z } from 'zod'
import { idSchema, objectSchema, textSchema, upTo, urlSchema } from './common'
import { titleSchema } from './documents'

const MOST_CHUNKS = 20_000 // of a document of 1 MiB, were each as small as settings allow

const documentLine = z.object({
  type: z.literal('document'),
  id: idSchema,
  text: textSchema.optional().describe('Else it is put together from the chunks.'),
  title: titleSchema.nullish(),
  url: urlSchema.nullish(),
  metadata: objectSchema.nullish(),
  chunks: z
    .array(z.object({ chunk: z.string(), start: z.int().min(0) }))
    .max(MOST_CHUNKS)
    .optional(),
})
const chunkLine = z.object({ type: z.literal('chunk'), id: z.string(), text: z.string() })
const labelLine = z.object({
  type: z.literal('label'),
  label: idSchema,
  description: upTo(8 * 1024).optional(),
  examples: z.array(textSchema).max(1000).default([]),
})

export const importedSchema = z.discriminatedUnion('type', [documentLine, chunkLine, labelLine])
export type Line = z.output<typeof importedSchema>

export const imported = z.object({
  job: z.string().nullable().describe('The last of the jobs; null where no document has changed.'),
  jobs: z.array(z.string()),
  documents: z.int().min(0),
  unchanged: z.int().min(0),
  labels: z.int().min(0),
})
