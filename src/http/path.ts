/** Parts of the path by the names the declaration gives them. */
import type { Ctx } from './context'
import { Problem } from './problem'

const MAX_ID = 256 // bytes of UTF-8
const encoder = new TextEncoder()

/** An id of ours, without the action that may follow it: `j_1` of `/v1/corpora/x/jobs/j_1:cancel`. */
export function nameOf(c: Ctx, parameter: string): string {
  return (c.req.param(parameter) ?? '').split(':')[0] ?? ''
}

/**
 * An id chosen by the caller, from the path as it was sent: Hono decodes some parts twice, and it may hold any character. `a/b` of
 * `/v1/corpora/x/documents/a%2Fb`. Without the action after it.
 */
export function idOf(c: Ctx, parameter: string): string {
  const pieces = c.get('operation').path.split('/')
  const place = pieces.findIndex((piece) => piece.startsWith(`{${parameter}}`))
  const action = pieces[place]?.slice(parameter.length + 2) ?? ''
  const sent = decodeId(new URL(c.req.url).pathname.split('/')[place] ?? '')
  const id = action !== '' && sent.endsWith(action) ? sent.slice(0, -action.length) : sent
  const length = encoder.encode(id).length
  if (length < 1 || length > MAX_ID) throw badId()
  return id
}

function decodeId(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    throw badId()
  }
}

function badId(): Problem {
  return new Problem('invalid', 'An id is 1 to 256 bytes, percent-encoded UTF-8.', { errors: [{ path: 'id', message: 'not an id' }] })
}
