/** Probes: pinned questions, each with the documents that must answer it. */
import type { Probe } from '../../../src/client/client'

export const MOST_PROBES = 50

export const isSameProbe = (a: Pick<Probe, 'query' | 'expect'>, b: Pick<Probe, 'query' | 'expect'>): boolean =>
  JSON.stringify([a.query, a.expect]) === JSON.stringify([b.query, b.expect])
