/** Bodies about documents. */
import { z } from 'zod'
import { accessSchema, idSchema, textSchema, urlSchema } from './common'
import { exact } from './exact'
import { objectSchema } from './json-object'
import { storable } from './storable'

export const titleSchema = z.string().max(1000).transform(storable)

export const documentSchema = exact({
  text: textSchema.describe('At most 1 MiB of UTF-8. Offsets count its UTF-16 units.'),
  title: titleSchema.nullish().describe('Not part of the text.'),
  url: urlSchema.nullish().describe('Where it comes from; shown with citations.'),
  metadata: objectSchema.nullish().describe('At most 16 KiB of JSON; questions can be filtered by it.'),
  access: accessSchema
    .nullish()
    .describe('Labels: only who speaks for one of them may read it. Not named: as before; an empty list: none.'),
})

export const documentPatchSchema = exact({ access: accessSchema.describe('The labels it has from now on; an empty list: none.') })

export const MOST_BATCH = 1000

export const batchSchema = exact({
  upserts: z
    .array(documentSchema.extend({ id: idSchema }))
    .max(MOST_BATCH)
    .default([]),
  deletes: z.array(idSchema).max(MOST_BATCH).default([]),
}).superRefine(({ upserts, deletes }, context) => {
  const total = upserts.length + deletes.length
  if (total > MOST_BATCH) context.addIssue({ code: 'custom', path: ['upserts'], message: `at most ${MOST_BATCH} documents together` })
  if (total === 0) context.addIssue({ code: 'custom', path: ['upserts'], message: 'nothing to do' })
  const both = new Set(deletes)
  for (const [i, { id }] of upserts.entries()) {
    if (both.has(id)) context.addIssue({ code: 'custom', path: ['upserts', i, 'id'], message: 'is also to be deleted' })
  }
})

export const estimateSchema = exact({
  documents: z
    .array(documentSchema.extend({ id: idSchema.optional() }))
    .min(1)
    .max(MOST_BATCH),
})
