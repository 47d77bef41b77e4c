/**
 * What an isolate counts, and its reports to the object that adds them up: at most one every ten seconds, alongside the responses. What an
 * isolate has not reported when it ends is lost; so is a report that fails, so that nothing is counted twice.
 */
import type { Labels, Meters, MetricsObject, Samples } from '../ports/metrics'
import { observed, seriesOf } from './series'

const EVERY = 10_000 // ms between two reports from an isolate
const MAX_SERIES = 2000 // in one report

export interface Counts {
  add(series: string, by: number): void
  /** Returns everything counted and starts again from zero. */
  take(): Samples
  readonly reportedAt: { ms: number }
}

/** One for all requests of an isolate: only numbers, nothing about a request. */
export function createCounts(): Counts {
  let samples = new Map<string, number>()
  return {
    reportedAt: { ms: 0 },
    add(series, by) {
      const known = samples.get(series)
      if (known === undefined && samples.size >= MAX_SERIES) return
      samples.set(series, (known ?? 0) + by)
    },
    take() {
      const taken = Object.fromEntries(samples)
      samples = new Map()
      return taken
    },
  }
}

export function metersOf(counts: Counts, object: () => Pick<MetricsObject, 'add'>, now: () => number): Meters {
  return {
    count: (family, labels, by = 1) => counts.add(seriesOf(family, labels), by),
    observe(family, labels, seconds) {
      for (const [series, by] of observed(family, labels, seconds)) counts.add(series, by)
    },
    async report(when) {
      if (when !== 'now' && now() - counts.reportedAt.ms < EVERY) return
      counts.reportedAt.ms = now()
      const samples = counts.take()
      if (Object.keys(samples).length === 0) return
      await object()
        .add(samples)
        .catch(() => undefined)
    },
  }
}

/** Milliseconds elapsed, in seconds. */
export const secondsOf = (ms: number): number => Math.max(0, ms) / 1000

export const noLabels: Labels = {}
