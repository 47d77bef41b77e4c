/**
 * A client of our own API inside the Worker, with the caller's key and address: interfaces for other protocols go through the same
 * API as everybody, so that scopes, limits and checks are implemented once.
 */
import { Loam, type LoamError } from '../../client/client'
import { IDENTITY_HEADERS } from '../../identity-headers'
import { AS } from '../asker'
import type { Ctx } from '../context'
import { Problem, problemResponse } from '../problem'

const PASSED = ['authorization', 'cf-connecting-ip', AS, ...IDENTITY_HEADERS]

/** `confined`: limits it to one corpus, so that no request can be about another, whatever a tool was told. */
export function insideClient(c: Ctx, confined?: string): Loam {
  const passed = PASSED.flatMap((name) => {
    const value = c.req.header(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const headers = { ...Object.fromEntries(passed), 'x-request-id': c.get('requestId') }
  const inside = c.get('inside')
  const fetch = async (request: Request): Promise<Response> =>
    confined === undefined || isAbout(request, confined) ? inside(request) : problemResponse(outside(confined), c.get('requestId'))
  return new Loam({ url: new URL(c.req.url).origin, headers, fetch, retries: 0 })
}

function isAbout(request: Request, corpus: string): boolean {
  const { pathname } = new URL(request.url)
  return `${pathname}/`.startsWith(`/v1/corpora/${corpus}/`) || pathname.startsWith(`/v1/corpora/${corpus}:`)
}

const outside = (corpus: string): Problem => new Problem('corpus_not_found', `This connection is limited to the corpus ${corpus}.`)

/** Compared by name: an error of the client may come from another copy of this module. */
export function isLoamError(error: unknown): error is LoamError {
  return error instanceof Error && error.name === 'LoamError'
}
