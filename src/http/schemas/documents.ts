/** Bodies about documents. */
import { z } from 'zod'
import { idSchema, objectSchema, storable, textSchema, urlSchema } from './common'

export const titleSchema = z.string().max(1000).transform(storable)

export const documentSchema = z.object({
  text: textSchema,
  title: titleSchema.nullish(),
  url: urlSchema.nullish(),
  metadata: objectSchema.nullish(),
})

export const MOST_BATCH = 1000

export const batchSchema = z
  .object({
    upserts: z
      .array(documentSchema.extend({ id: idSchema }))
      .max(MOST_BATCH)
      .default([]),
    deletes: z.array(idSchema).max(MOST_BATCH).default([]),
  })
  .superRefine(({ upserts, deletes }, context) => {
    const total = upserts.length + deletes.length
    if (total > MOST_BATCH) context.addIssue({ code: 'custom', path: ['upserts'], message: `at most ${MOST_BATCH} documents together` })
    if (total === 0) context.addIssue({ code: 'custom', path: ['upserts'], message: 'nothing to do' })
    const both = new Set(deletes)
    for (const [i, { id }] of upserts.entries()) {
      if (both.has(id)) context.addIssue({ code: 'custom', path: ['upserts', i, 'id'], message: 'is also to be deleted' })
    }
  })

export const estimateSchema = z.object({
  documents: z
    .array(documentSchema.extend({ id: idSchema.optional() }))
    .min(1)
    .max(MOST_BATCH),
})
