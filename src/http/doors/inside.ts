/**
 * A client of our own API inside the Worker, with the caller's key and address: the doors for other protocols go through the same one as
 * everybody, so that scopes, limits and checks are made once.
 */
import { Loam, type LoamError } from '../../client/client'
import type { Ctx } from '../context'

const PASSED = ['authorization', 'cf-connecting-ip']

export function insider(c: Ctx): Loam {
  const passed = PASSED.flatMap((name) => {
    const value = c.req.header(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const headers = { ...Object.fromEntries(passed), 'x-request-id': c.get('requestId') }
  return new Loam({ url: new URL(c.req.url).origin, headers, fetch: c.get('inside'), retries: 0 })
}

/** By name: an error of the client may have been made in another copy of this module. */
export function isLoamError(error: unknown): error is LoamError {
  return error instanceof Error && error.name === 'LoamError'
}
