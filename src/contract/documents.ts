/** Documents, put and answered. */
import { z } from 'zod'
import { MAX_OUTLINE } from '../core/text/outline'
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
  start: z.int().min(0).describe('UTF-16 offset in the text, from which on this holds.'),
  page: ordinal.optional().describe('Of a PDF, from 1 on.'),
  slide: ordinal.optional(),
  cells: short.optional().describe('A range of a sheet (`A2:D21`), or the number of a notebook’s cell.'),
  line: ordinal.optional().describe('The number of the line that begins here; from here on the text has the file’s line breaks.'),
  seconds: z.number().min(0).optional().describe('Of a recording, from its beginning.'),
  heading: short.optional(),
  level: z.int().min(1).max(6).optional().describe('Of the heading; 1 unless told.'),
  described: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe('SHA-256 of the picture or scan of which a model says what follows.'),
})

const outlineField = z
  .array(outlineEntry)
  .max(MAX_OUTLINE)
  .describe(
    'Where pages, slides, cells and lines begin in the text: as found by the reader of the file. A file sent as such has its own; headings are found in the text where none is named.',
  )

export const documentSchema = exact({
  text: textSchema.describe('At most 1 MiB of UTF-8. Offsets count its UTF-16 units.'),
  title: titleSchema.nullish().describe('Not part of the text.'),
  url: urlSchema.nullish().describe('Where it comes from; shown with citations.'),
  metadata: objectSchema.nullish().describe('At most 16 KiB of JSON; questions can be filtered by it.'),
  access: accessSchema
    .nullish()
    .describe('Labels: only who speaks for one of them may read it. Not named: as before; an empty list: none.'),
  active: z
    .boolean()
    .nullish()
    .describe('`false`: switched off; it is kept, listed and exported, and takes no part in questions. Not named: as before.'),
  language: languageSchema
    .nullish()
    .describe('What it is written in, by its code (`de`, `pt-BR`); else what its text tells, else the corpus’s `settings.language`.'),
  outline: outlineField.nullish(),
  ...sentDates,
})

const MAX_FILE = 8 * 1024 * 1024 // bytes of a file as it is sent, in base64

/** In place of a text, a file. */
export const fileFields = {
  content_base64: z
    .string()
    .refine((sent) => sent.length <= (MAX_FILE / 3) * 4, { message: `at most ${MAX_FILE} bytes in base64`, params: { code: 'too_large' } })
    .nullish()
    .describe(
      'In place of `text`, the bytes of a file in base64 (RFC 4648); `content_type` says of which kind. Its own title serves where none is given.',
    ),
  content_type: z
    .string()
    .max(200)
    .nullish()
    .describe(
      'Of `content_base64`: `text/plain`, `text/html`, `application/pdf`, `text/csv`, that of Word, Excel, PowerPoint, and others (docs/formats.md).',
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
  if (text === undefined && file === undefined) refuse('text', 'is needed, or `content_base64` with `content_type`')
  if (text !== undefined && file !== undefined) refuse('content_base64', 'there is a `text` already')
  if (file !== undefined && !content_type) refuse('content_type', 'is needed with `content_base64`')
  if (file === undefined && content_type) refuse('content_type', 'belongs to `content_base64`')
}

/** A document as it is sent: with its text, or as a file. */
const sentFields = documentSchema.extend({
  text: textSchema.optional().describe('At most 1 MiB of UTF-8. Offsets count its UTF-16 units. Or a file: `content_base64`.'),
  ...fileFields,
})
export const newDocumentSchema = sentFields.superRefine(hasOneContent).superRefine(datesFit)

/** As one of several. */
export const sentDocumentSchema = sentFields.extend({ id: idSchema }).superRefine(hasOneContent).superRefine(datesFit)

export const documentPatchSchema = exact({
  access: accessSchema.optional().describe('The labels it has from now on; an empty list: none.'),
  active: z.boolean().optional().describe('`false`: it takes no part in questions until it is `true` again.'),
  language: languageSchema
    .nullable()
    .optional()
    .describe('What it is written in, by its code; `null`: what its text tells. It is taken in again, by the job that is returned.'),
}).refine(({ access, active, language }) => access !== undefined || active !== undefined || language !== undefined, {
  message: 'name `access`, `active` or `language`',
})

export const batchSchema = exact({
  upserts: z.array(sentDocumentSchema).max(MAX_BATCH).default([]),
  deletes: z.array(idSchema).max(MAX_BATCH).default([]),
}).superRefine(({ upserts, deletes }, context) => {
  const total = upserts.length + deletes.length
  if (total > MAX_BATCH) context.addIssue({ code: 'custom', path: ['upserts'], message: `at most ${MAX_BATCH} documents together` })
  if (total === 0) context.addIssue({ code: 'custom', path: ['upserts'], message: 'nothing to do' })
  const both = new Set(deletes)
  for (const [i, { id }] of upserts.entries()) {
    if (both.has(id)) context.addIssue({ code: 'custom', path: ['upserts', i, 'id'], message: 'is also to be deleted' })
  }
})

export const document = z.object({
  document: z.string(),
  title: z.string(),
  url: z.string().nullable(),
  metadata,
  access: z
    .array(z.string())
    .describe('Labels: only who speaks for one of them may read it. Empty: as the corpus’s `default_access` says.'),
  active: z.boolean().describe('`false`: switched off; it takes no part in questions.'),
  language: z.string().nullable().describe('What it is written in, by its code; null: it could not be detected.'),
  dates: dates.optional(),
  status: z.enum(['queued', 'indexing', 'ready', 'partial', 'failed']),
  content_version: count.describe('Counts the contents put under this id; it is the ETag.'),
  indexed_version: count.describe(
    'The corpus’s version that made the content questions see visible; its receipt says what that touched. 0: none yet.',
  ),
  chunks: count,
  error: z.string().optional(),
  corrected: z
    .literal(true)
    .optional()
    .describe('Its text was corrected here: the text that was handed in, put again, leaves it as it is.'),
  text: z.string().optional().describe('Only where one document is asked for.'),
  outline: z.array(outlineEntry).optional().describe('Where its parts begin in the text; with `text`.'),
  conversion: z
    .literal('described')
    .optional()
    .describe('Its text, or a part of it, is what a model says of a picture or a scan; `outline` says from where on. With `text`.'),
})

const correction = z
  .enum(['kept', 'replaced'])
  .optional()
  .describe(
    'Of a document that was corrected: `kept`, since this is the text it was corrected from, or corrected to; `replaced`: another text took its place.',
  )

export const put = z.object({
  document: z.string(),
  correction,
  job: z.string().optional().describe('Absent where nothing has changed.'),
  status: z.string().optional().describe('`unchanged`; or, with `wait`, the job’s.'),
  version: version.optional().describe('Where nothing but labels has changed: the version with which they hold.'),
})

export const patched = z.object({
  document: z.string(),
  access: z.array(z.string()),
  active: z.boolean(),
  language: z.string().nullable().optional().describe('As it was asked for; where it is in force already, or with the job.'),
  job: z.string().optional().describe('Another language: until it has succeeded the document is found as it was.'),
  version,
})

export const batch = z.object({
  job: z.string().optional(),
  status: z.string().optional().describe('`unchanged`; or, with `wait`, the job’s.'),
  documents: z.array(z.object({ document: z.string(), status: z.string(), correction })),
  version: version.optional().describe('Where nothing but labels has changed: the version with which they hold.'),
})

export type NewDocument = Immutable<z.input<typeof newDocumentSchema>>
export type NewBatch = Immutable<z.input<typeof batchSchema>>
export type Document = Immutable<z.output<typeof document>>
export type DocumentStatus = Document['status']
export type Put = Immutable<z.output<typeof put>>
export type Patched = Immutable<z.output<typeof patched>>
export type Batch = Immutable<z.output<typeof batch>>
