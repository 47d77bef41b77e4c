/** Parts of the path as they were sent: Hono decodes some of them twice, and an id may hold any character. */
import type { Ctx } from './context'
import { Problem } from './problem'

const LONGEST_ID = 256 // bytes of UTF-8
const encoder = new TextEncoder()

/** e.g. 4 of `/v1/corpora/x/documents/a%2Fb` is `a/b`. */
export function idAt(c: Ctx, place: number): string {
  const raw = new URL(c.req.url).pathname.split('/')[place + 1] ?? ''
  const id = decoded(raw)
  const length = encoder.encode(id).length
  if (length < 1 || length > LONGEST_ID) throw badId()
  return id
}

function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    throw badId()
  }
}

function badId(): Problem {
  return new Problem('invalid', 'An id is 1 to 256 bytes, percent-encoded UTF-8.', { errors: [{ path: 'id', message: 'not an id' }] })
}
