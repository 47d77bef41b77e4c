/** Spans on their way from this isolate to the collector that the configuration names. */
import type { Meters } from '../ports/metrics'
import type { Tracing } from '../ports/tracing'
import { createBuffer } from '../tracing/buffer'
import { type TracingVars, tracingConfig } from '../tracing/config'
import { tracing } from '../tracing/tracing'

const buffer = createBuffer() // of this isolate

/** Null: no collector is configured, and nothing is traced. */
export function tracingFrom(env: TracingVars, meters: Meters | null, version: string): Tracing | null {
  const config = env.OTLP_ENDPOINT ? tracingConfig(env) : undefined
  if (!config) return null
  return tracing({
    ...config,
    buffer,
    resource: {
      'service.name': 'loam',
      'service.version': version,
      'cloud.provider': 'cloudflare',
      'cloud.platform': 'cloudflare.workers',
    },
    now: () => Date.now(),
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    fetch: (url, init) => fetch(url, init),
    counted(exported, dropped) {
      if (exported > 0) meters?.count('loam_spans_total', { outcome: 'exported' }, exported)
      if (dropped > 0) meters?.count('loam_spans_total', { outcome: 'dropped' }, dropped)
    },
  })
}
