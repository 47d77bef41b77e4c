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

/** How the sender signs. */
const preset = z.enum(['standard', 'github', 'generic', 'hmac'])
export type Preset = z.output<typeof preset>
export const presetNames = preset.options

/** Where everything is in an event; it deletes if `deleted` is true, or equals (one of) these. */
export const mappingSchema = exact({
  /** Where the list of documents is; without it the event is about one. The other pointers start at its items. */
  items: pointer.optional(),
  id: pointer,
  text: pointer,
  /** A file in base64 instead of a text, and its media type. */
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

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header')
  .transform((name) => name.toLowerCase())

/** How a sender with its own way of signing signs. */
export const signatureSchema = exact({
  header: headerName.describe('The header with the signature. It may contain several, separated by commas.'),
  algorithm: z.enum(['sha256']).default('sha256'),
  encoding: z.enum(['hex', 'base64']).default('hex'),
  prefix: z.string().max(32).default('').describe('What precedes it, such as `sha256=`.'),
  signed: z
    .string()
    .max(256)
    .default('{body}')
    .describe('What is signed: `{body}` once, and `{timestamp}` if there is one, such as `v0:{timestamp}:{body}`.'),
  timestamp_header: headerName.nullish().describe('The header that says when the event was sent, in seconds or milliseconds since 1970.'),
  tolerance: z.int().min(1).max(3600).default(300).describe('By how many seconds that time may be off, in either direction.'),
  id_header: headerName.nullish().describe('The header with the id of the event. What was signed is remembered in any case.'),
}).superRefine(({ signed, timestamp_header }, context) => {
  const message = signed.split('{body}').length === 2 ? null : 'must contain `{body}` once'
  const isTimed = signed.includes('{timestamp}')
  if (message) context.addIssue({ code: 'custom', path: ['signed'], message })
  else if (timestamp_header && !isTimed)
    context.addIssue({ code: 'custom', path: ['signed'], message: 'must contain `{timestamp}`: a time that is not signed proves nothing' })
  else if (isTimed && !timestamp_header)
    context.addIssue({ code: 'custom', path: ['timestamp_header'], message: 'must name the header of `{timestamp}`' })
})

export type SignatureForm = Immutable<z.output<typeof signatureSchema>>

export const hookSchema = exact({
  preset,
  mapping: mappingSchema.nullish(),
  signature: signatureSchema.nullish().describe('For `hmac` only, which requires it.'),
  secret: secret.nullish(),
  source: idSchema
    .nullish()
    .describe(
      'For `github`: a source of this corpus. A push to the branch it follows fetches it at once; the hook itself brings no documents.',
    ),
  access: accessSchema.default([]).describe('Labels given to the documents it brings; none by default.'),
}).superRefine((sent, context) => {
  if (sent.source != null && (sent.preset !== 'github' || sent.mapping != null)) {
    const message = 'is for the preset `github`, without a mapping'
    context.addIssue({ code: 'custom', path: ['source'], message })
  }
  if ((sent.preset === 'hmac') === (sent.signature != null)) return
  const message = sent.preset === 'hmac' ? 'must say how the sender signs: `{"header": "x-signature"}`' : 'is for the preset `hmac`'
  context.addIssue({ code: 'custom', path: ['signature'], message })
})

export const rotateSchema = exact({
  secret: secret.nullish(),
  /** Seconds for which the old one stays valid. */
  overlap: z
    .int()
    .min(0)
    .max(30 * 86_400)
    .default(86_400),
})

/** The documents of an event, checked like any other batch. Systems send null and empty links for what they do not know. */
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
  url: z.string().describe('The address that senders post to.'),
  preset,
  mapping: mappingSchema.nullable(),
  signature: signatureSchema.nullable().describe('For `hmac`: how its sender signs.'),
  source: z.string().nullable().describe('The source that is fetched when its repository is pushed to.'),
  access: z.array(z.string()).describe('Labels given to the documents it brings.'),
  created_at: z.string(),
})

export const shownHook = hook.extend({ secret: z.string().describe('Shown only once.') })
export const eventReceived = z
  .object({ job: z.string().optional(), status: z.enum(['duplicate', 'unchanged', 'ignored', 'looking']).optional() })
  .loose()

export type EventReceived = Immutable<z.output<typeof eventReceived>>
export type NewHook = Immutable<z.input<typeof hookSchema>>
export type Hook = Immutable<z.output<typeof hook>>
export type MadeHook = Immutable<z.output<typeof shownHook>>
