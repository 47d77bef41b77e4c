/** How far each channel is trusted on this corpus: measured by `calibration`, kept as a builder's value; before that a safe guess. */
import type { GraphReader } from '../../graph/reader'
import type { Json } from '../../graph/types'
import { HYBRID_WEIGHT } from '../baselines/hybrid'

export interface Weights {
  /** wD: vectors beside keywords. */
  readonly dense: number
  /** wP: paths of Q-Iter beside keywords. */
  readonly paths: number
  /** λ: share of the final score that comes from walking the links. */
  readonly links: number
}

/** Weights by whether the question says a document's name: if it does, links lead somewhere; if not, they lead from whatever the words found. */
export interface ByName<T> {
  readonly named: T
  readonly unnamed: T
}

/**
 * Until the channels have been measured, and under 64 passages, where they cannot be: as in `hybrid`, with the graph walked only if the question
 * says a document's name. On six development sets that is never below `hybrid`; walking always is 22 points below it on whole web pages, walking
 * never 17 points below walking always on encyclopaedic ones (docs/auto.md).
 */
export const defaultWeights: ByName<Weights> = {
  named: { dense: HYBRID_WEIGHT, paths: 1, links: 1 },
  unnamed: { dense: HYBRID_WEIGHT, paths: 0.3, links: 0 },
}

export const SPACE = 'auto'
export const CALIBRATION = 'calibration'

export interface Calibration extends ByName<Weights> {
  /** Passages in the corpus when measuring began. */
  readonly passages: number
  readonly models: string
  readonly probes: number
}

/** Weights that an earlier release measured without regard to names are ignored, and measured again. */
export function calibrationOf(graph: GraphReader): Calibration | undefined {
  const value = graph.value(SPACE, CALIBRATION)
  if (!value || value instanceof Uint8Array || typeof value !== 'object' || Array.isArray(value) || !('unnamed' in value)) return undefined
  return value as unknown as Calibration
}

export function calibrationJson(calibration: Calibration): Json {
  return { ...calibration, named: { ...calibration.named }, unnamed: { ...calibration.unnamed } }
}

/** The caller's options take precedence over what was measured, and that over the guess. `isNamed`: the question says a document's name. */
export function weightsOf(graph: GraphReader, own: { readonly [key: string]: Json }, isNamed: boolean): Weights {
  const measured = (calibrationOf(graph) ?? defaultWeights)[isNamed ? 'named' : 'unnamed']
  const pick = (name: keyof Weights): number => (typeof own[name] === 'number' ? own[name] : measured[name])
  return { dense: pick('dense'), paths: pick('paths'), links: pick('links') }
}
