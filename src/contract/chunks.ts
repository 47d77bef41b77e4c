/** A document's chunks as they are listed: what was read, where it is, and how it was read. */
import { z } from 'zod'
import { MAX_TEXT } from './document-limits'
import { exact } from './exact'
import { count, upTo } from './fields'
import type { Immutable } from './immutable'
import { location } from './location'
import { listOf } from './pages'

export const documentChunk = z.object({
  chunk: z.string().describe('The chunk’s id. Documents with the same text share it.'),
  ordinal: count.describe('Its place in the document, from 0.'),
  start: count.describe('UTF-16 offset in the document’s text, as in citations.'),
  end: count.describe('Where it ends. The next chunk may begin before that, by `settings.chunk_overlap`.'),
  text: z.string(),
  ...location,
  passages: count.describe('How many passages it has: the pieces that are found and cited.'),
  read: z.object({
    by: z
      .enum(['model', 'rules', 'brought'])
      .describe('What found its entities and relations; `brought`: they came with the document (`graph`).'),
    partial: z
      .enum(['extract', 'embed'])
      .optional()
      .describe(
        '`extract`: a model gave nothing usable, so rules read it. `embed`: some passages have no vector and are found only by their words. The schedule asks the model again.',
      ),
  }),
  entities: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.string().optional().describe('Its type, if a model gave one.'),
      }),
    )
    .describe('The entities it mentions, most frequent first; at most 50.'),
})

export const documentChunks = listOf(documentChunk).extend({
  content_version: count.describe('The content version the chunks belong to; 0: none is served yet.'),
})

export const chunkCorrectionSchema = exact({
  text: upTo(MAX_TEXT).describe(
    'The text that replaces the chunk’s text in the document, from its start to its end. Empty: the text is removed.',
  ),
  ordinal: z.int().min(0).optional().describe('Which one, if the chunk occurs several times in the document.'),
})

export const correctedChunk = z.object({
  document: z.string(),
  job: z.string().optional().describe('The job that indexes the corrected text. Absent if nothing changed.'),
  status: z.string().optional().describe('`unchanged`; or, with `wait`, the status of the job.'),
})

export type ChunkCorrection = Immutable<z.input<typeof chunkCorrectionSchema>>
export type CorrectedChunk = Immutable<z.output<typeof correctedChunk>>
export type DocumentChunk = Immutable<z.output<typeof documentChunk>>
export type DocumentChunks = Immutable<z.output<typeof documentChunks>>
