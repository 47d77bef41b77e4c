/** A document's chunks as they are listed: what was read, where it stands, and how. */
import { z } from 'zod'
import { MAX_TEXT } from './document-limits'
import { exact } from './exact'
import { count, upTo } from './fields'
import type { Immutable } from './immutable'
import { location } from './location'
import { listOf } from './pages'

export const documentChunk = z.object({
  chunk: z.string().describe('Its id; documents with the same text share it.'),
  ordinal: count.describe('Its place in the document, from 0 on.'),
  start: count.describe('UTF-16 offset in the document’s text, as in citations.'),
  end: count.describe('Where it ends; the next chunk may begin before that, by `settings.chunk_overlap`.'),
  text: z.string(),
  ...location,
  passages: count.describe('What is found and cited: pieces of the chunk.'),
  read: z.object({
    by: z.enum(['model', 'rules']).describe('Who has found its entities and what relates them.'),
    partial: z
      .enum(['extract', 'embed'])
      .optional()
      .describe(
        '`extract`: a model was to read it and gave nothing usable, so that rules did; `embed`: passages have no vector, and are found by their words alone. The model is asked again by the schedule.',
      ),
  }),
  entities: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.string().optional().describe('Of which kind, where a model has said so.'),
      }),
    )
    .describe('Whom and what it mentions, the most often mentioned first; 50 at most.'),
})

export const documentChunks = listOf(documentChunk).extend({
  content_version: count.describe('Of the content they are chunks of; 0: none is served yet.'),
})

export const chunkCorrectionSchema = exact({
  text: upTo(MAX_TEXT).describe(
    'What stands in the document in place of the chunk’s text, from its start to its end. Empty: it is taken out.',
  ),
  ordinal: z.int().min(0).optional().describe('Which of them, where the document has the chunk several times.'),
})

export const correctedChunk = z.object({
  document: z.string(),
  job: z.string().optional().describe('Takes the corrected text in. Absent where it is what stands there.'),
  status: z.string().optional().describe('`unchanged`; or, with `wait`, the job’s.'),
})

export type ChunkCorrection = Immutable<z.input<typeof chunkCorrectionSchema>>
export type CorrectedChunk = Immutable<z.output<typeof correctedChunk>>
export type DocumentChunk = Immutable<z.output<typeof documentChunk>>
export type DocumentChunks = Immutable<z.output<typeof documentChunks>>
