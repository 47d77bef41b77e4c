/** How far each channel is trusted on this corpus: measured by `calibrate`, kept as a builder's value, a safe guess before that. */
import type { GraphReader } from '../../graph/reader'
import type { Json } from '../../graph/types'

export interface Weights {
  /** wD: vectors beside keywords. */
  readonly dense: number
  /** wP: paths of Q-Iter beside keywords. */
  readonly paths: number
  /** λ: share of the final score that comes from walking the links. */
  readonly links: number
}

/** Under 64 passages nothing can be measured: vectors a little, the graph in full, since single-hop probes could only refute it anyway. */
export const unmeasured: Weights = { dense: 0.3, paths: 0.5, links: 1 }

export const SPACE = 'auto'
export const CALIBRATION = 'calibration'

export interface Calibration extends Weights {
  readonly passages: number
  readonly models: string
  readonly probes: number
}

export function calibrationOf(graph: GraphReader): Calibration | undefined {
  const value = graph.value(SPACE, CALIBRATION)
  if (!value || value instanceof Uint8Array || typeof value !== 'object' || Array.isArray(value)) return undefined
  return value as unknown as Calibration
}

/** Options of the caller over what was measured over the guess. */
export function weightsOf(graph: GraphReader, own: { readonly [key: string]: Json }): Weights {
  const measured = calibrationOf(graph) ?? unmeasured
  const pick = (name: keyof Weights): number => (typeof own[name] === 'number' ? own[name] : measured[name])
  return { dense: pick('dense'), paths: pick('paths'), links: pick('links') }
}
