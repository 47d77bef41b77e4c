/** Spans of one request, for OpenTelemetry. Attributes are our own names, counts and codes: no text, unless the deployment asks for texts. */

export interface Attributes {
  readonly [name: string]: string | number | boolean
}

/** internal · server: an incoming request · client: an outgoing call */
export type SpanKind = 'internal' | 'server' | 'client'

export interface Span {
  set(attributes: Attributes): void
}

/** For one traced request. */
export interface Tracer {
  /** May attributes contain questions and answers? */
  readonly withTexts: boolean
  /** A span around the work, under that of the request. Rejects if the work does, and records it. */
  span<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T>
  /** A request made through another of our interfaces: a span under this one, with its own spans under it. */
  inner(): Tracer
  /** A part of the work that makes its own calls: their spans are under it, by `tracer`. `fault`: how it failed, if it did. */
  open(name: string, attributes: Attributes): { readonly tracer: Tracer; end(fault?: unknown): void }
  /** Further attributes of the request itself. */
  note(attributes: Attributes): void
  /** The request is answered. Work that continues after the response is under it too. */
  end(name: string, attributes: Attributes): void
}

export interface Tracing {
  /** Undefined: this request is not traced. */
  begin(headers: Headers): Tracer | undefined
  /**
   * Sends ended spans, after a moment in which others may join them; what the collector does not accept is dropped and counted. Never
   * rejects.
   */
  flush(): Promise<void>
}
