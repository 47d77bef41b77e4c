/** Numbers for Prometheus. A series is written as Prometheus writes it: `loam_refusals_total{code="invalid"}`. */

/** What is added to each series. */
export interface Samples {
  readonly [series: string]: number
}

/** The object that adds up what isolates count: one for the deployment (durable-objects/metrics.ts). */
export interface MetricsObject {
  add(samples: Samples): Promise<void>
  /** All series, and since when they count (milliseconds since the epoch). */
  read(): Promise<{ readonly since: number; readonly samples: Samples }>
}

/** What an isolate counts with. Never rejects, and waits for nothing. */
export interface Meters {
  /** One more of a family (src/metrics/families.ts), or `by`. */
  count(family: string, labels: Labels, by?: number): void
  /** A duration, in seconds, of a family that is a histogram. */
  observe(family: string, labels: Labels, seconds: number): void
  /** Reports what was counted, if the last report is old enough; `now`: in any case. */
  report(when?: 'now'): Promise<void>
}

export interface Labels {
  readonly [name: string]: string
}
