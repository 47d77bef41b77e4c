/** Bodies about webhooks, and what is answered about them. */
import { z } from 'zod'
import { isPointer } from '../../hooks/pointer'
import { accessSchema, idSchema, textSchema, urlSchema } from './common'
import { documentSchema, MOST_BATCH, titleSchema } from './documents'
import { exact } from './exact'

const MOST_KEYS = 50 // metadata keys mapped one by one

const pointer = z.string().refine(isPointer, { message: 'a JSON Pointer (RFC 6901), e.g. `/data/id`' })
const scalar = z.union([z.string().max(256), z.number(), z.boolean()])

export const mappingSchema = exact({
  items: pointer.optional(),
  id: pointer,
  text: pointer,
  title: pointer.optional(),
  url: pointer.optional(),
  metadata: z
    .union([
      pointer,
      z.record(z.string().min(1).max(256), pointer).refine((keys) => Object.keys(keys).length <= MOST_KEYS, `at most ${MOST_KEYS} keys`),
    ])
    .optional(),
  deleted: exact({ pointer, equals: z.union([scalar, z.array(scalar).min(1).max(20)]).optional() }).optional(),
})

const secret = z.string().min(1).max(256)

export const hookSchema = exact({
  preset: z.enum(['standard', 'github', 'generic']),
  mapping: mappingSchema.nullish(),
  secret: secret.nullish(),
  access: accessSchema.default([]).describe('Labels given to the documents it brings; none unless told.'),
})

export const rotateSchema = exact({
  secret: secret.nullish(),
  /** Seconds for which the old one is still good. */
  overlap: z
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(86_400),
})

/** What an event came to, checked like any other batch. Systems send null and empty links for what they do not know. */
export const saidSchema = exact({
  upserts: z
    .array(documentSchema.extend({ id: idSchema, text: textSchema, title: titleSchema.nullish(), url: urlSchema.nullish() }))
    .max(MOST_BATCH),
  deletes: z.array(idSchema).max(MOST_BATCH),
})

export const hook = z.object({
  hook: z.string(),
  url: z.string().describe('Where senders post to.'),
  preset: z.enum(['standard', 'github', 'generic']),
  mapping: mappingSchema.nullable(),
  access: z.array(z.string()).describe('Labels given to the documents it brings.'),
  created_at: z.string(),
})
export const shownHook = hook.extend({ secret: z.string().describe('Shown once.') })
export const heard = z.object({ job: z.string().optional(), status: z.enum(['duplicate', 'unchanged', 'ignored']).optional() }).loose()
