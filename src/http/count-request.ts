/**
 * What is counted about every request, if the deployment counts: route, class of status, seconds, refusals. Nothing of what was
 * asked.
 */

import { secondsOf } from '../metrics/meters'
import type { Meters } from '../ports/metrics'
import type { Ctx } from './context'
import type { Operation } from './operation'
import type { Wired } from './wired'

const NO_ROUTE = 'none'

/** Runs after the answer has begun, and reports without delaying it. */
export function countAnswer(c: Ctx, meters: Meters, from: number): void {
  const { now, later } = c.get('world')
  const route = routeOf(c)
  meters.count('loam_http_requests_total', { route, status: `${Math.floor(c.res.status / 100)}xx` })
  meters.observe('loam_http_request_duration_seconds', { route }, secondsOf(now() - from))
  for (const cache of ['keys', 'corpora'] as const) {
    for (const [outcome, looks] of Object.entries(c.get('caches')[cache].takeLooks())) {
      if (looks > 0) meters.count('loam_cache_lookups_total', { cache, outcome }, looks)
    }
  }
  later(meters.report())
}

/** The route as the reference names it: of the paths that strangers send, only those we know. */
export function routeOf(c: Ctx): string {
  const operation: Operation | undefined = c.get('operation')
  return operation ? `${operation.method.toUpperCase()} ${operation.path}` : NO_ROUTE
}

export function countRefusal(c: Ctx, code: string): void {
  const world: Wired | undefined = c.get('world')
  world?.meters?.count('loam_refusals_total', { code })
}
