/** JSON of the caller's own choosing, as metadata holds it: bounded in bytes, depth and names before anything walks it. */

import { z } from 'zod'
import type { Json } from '../core/graph/types'
import { MAX_METADATA } from './document-limits'
import { storable } from './storable'

const MAX_DEPTH = 8
const MAX_NAME = 256 // characters
const encoder = new TextEncoder()
export type JsonObject = { readonly [name: string]: Json }
/** As a check and not as a custom zod type: a tool's arguments must have a JSON Schema. */
const anyObject = z
  .unknown()
  .refine((value) => typeof value === 'object' && value !== null && !Array.isArray(value), { error: 'must be an object', abort: true })
  .meta({ type: 'object', additionalProperties: true }) as z.ZodType<JsonObject, JsonObject>

export const objectSchema = anyObject
  .superRefine((value, context) => {
    const fault = faultOf(value)
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
  })
  .transform((value) => cleaned(value) as JsonObject)

/** The size first: whatever fits can be walked quickly. */
function faultOf(value: object): string | undefined {
  // An escape of six characters is kept as one of three bytes; anything else is no shorter in bytes than in UTF-16 units.
  const isLonger = JSON.stringify(value).length > 2 * MAX_METADATA
  if (isLonger || encoder.encode(JSON.stringify(cleaned(value as Json))).length > MAX_METADATA)
    return `at most ${MAX_METADATA} bytes of JSON`
  if (depthOf(value) > MAX_DEPTH) return `at most ${MAX_DEPTH} levels deep`
  if (namesIn(value).some((name) => name.length > MAX_NAME)) return `names have at most ${MAX_NAME} characters`
  // An object whose prototype the caller chose must not be kept.
  return namesIn(value).includes('__proto__') ? 'the name __proto__ is not allowed' : undefined
}

function depthOf(value: unknown): number {
  return typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce((max: number, one) => Math.max(max, depthOf(one)), 0)
    : 0
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) ? [] : Object.keys(value)
  return [...own, ...Object.values(value).flatMap(namesIn)]
}

function cleaned(value: Json): Json {
  if (typeof value === 'string') return storable(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [storable(name), cleaned(one)]))
}
