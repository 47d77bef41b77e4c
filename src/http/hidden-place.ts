/**
 * Where a list continues after rows that the caller may not see. A cursor is opaque but not secret, so such a place, which names a
 * row, is sealed under the deployment's master key, for this list of this corpus. After a row that the caller was shown, the cursor
 * is like that of any list.
 */
import type { Page } from '../contract/pages'
import { vault } from '../hooks/seal'
import type { Ctx } from './context'
import { decode, encode, notACursor, numberOf, type Place } from './cursor'
import { limit } from './parameters'
import { Problem } from './problem'

const MARK = '.' // in what is sealed, and in no other cursor
const EVEN = 64 // characters: the length of the sealed text says little about the length of a name

/** For a page from the object, whose cursor is the name after which it continues. */
export async function withSealedCursor<T>(c: Ctx, { data, next_cursor: next }: Page<T>, nameOf: (row: T) => string): Promise<Page<T>> {
  const last = data.at(-1)
  const isShown = next === null || (last !== undefined && nameOf(last) === next)
  return { data, next_cursor: next === null ? null : isShown ? encode(next) : await sealed(c, next) }
}

export async function sealedPlaceOf(c: Ctx): Promise<Place> {
  const cursor = c.req.query('cursor') ?? ''
  return { after: cursor.includes(MARK) ? await opened(c, cursor) : decode(cursor), limit: numberOf(c, limit) }
}

async function sealed(c: Ctx, name: string): Promise<string> {
  const text = JSON.stringify(name)
  const secret = await vaultOf(c).seal(text.padEnd(Math.ceil(text.length / EVEN) * EVEN), listOf(c))
  return secret.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

async function opened(c: Ctx, cursor: string): Promise<string> {
  try {
    return JSON.parse(await vaultOf(c).open(cursor.replaceAll('-', '+').replaceAll('_', '/'), listOf(c))) as string
  } catch {
    throw notACursor()
  }
}

const listOf = (c: Ctx): string => `place in ${c.get('operation').id} of ${c.get('corpus').uid}`

/** Without a master key, by the admin key: every deployment has one of them. */
function vaultOf(c: Ctx) {
  const { vault: own, adminKey } = c.get('world')
  const found = own ?? vault(adminKey)
  if (!found)
    throw new Problem('unavailable', 'Neither MASTER_KEY nor ADMIN_KEY is set, so this list cannot be continued.', { retryAfter: 60 })
  return found
}
