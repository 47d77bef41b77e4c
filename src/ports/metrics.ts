/** Numbers for Prometheus. A series is named as Prometheus writes it: `loam_refusals_total{code="invalid"}`. */

/** The amount added to each series. */
export interface Samples {
  readonly [series: string]: number
}

/** The object that sums what isolates count: one for the deployment (durable-objects/metrics.ts). */
export interface MetricsObject {
  add(samples: Samples): Promise<void>
  /** All series, and since when they have counted (milliseconds since the epoch). */
  read(): Promise<{ readonly since: number; readonly samples: Samples }>
}

/** What an isolate counts with. Never rejects, and never waits. */
export interface Meters {
  /** Adds one, or `by`, to a family (src/metrics/families.ts). */
  count(family: string, labels: Labels, by?: number): void
  /** Records a duration, in seconds, in a histogram family. */
  observe(family: string, labels: Labels, seconds: number): void
  /** Reports what was counted if the last report is old enough; with `now`, in any case. */
  report(when?: 'now'): Promise<void>
}

export interface Labels {
  readonly [name: string]: string
}
