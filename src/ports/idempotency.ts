/** Responses given before. */
export interface Answered {
  readonly body: string
  /** Null while the first request is still in flight. */
  readonly status: number | null
  readonly response: string | null
}

/** Responses to requests that carried an Idempotency-Key. Ids and contents are opaque here. */
export interface Answers {
  /** Reserves the id, or returns what is already stored under it. */
  begin(id: string, body: string, now: number, expires: number): Promise<Answered | 'begun'>
  finish(id: string, status: number, response: string, expires: number): Promise<void>
  /** The request changed nothing: it may be tried again. */
  release(id: string): Promise<void>
  /** Deletes what has expired. */
  sweep(now: number): Promise<void>
}
