/** Shapes that several bodies share. Lone surrogates and NUL cannot be stored as they are: each becomes one U+FFFD, so offsets hold. */
import { z } from 'zod'
import { isLabel, labelLimits, ordered } from '../../core/access/labels'
import type { Json } from '../../ports'

export const MOST_TEXT = 1024 * 1024 // bytes of UTF-8
const MOST_METADATA = 16 * 1024 // bytes of JSON: it is kept in several places and filtered by
const DEEPEST_METADATA = 8
const encoder = new TextEncoder()

const LONE = /\p{Surrogate}/gu // with the u flag a pair is one character, so only the lone ones match

export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').replace(LONE, '\uFFFD')
}

/** At most so many bytes of UTF-8; longer is "too large", not "invalid". */
export function upTo(most: number) {
  return z
    .string()
    .refine((text) => text.length <= most && encoder.encode(text).length <= most, {
      message: `at most ${most} bytes of UTF-8`,
      params: { code: 'too_large' },
    })
    .transform(storable)
}

export const textSchema = upTo(MOST_TEXT).refine((text) => text.trim() !== '', { message: 'must not be blank' })

/** Of documents and labels. */
export const idSchema = z
  .string()
  .transform(storable)
  .refine((id) => id.length > 0 && encoder.encode(id).length <= 256, { message: 'an id is 1 to 256 bytes' })

const labelSchema = z
  .string()
  .refine(isLabel, { message: `1 to ${labelLimits.length} characters, without commas, control characters and outer blanks` })

/** Labels of a document, sorted and each once. */
export const accessSchema = z.array(labelSchema).max(labelLimits.perDocument).transform(ordered)
export const principalsSchema = z.array(labelSchema).max(labelLimits.perAsker).transform(ordered)

export const corpusNameSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a corpus is named by up to 63 of a-z, 0-9 and -')

export const jsonSchema: z.ZodType<Json> = z.lazy(() =>
  z.union([z.string().transform(storable), z.number(), z.boolean(), z.null(), z.array(jsonSchema), z.record(z.string(), jsonSchema)]),
)

export const objectSchema = z
  .record(z.string().max(256), jsonSchema)
  .refine((value) => depthOf(value) <= DEEPEST_METADATA, { message: `at most ${DEEPEST_METADATA} levels deep` })
  .refine((value) => encoder.encode(JSON.stringify(value)).length <= MOST_METADATA, { message: `at most ${MOST_METADATA} bytes of JSON` })

function depthOf(value: Json): number {
  if (value === null || typeof value !== 'object') return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

const RUNS = /^(javascript|data|vbscript):/i // a page that shows the link must not run it

export const urlSchema = z
  .string()
  .max(2048)
  .refine((url) => URL.canParse(url) && !RUNS.test(url.trim()), { message: 'an absolute URL' })
