/** Everything that can go wrong with a call, as one class. Branch on `code`; `message` is for people. */

export interface Fault {
  readonly path: string
  readonly message: string
}

export interface FailedCall {
  /** Where Loam was looked for. */
  readonly service: string
  /** Without its query. */
  readonly path: string
}

export class LoamError extends Error {
  override readonly name = 'LoamError'

  constructor(
    /**
     * e.g. `document_not_found`; `unreachable` if no answer came, `broken_off` if it did not end, `not_loam` if it is not from Loam; `timeout` if waiting
     * ended.
     */
    readonly code: string,
    message: string,
    readonly more: {
      readonly status?: number
      readonly requestId?: string
      /** Seconds after which to come back. */
      readonly retryAfter?: number
      /** What is wrong with the request, all of it. */
      readonly errors?: readonly Fault[]
      /** The call that failed. */
      readonly call?: FailedCall
      readonly cause?: unknown
    } = {},
  ) {
    super(message, more.cause === undefined ? {} : { cause: more.cause })
  }

  get status(): number | undefined {
    return this.more.status
  }
}

/** From an answer that reports a failure (RFC 9457). */
export async function errorOf(response: Response, call?: FailedCall): Promise<LoamError> {
  const body = ((await response.json().catch(() => null)) ?? {}) as { readonly [name: string]: unknown } // of whoever answers there
  const word = (name: string): string | undefined => (typeof body[name] === 'string' ? body[name] : undefined)
  const requestId = word('request_id') ?? response.headers.get('x-request-id')
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new LoamError(word('code') ?? 'unknown', word('detail') ?? `HTTP ${response.status}`, {
    status: response.status,
    ...(requestId ? { requestId } : {}),
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
    ...(Array.isArray(body.errors) ? { errors: body.errors as readonly Fault[] } : {}),
    ...(call ? { call } : {}),
  })
}
