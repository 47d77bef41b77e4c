/** Lines of an import: those of our own export, or documents with their text. Everything else in an export is ignored. */

import { z } from 'zod'
import { sentDates } from './dates'
import { documentSchema, fileFields, titleSchema } from './documents'
import { exact } from './exact'
import { accessSchema, idSchema, textSchema, upTo, urlSchema } from './fields'
import type { Immutable } from './immutable'
import { objectSchema } from './json-object'

const MAX_CHUNKS = 20_000 // for a document of 1 MiB with chunks as small as settings allow

const documentLine = exact({
  type: z.literal('document'),
  id: idSchema,
  text: textSchema.optional().describe('If absent, it is assembled from the chunks.'),
  title: titleSchema.nullish(),
  url: urlSchema.nullish(),
  metadata: objectSchema.nullish(),
  access: accessSchema.nullish(),
  active: z.boolean().nullish(),
  language: documentSchema.shape.language,
  outline: documentSchema.shape.outline,
  graph: documentSchema.shape.graph,
  ...sentDates,
  ...fileFields,
  chunks: z
    .array(exact({ chunk: z.string(), start: z.int().min(0) }))
    .max(MAX_CHUNKS)
    .optional(),
})

const chunkLine = exact({
  type: z.literal('chunk'),
  id: z.string(),
  text: z.string(),
  // Written by an export, and unused here: chunks are cut again.
  title: z.string().optional(),
  tokens: z.number().optional(),
  own: z.number().optional(),
})

const labelLine = exact({
  type: z.literal('label'),
  label: idSchema,
  description: upTo(8 * 1024).optional(),
  examples: z.array(textSchema).max(1000).default([]),
})

export const importedSchema = z.discriminatedUnion('type', [documentLine, chunkLine, labelLine])
export type Line = z.output<typeof importedSchema>

/** The programs whose archives and graphs are recognised. */
export const exporters = ['slack', 'notion', 'graphrag', 'lightrag', 'graphml'] as const

const leftOut = z
  .object({ entities: z.int().min(0), relations: z.int().min(0), descriptions: z.int().min(0) })
  .describe(
    'Entities and relations that no passage they came from says, and descriptions that were written over several documents and of which none of them says a sentence.',
  )

export const imported = z.object({
  job: z.string().nullable().describe('The last of the jobs; null if no document has changed.'),
  jobs: z.array(z.string()),
  documents: z.int().min(0),
  unchanged: z.int().min(0),
  labels: z.int().min(0),
  graph: z
    .object({ entities: z.int().min(0), relations: z.int().min(0), left_out: leftOut })
    .optional()
    .describe('How much of the graph of GraphRAG or LightRAG was taken over with the documents.'),
  from: z.enum(exporters).optional().describe('The program that wrote the archive or the graph.'),
})

export type Imported = Immutable<z.output<typeof imported>>
