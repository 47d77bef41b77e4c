/** Documents, put and answered. */
import { z } from 'zod'
import { MAX_OUTLINE, unreadReasons } from '../core/text/outline'
import { graphSchema } from './brought'
import { dates, datesFit, sentDates } from './dates'
import { MAX_BATCH, MAX_TITLE } from './document-limits'
import { exact } from './exact'
import { accessSchema, count, idSchema, metadata, textSchema, urlSchema, version } from './fields'
import type { Immutable } from './immutable'
import { objectSchema } from './json-object'
import { languageSchema } from './languages'
import { storable } from './storable'

export const titleSchema = z.string().max(MAX_TITLE).transform(storable)

const ordinal = z.int().min(1).max(10_000_000)
const short = z.string().max(300).transform(storable)

export const outlineEntry = exact({
  start: z.int().min(0).describe('The UTF-16 offset in the text from which this entry applies.'),
  page: ordinal.optional().describe('The page of a PDF, from 1.'),
  slide: ordinal.optional(),
  cells: short.optional().describe('A range of a sheet (`A2:D21`), or the number of a notebook’s cell.'),
  line: ordinal.optional().describe('The number of the line that begins here. From here on, the text has the file’s line breaks.'),
  seconds: z.number().min(0).optional().describe('The time in a recording, from its beginning.'),
  heading: short.optional(),
  level: z.int().min(1).max(6).optional().describe('The level of the heading; 1 by default.'),
  described: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe(
      'The SHA-256 of the picture, scan or recording that a model reads, describes or transcribes in the text that follows; of a scan with unread pages, that of the page’s picture.',
    ),
  written: z.literal(true).optional().describe('From here on, the text is the file’s own again.'),
  unread: z.enum(unreadReasons).optional().describe('Why this page of a scan has no text, or (`cut`) not all of it.'),
})

const outlineField = z
  .array(outlineEntry)
  .max(MAX_OUTLINE)
  .describe(
    'Where pages, slides, cells and lines begin in the text, as a file reader found them. Files you send have an outline of their own. If none is given, headings are found in the text.',
  )

export const documentSchema = exact({
  text: textSchema.describe('At most 1 MiB of UTF-8. Offsets count its UTF-16 units.'),
  title: titleSchema.nullish().describe('Not part of the text.'),
  url: urlSchema.nullish().describe('Where it comes from; shown with citations.'),
  metadata: objectSchema.nullish().describe('At most 16 KiB of JSON; questions can be filtered by it.'),
  access: accessSchema
    .nullish()
    .describe('Labels: only those who speak for one of them may read it. Left out: as before. Empty: no labels.'),
  active: z
    .boolean()
    .nullish()
    .describe('`false`: switched off. It is kept, listed and exported, but takes no part in questions. Left out: as before.'),
  language: languageSchema
    .nullish()
    .describe('The code of its language (`de`, `pt-BR`); by default detected from the text, or else the corpus’s `settings.language`.'),
  outline: outlineField.nullish(),
  graph: graphSchema
    .nullish()
    .describe(
      'Entities and relations that another program or a person found in the text. They are taken over instead of being looked for by a model; what the text does not say is left out (docs/entities.md).',
    ),
  ...sentDates,
})

const MAX_FILE = 8 * 1024 * 1024 // bytes of a file as it is sent, in base64

/** A file instead of a text. */
export const fileFields = {
  content_base64: z
    .string()
    .refine((sent) => sent.length <= (MAX_FILE / 3) * 4, { message: `at most ${MAX_FILE} bytes in base64`, params: { code: 'too_large' } })
    .nullish()
    .describe(
      'The bytes of a file in base64 (RFC 4648), instead of `text`; `content_type` says what kind of file it is. Without a `title`, the file’s own title is used.',
    ),
  content_type: z
    .string()
    .max(200)
    .nullish()
    .describe(
      'The media type of `content_base64`: `text/plain`, `text/html`, `application/pdf`, `text/csv`, those of Word, Excel and PowerPoint, and others (docs/formats.md).',
    ),
} as const

interface Content {
  readonly text?: string | null | undefined
  readonly content_base64?: string | null | undefined
  readonly content_type?: string | null | undefined
}

/** Has a document a text or a file, and not both? */
export function hasOneContent({ text, content_base64, content_type }: Content, context: z.core.$RefinementCtx): void {
  const refuse = (path: keyof Content, message: string) => context.issues.push({ code: 'custom', path: [path], message, input: undefined })
  const file = content_base64 ?? undefined
  if (text === undefined && file === undefined) refuse('text', 'is required, or `content_base64` with `content_type`')
  if (text !== undefined && file !== undefined) refuse('content_base64', 'cannot be given together with `text`')
  if (file !== undefined && !content_type) refuse('content_type', 'is required with `content_base64`')
  if (file === undefined && content_type) refuse('content_type', 'is only for `content_base64`')
}

/** A document as it is sent: with its text or as a file. */
const sentFields = documentSchema.extend({
  text: textSchema.optional().describe('At most 1 MiB of UTF-8. Offsets count its UTF-16 units. Or send a file in `content_base64`.'),
  ...fileFields,
})
export const newDocumentSchema = sentFields.superRefine(hasOneContent).superRefine(datesFit)

/** A document as one of several. */
export const sentDocumentSchema = sentFields.extend({ id: idSchema }).superRefine(hasOneContent).superRefine(datesFit)

export const documentPatchSchema = exact({
  access: accessSchema.optional().describe('Its labels from now on. Empty: no labels.'),
  active: z.boolean().optional().describe('`false`: it takes no part in questions until it is `true` again.'),
  language: languageSchema
    .nullable()
    .optional()
    .describe('The code of its language; `null`: detected from the text. The returned job indexes it again.'),
}).refine(({ access, active, language }) => access !== undefined || active !== undefined || language !== undefined, {
  message: 'give `access`, `active` or `language`',
})

export const batchSchema = exact({
  upserts: z.array(sentDocumentSchema).max(MAX_BATCH).default([]),
  deletes: z.array(idSchema).max(MAX_BATCH).default([]),
}).superRefine(({ upserts, deletes }, context) => {
  const total = upserts.length + deletes.length
  if (total > MAX_BATCH) context.addIssue({ code: 'custom', path: ['upserts'], message: `at most ${MAX_BATCH} documents in all` })
  if (total === 0) context.addIssue({ code: 'custom', path: ['upserts'], message: 'there is nothing to do' })
  const both = new Set(deletes)
  for (const [i, { id }] of upserts.entries()) {
    if (both.has(id)) context.addIssue({ code: 'custom', path: ['upserts', i, 'id'], message: 'is listed for deletion as well' })
  }
})

export const document = z.object({
  document: z.string(),
  title: z.string(),
  url: z.string().nullable(),
  metadata,
  access: z
    .array(z.string())
    .describe('Labels: only those who speak for one of them may read it. Empty: the corpus’s `default_access` applies.'),
  active: z.boolean().describe('`false`: switched off. It takes no part in questions.'),
  language: z.string().nullable().describe('The code of its language; null: it could not be detected.'),
  dates: dates.optional(),
  updated_at: z
    .string()
    .optional()
    .describe('When this content was accepted. Absent for contents accepted by a release that did not note it.'),
  status: z.enum(['queued', 'indexing', 'ready', 'partial', 'failed']),
  content_version: count.describe('Counts the contents stored under this id. It is the ETag.'),
  indexed_version: count.describe(
    'The version of the corpus from which questions see this content; the receipt of that version says what it touched. 0: none yet.',
  ),
  chunks: count,
  file: z
    .object({ media_type: z.string(), bytes: count })
    .optional()
    .describe('The file that the text was read from, if it is kept: `GET …/documents/{document}/file` returns it.'),
  error: z.string().optional(),
  corrected: z.literal(true).optional().describe('Its text was corrected here. Sending the original text again keeps the correction.'),
  text: z.string().optional().describe('Only when you get a single document.'),
  outline: z.array(outlineEntry).optional().describe('Where its parts begin in the text. Returned with `text`.'),
  graph: z
    .object({
      entities: count,
      relations: count,
      unplaced: count.describe('How many of both no chunk says, so that they are not in the graph.'),
      left_out: z
        .object({
          entities: count.describe('Entities that no chunk of the document, or of their passage, says.'),
          relations: count.describe('Relations of which no chunk says either end.'),
          ends: count.describe('Relations in a chunk that says one end but not the words of the other.'),
          room: count.describe('Relations for which their chunk’s descriptions have no room.'),
        })
        .describe('What of it the text does not bear out, or what finds no room, by reason; all 0 until the document is indexed.'),
    })
    .optional()
    .describe('What came with the document from another graph. Returned with `text`.'),
  conversion: z
    .literal('described')
    .optional()
    .describe(
      'Its text, or a part of it, is a model’s description of a picture or a scan, or its transcript of a recording; `outline` says from where on. Returned with `text`.',
    ),
})

const correction = z
  .enum(['kept', 'replaced'])
  .optional()
  .describe(
    'For a corrected document. `kept`: the text you sent is the one that was corrected, or its correction. `replaced`: another text took its place.',
  )

const unread = z
  .array(z.object({ page: count.optional(), why: z.enum(unreadReasons) }))
  .optional()
  .describe('Pages of a scan that could not be read, or (`cut`) not to their end. `outline` of the document keeps them.')

export const put = z.object({
  document: z.string(),
  correction,
  unread,
  job: z.string().optional().describe('Absent if nothing has changed.'),
  status: z.string().optional().describe('`unchanged`; or, with `wait`, the status of the job.'),
  version: version.optional().describe('If only labels or the switch changed, the version from which they apply.'),
})

export const patched = z.object({
  document: z.string(),
  access: z.array(z.string()),
  active: z.boolean(),
  language: z.string().nullable().optional().describe('The language you asked for, whether it already applies or the job applies it.'),
  job: z.string().optional().describe('The job that applies another language. Until it has succeeded, the document is found as before.'),
  version,
})

export const batch = z.object({
  job: z.string().optional(),
  status: z.string().optional().describe('`unchanged`; or, with `wait`, the status of the job.'),
  documents: z.array(z.object({ document: z.string(), status: z.string(), correction })),
  version: version.optional().describe('If only labels or the switch changed, the version from which they apply.'),
})

export type NewDocument = Immutable<z.input<typeof newDocumentSchema>>
export type NewBatch = Immutable<z.input<typeof batchSchema>>
export type Document = Immutable<z.output<typeof document>>
export type DocumentStatus = Document['status']
export type Put = Immutable<z.output<typeof put>>
export type Patched = Immutable<z.output<typeof patched>>
export type Batch = Immutable<z.output<typeof batch>>
