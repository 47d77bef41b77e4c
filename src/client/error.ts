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
    /** e.g. `document_not_found`; `unreachable` where no answer came; `timeout` where waiting ended. */
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
  const body = (await response.json().catch(() => ({}))) as {
    readonly code?: string
    readonly detail?: string
    readonly request_id?: string
    readonly errors?: readonly Fault[]
  }
  const requestId = body.request_id ?? response.headers.get('x-request-id')
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new LoamError(body.code ?? 'unknown', body.detail ?? `HTTP ${response.status}`, {
    status: response.status,
    ...(requestId ? { requestId } : {}),
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
    ...(body.errors ? { errors: body.errors } : {}),
    ...(call ? { call } : {}),
  })
}
