/** Fields that several shapes share. */
import { z } from 'zod'
import { isLabel, labelLimits, ordered } from '../core/access/labels'
import type { Json } from '../core/graph/types'
import { MAX_ID, MAX_TEXT } from './document-limits'
import { storable } from './storable'

export const count = z.int().min(0)
/** Which part of a corpus in several objects answered. */
export const answerers = {
  skipped_partitions: z
    .array(count)
    .optional()
    .describe('Partitions of the corpus that did not answer in time, numbered from 0. The answer contains nothing of their documents.'),
  served_by: z.string().optional().describe('For a corpus with replicas: `writer`, its own object, or `replica 1` …, which follows it.'),
  staleness: z
    .object({
      versions: count.describe('How many versions the corpus was ahead when the replica last heard from it.'),
      ms: count.describe('Milliseconds since the replica was last complete.'),
    })
    .optional()
    .describe('How old the state behind the answer may be; zero if the corpus itself answered. `min_version` requires a newer one.'),
}
export const time = z.iso.datetime()
export const json: z.ZodType<Json, Json> = z.json()
export const metadata = z.record(z.string(), json).describe('The metadata sent with the document. Questions can be filtered by it.')
export const version = count.describe('The commit counter of the corpus. Send it as `min_version` to see at least this state.')
export const share = z.number().min(0)
export const millis = z.number().describe('Milliseconds since 1970.')
const encoder = new TextEncoder()

/** At most so many bytes of UTF-8; longer is "too large", not "invalid". */
export function upTo(max: number) {
  return z
    .string()
    .refine((text) => text.length <= max && encoder.encode(text).length <= max, {
      message: `at most ${max} bytes of UTF-8`,
      params: { code: 'too_large' },
    })
    .transform(storable)
}

export const textSchema = upTo(MAX_TEXT).refine((text) => text.trim() !== '', { message: 'must not be blank' })

/** Of documents and labels. */
export const idSchema = z
  .string()
  .transform(storable)
  .refine((id) => id.length > 0 && encoder.encode(id).length <= MAX_ID, { message: `an id is 1 to ${MAX_ID} bytes` })

const labelSchema = z
  .string()
  .refine(isLabel, { message: `1 to ${labelLimits.length} characters, without commas, control characters or spaces at either end` })

/** Labels of a document, sorted and without duplicates. */
export const accessSchema = z.array(labelSchema).max(labelLimits.perDocument).transform(ordered)
export const principalsSchema = z.array(labelSchema).max(labelLimits.perAsker).transform(ordered)
export const corpusNameSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a corpus name has up to 63 characters of a-z, 0-9 and -')

/** A page that shows the link must not run it, nor open a program or a file with it. */
const LINKED: ReadonlySet<string> = new Set(['http:', 'https:'])
const UNSEEN = /\p{Cc}/u // a parser ignores tabs and line breaks: what is read there is not what runs
export const urlSchema = z
  .string()
  .max(2048)
  .refine((url) => !UNSEEN.test(url) && LINKED.has(URL.parse(url)?.protocol ?? ''), { message: 'must be an absolute http or https URL' })

/** Of a question: the reader is to answer it. */
export const byReader = z
  .literal('extractive')
  .optional()
  .describe('Answer with sentences of the evidence, even if there is a text model: it does not write the answer, and is not paid for it.')
