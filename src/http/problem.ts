/**
 * Every error that a caller sees: RFC 9457, with a code to branch on and the request's id. Texts here are our own: they never contain
 * document text, keys or upstream messages.
 */
import { type ProblemCode, problemStatuses } from '../contract/problem'

const TITLES: { readonly [status: number]: string } = {
  400: 'Bad request',
  401: 'Unauthorized',
  402: 'Budget exceeded',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  412: 'Precondition failed',
  413: 'Content too large',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  429: 'Too many requests',
  500: 'Internal server error',
  503: 'Service unavailable',
  507: 'Insufficient storage',
}

export interface Fault {
  /** Where in the body, e.g. `settings.erarag.max`. */
  readonly path: string
  readonly message: string
}

interface More {
  readonly errors?: readonly Fault[]
  /** Seconds. */
  readonly retryAfter?: number
  /** Methods that a path takes. */
  readonly allow?: readonly string[]
  /** Further members of the body. */
  readonly members?: { readonly [name: string]: string | number }
}

/** Thrown only inside `src/http`, and answered by the app. */
export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly more: More = {},
  ) {
    super(code)
  }
}

/** Things that may not exist, as people call them. */
const THINGS = {
  corpus: 'corpus',
  document: 'document',
  chunk: 'chunk of this document',
  job: 'job',
  key: 'key',
  hook: 'webhook',
  endpoint: 'endpoint',
  delivery: 'delivery',
  source: 'source',
  label: 'label or learned text',
  node: 'node',
  filter: 'saved filter',
  decision: 'decision',
  question: 'question in the log',
  conversation: 'conversation of yours',
} as const

/** `called`: if it has another name than usual. */
export function notFound(thing: keyof typeof THINGS, called: string = THINGS[thing]): Problem {
  return new Problem(`${thing}_not_found`, `There is no such ${called}.`)
}

export function statusOf(code: ProblemCode): number {
  return problemStatuses[code]
}

export function problemResponse({ code, detail, more }: Pick<Problem, 'code' | 'detail' | 'more'>, requestId: string): Response {
  const status = problemStatuses[code]
  const body = {
    type: 'about:blank',
    title: TITLES[status],
    status,
    code,
    detail,
    request_id: requestId,
    ...more.members,
    ...(more.errors ? { errors: more.errors } : {}),
  }
  const headers = new Headers({ 'content-type': 'application/problem+json', 'x-request-id': requestId, 'cache-control': 'no-store' })
  if (status === 401) headers.set('www-authenticate', 'Bearer')
  if (more.allow) headers.set('allow', more.allow.join(', '))
  if (more.retryAfter !== undefined) headers.set('retry-after', String(Math.max(1, Math.ceil(more.retryAfter))))
  return new Response(JSON.stringify(body), { status, headers })
}
