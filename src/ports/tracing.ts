/** Spans of one request, for OpenTelemetry. Attributes are names, counts and codes of ours: no text, unless the deployment asks for texts. */

export interface Attributes {
  readonly [name: string]: string | number | boolean
}

/** internal · server: a request that came in · client: a call that went out */
export type SpanKind = 'internal' | 'server' | 'client'

export interface Span {
  set(attributes: Attributes): void
}

/** Of one request that is traced. */
export interface Tracer {
  /** May questions and answers stand in attributes? */
  readonly withTexts: boolean
  /** A span around the work, under that of the request. Rejects as the work does, and says so. */
  span<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T>
  /** A request made by another of our doors: a span under this one's, whose own are under it. */
  inner(): Tracer
  /** A part of the work that makes calls of its own: they are under it, by `tracer`. `fault`: what it ended with, if it failed. */
  open(name: string, attributes: Attributes): { readonly tracer: Tracer; end(fault?: unknown): void }
  /** More of the request itself. */
  note(attributes: Attributes): void
  /** The request is answered. What it still does beside the answer is under it, too. */
  end(name: string, attributes: Attributes): void
}

export interface Tracing {
  /** Undefined: this request is not one that is traced. */
  begin(headers: Headers): Tracer | undefined
  /** Sends what has ended, after a moment in which others may join it; what the collector does not take is dropped and counted. Never rejects. */
  flush(): Promise<void>
}
