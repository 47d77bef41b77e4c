/** Where a list continues: the last id given, opaque to the caller. */
import type { Page } from '../contract/pages'
import { pageOf } from '../core/page'
import type { Ctx } from './context'
import { limit, MAX_CURSOR, type WholeNumber, type WholeNumberWithDefault } from './parameters'
import { Problem } from './problem'

export interface Place {
  /** Empty: from the beginning. */
  readonly after: string
  readonly limit: number
}

/** `declared`: the route's own `limit`, if it differs from the usual one. */
export function placeOf(c: Ctx, declared: WholeNumberWithDefault = limit): Place {
  return { after: decode(c.req.query('cursor')), limit: numberOf(c, declared) }
}

/** From one row more than requested: is there a next page? */
export function page<T>(rows: readonly T[], limit: number, idOf: (row: T) => string): Page<T> {
  return pageOf(rows, limit, (last) => encode(idOf(last)))
}

/** A page from the object, whose cursor is given to callers as opaque text. */
export function withOpaqueCursor<T>({ data, next_cursor }: Page<T>): Page<T> {
  return { data, next_cursor: next_cursor === null ? null : encode(next_cursor) }
}

export function encode(id: string): string {
  const bytes = new TextEncoder().encode(id)
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export function decode(cursor: string | undefined): string {
  if (!cursor) return ''
  try {
    if (cursor.length > MAX_CURSOR) throw new Error('too long')
    const binary = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)))
  } catch {
    throw notACursor()
  }
}

/** For a list whose rows are numbered from 0: the number after the last one returned. */
export function numberedPlaceOf(c: Ctx, declared: WholeNumberWithDefault): { readonly from: number; readonly limit: number } {
  const { after, limit } = placeOf(c, declared)
  if (!/^\d{0,9}$/.test(after)) throw notACursor()
  return { from: after === '' ? 0 : Number(after) + 1, limit }
}

export const notACursor = (): Problem =>
  new Problem('invalid', 'This cursor is not valid. Use the `next_cursor` of a page.', {
    errors: [{ path: 'cursor', message: 'not a cursor' }],
  })

/** A whole number of the query string, as it is declared. */
export function numberOf(c: Ctx, declared: WholeNumberWithDefault): number {
  return optionalNumberOf(c, declared) ?? declared.schema.default
}

/** Undefined: not given. Beyond its bounds it is the nearest. */
export function optionalNumberOf(c: Ctx, { name, schema }: WholeNumber): number | undefined {
  const text = c.req.query(name)
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!Number.isInteger(value)) {
    throw new Problem('invalid', `\`${name}\` must be a whole number.`, { errors: [{ path: name, message: 'not a whole number' }] })
  }
  return Math.min(schema.maximum ?? Number.MAX_SAFE_INTEGER, Math.max(schema.minimum, value))
}
