/**
 * Bodies: never larger or deeper than allowed, parsed once by a schema, with all errors reported. Nothing is parsed before its size
 * is known.
 */
import type { z } from 'zod'
import { bytesUpTo } from '../bytes-up-to'
import { comingIn } from './coming-in'
import type { Ctx } from './context'
import { Problem } from './problem'
import { faultsOf } from './schema-faults'

export const KIB = 1024
export const MIB = 1024 * KIB
export const JSON_LIMIT = 2 * MIB // a text of 1 MiB and its escapes
export const MAX_DEPTH = 40 // levels of nesting; metadata itself is held to fewer by its schema
const MAX_FAULTS = 100 // reported at once

/** The body as it came, at most `limit` bytes. Read once; a repeat gets the same bytes. */
export async function readBytes(c: Ctx, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const known = c.get('bytes')
  if (known && known.length <= limit) return known
  if (known) throw tooLarge(limit)
  if (lengthOf(c) > limit) throw tooLarge(limit)
  const { body } = c.req.raw
  const turn = c.get('isInside') ? undefined : c.get('turn') // what another of our interfaces sends does not arrive slowly
  const bytes = await bytesUpTo(body && turn ? comingIn(body, turn) : body, limit, lengthOf(c))
  if (!bytes) throw tooLarge(limit)
  c.set('bytes', bytes)
  return bytes
}

/**
 * By the body's declared length, before any of it is kept. Up to `most` bytes are read and dropped: an answer before their end may
 * not reach a sender that is still sending.
 */
export async function requireLength(c: Ctx, limit: number, most: number): Promise<void> {
  const length = lengthOf(c)
  if (length <= limit) return
  const reader = length <= most ? c.req.raw.body?.getReader() : undefined
  for (let isDone = !reader; !isDone; ) isDone = (await reader?.read().catch(() => undefined))?.done ?? true
  throw tooLarge(limit)
}

/** 0: it does not say. */
export function lengthOf(c: Ctx): number {
  const length = Number(c.req.header('content-length') ?? 0)
  return Number.isInteger(length) && length > 0 ? length : 0
}

function tooLarge(limit: number): Problem {
  return new Problem('too_large', `The body may hold at most ${limit} bytes.`)
}

/** `text/html; charset=utf-8` → `text/html`; empty where none is named. */
export function mediaType(c: Ctx): string {
  return (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

/** JSON that fits the schema; an empty body is an empty object. */
export async function readJson<T extends z.ZodType>(c: Ctx, schema: T, limit = JSON_LIMIT): Promise<z.output<T>> {
  const type = mediaType(c)
  const bytes = await readBytes(c, limit)
  if (type !== '' && type !== 'application/json' && !type.endsWith('+json')) {
    throw new Problem('unsupported_media_type', 'Send `application/json`.')
  }
  return parseWith(schema, parseJson(bytes))
}

export function parseWith<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { issues } = result.error
  const errors = issues.slice(0, MAX_FAULTS).flatMap(faultsOf).slice(0, MAX_FAULTS)
  const large = issues.some((issue) => issue.code === 'custom' && issue.params?.code === 'too_large')
  throw new Problem(large ? 'too_large' : 'invalid', 'The request is not valid; see `errors`.', { errors })
}

/** JSON of any shape; nothing sent is an empty object. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = utf8(bytes)
  if (text.trim() === '') return {}
  if (isDeeperThan(text, MAX_DEPTH)) throw new Problem('too_deep', `JSON may be nested at most ${MAX_DEPTH} levels deep.`)
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('malformed_json', 'The body is not JSON.')
  }
}

export function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new Problem('invalid_encoding', 'The body is not UTF-8.')
  }
}

/** Counts brackets outside strings, before any parser sees the text. */
export function isDeeperThan(text: string, max: number): boolean {
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (quoted) {
      if (code === 0x5c) i++
      else if (code === 0x22) quoted = false
    } else if (code === 0x22) quoted = true
    else if (code === 0x5b || code === 0x7b) {
      depth++
      if (depth > max) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}
