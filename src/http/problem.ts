/**
 * Every error a stranger sees: RFC 9457, with a code to branch on and the request's id. Texts here are ours: no document text, no
 * key, no upstream message is ever put into one.
 */
const CODES = {
  malformed_request: 400,
  unauthorized: 401,
  signature_invalid: 401,
  over_budget: 402,
  forbidden: 403,
  not_found: 404,
  corpus_not_found: 404,
  document_not_found: 404,
  job_not_found: 404,
  key_not_found: 404,
  hook_not_found: 404,
  endpoint_not_found: 404,
  delivery_not_found: 404,
  source_not_found: 404,
  label_not_found: 404,
  node_not_found: 404,
  conflict: 409,
  corpus_deleted: 409,
  version_not_reached: 409,
  idempotency_conflict: 409,
  idempotency_in_flight: 409,
  precondition_failed: 412,
  too_large: 413,
  corpus_full: 413,
  storage_full: 507,
  database_full: 507,
  index_full: 507,
  too_many_corpora: 507,
  no_database: 507,
  unsupported_media_type: 415,
  invalid: 422,
  malformed_json: 422,
  too_deep: 422,
  invalid_encoding: 422,
  unreadable_document: 422,
  strategy_not_enabled: 422,
  strategy_unavailable: 422,
  rate_limited: 429,
  key_limit: 429,
  internal: 500,
  unavailable: 503,
  master_key_changed: 503,
  overloaded: 503,
  behind: 503,
  model_unavailable: 503,
} as const

export type ProblemCode = keyof typeof CODES

const TITLES: { readonly [status: number]: string } = {
  400: 'Bad request',
  401: 'Unauthorized',
  402: 'Budget exceeded',
  403: 'Forbidden',
  404: 'Not found',
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
  /** Further members of the body. */
  readonly members?: { readonly [name: string]: string | number }
}

/** Thrown inside `src/http` alone, and answered by the app. */
export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly more: More = {},
  ) {
    super(code)
  }
}

export function statusOf(code: ProblemCode): number {
  return CODES[code]
}

export function problemResponse({ code, detail, more }: Pick<Problem, 'code' | 'detail' | 'more'>, requestId: string): Response {
  const status = CODES[code]
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
  if (more.retryAfter !== undefined) headers.set('retry-after', String(Math.max(1, Math.ceil(more.retryAfter))))
  return new Response(JSON.stringify(body), { status, headers })
}
