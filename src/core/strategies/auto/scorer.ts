/**
 * What is known of a candidate, added up: one fixed sum for every corpus, with vectors or without (they have already had their say in choosing the
 * candidates). The weights are fitted by `npm run bench quality/fit` on development sets; docs/auto.md says what each is worth. How far the sum is
 * trusted depends on the question. Pure.
 */
import { FEATURES, type FeatureName, type Features } from './pool'

/** In log-odds. */
export const scorer: { readonly [name in FeatureName]: number } = {
  path: 1.3,
  named: 2.3,
  links: 2.2,
  entities: 2.9,
  out: 0.8,
  back: -2.2,
  pair: 3.2,
  shared: 1.6,
  sharedGain: 4.7,
}

const REACHED = 0.3 // of a full link from the best head: beyond it the sum is fully trusted. From .1 to .5, results on multi-hop sets move by .2 points

export function scoreOf(features: Features, weights: typeof scorer = scorer): number {
  return FEATURES.reduce((sum, name) => sum + weights[name] * features[name], 0)
}

/**
 * 0 to 1: is a passage reached by name, and how strongly? If the question names no document, and no text that it finds names another, the graph
 * tells nothing about the question, however rare the words that two passages share.
 */
export function trustIn(reached: number): number {
  return Math.min(1, reached / REACHED)
}
