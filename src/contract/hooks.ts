/** Webhooks that come in. */
import { z } from 'zod'
import { MAX_BATCH } from './document-limits'
import { documentSchema, fileFields, hasOneContent, titleSchema } from './documents'
import { exact } from './exact'
import { accessSchema, idSchema, textSchema, urlSchema } from './fields'
import type { Immutable } from './immutable'

const MAX_KEYS = 50 // metadata keys mapped one by one
const POINTER = /^(\/([^~/]|~[01])*)*$/
const MAX_POINTER = 512 // characters
const pointer = z
  .string()
  .refine((text) => text.length <= MAX_POINTER && POINTER.test(text), { message: 'a JSON Pointer (RFC 6901), e.g. `/data/id`' })

const scalar = z.union([z.string().max(256), z.number(), z.boolean()])

/** Who signs, and how. */
const preset = z.enum(['standard', 'github', 'generic'])
export type Preset = z.output<typeof preset>

/** Where in an event everything is; it deletes where `deleted` is true, or equals (one of) these. */
export const mappingSchema = exact({
  /** Where the list of documents is; without it the event is about one. The other pointers start at its items. */
  items: pointer.optional(),
  id: pointer,
  text: pointer,
  /** In place of a text, a file in base64, and its media type. */
  content_base64: pointer.optional(),
  content_type: pointer.optional(),
  title: pointer.optional(),
  url: pointer.optional(),
  /** One object, or each key from its own place. */
  metadata: z
    .union([
      pointer,
      z.record(z.string().min(1).max(256), pointer).refine((keys) => Object.keys(keys).length <= MAX_KEYS, `at most ${MAX_KEYS} keys`),
    ])
    .optional(),
  /** From the whole event if the item says nothing. */
  deleted: exact({ pointer, equals: z.union([scalar, z.array(scalar).min(1).max(20)]).optional() }).optional(),
})

export type Mapping = Immutable<z.output<typeof mappingSchema>>

const secret = z.string().min(1).max(256)

export const hookSchema = exact({
  preset,
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
export const eventContentSchema = exact({
  upserts: z
    .array(
      documentSchema
        .extend({ id: idSchema, text: textSchema.optional(), title: titleSchema.nullish(), url: urlSchema.nullish(), ...fileFields })
        .superRefine(hasOneContent),
    )
    .max(MAX_BATCH),
  deletes: z.array(idSchema).max(MAX_BATCH),
})

export const hook = z.object({
  hook: z.string(),
  url: z.string().describe('Where senders post to.'),
  preset,
  mapping: mappingSchema.nullable(),
  access: z.array(z.string()).describe('Labels given to the documents it brings.'),
  created_at: z.string(),
})

export const shownHook = hook.extend({ secret: z.string().describe('Shown once.') })
export const eventReceived = z
  .object({ job: z.string().optional(), status: z.enum(['duplicate', 'unchanged', 'ignored']).optional() })
  .loose()

export type EventReceived = Immutable<z.output<typeof eventReceived>>
export type NewHook = Immutable<z.input<typeof hookSchema>>
export type Hook = Immutable<z.output<typeof hook>>
export type MadeHook = Immutable<z.output<typeof shownHook>>
