/**
 * What is known of a candidate, added up: one fixed sum for every corpus, with vectors or without. The weights are fitted by `npm run bench
 * quality/fit` on development sets; docs/auto.md has what each is worth. How far the sum is trusted depends on the question. Pure.
 */
import { FEATURES, type FeatureName, type Features } from './pool'

/** As log-odds. */
export const scorer: { readonly [name in FeatureName]: number } = {
  vector: 1.2,
  path: 1.2,
  named: 2.2,
  links: 1.7,
  entities: 2.8,
  out: 0.8,
  back: -2.3,
  pair: 3.5,
  shared: 1.8,
  sharedGain: 4.9,
}

const REACHED = 0.3 // of a full link from the best head: beyond it the sum is fully trusted. From .1 to .5 multi-hop sets move by .2 points

export function scoreOf(features: Features, weights: typeof scorer = scorer): number {
  return FEATURES.reduce((sum, name) => sum + weights[name] * features[name], 0)
}

/**
 * 0 to 1: is there a passage that is reached by name? Where the question names no document, and no text that it finds names another, what is known
 * of the graph says nothing of the question, however rare the words that two passages share.
 */
export function trustIn(pool: readonly { readonly features: Features }[]): number {
  const reached = pool.reduce((most, { features }) => Math.max(most, features.named, features.out), 0)
  return Math.min(1, reached / REACHED)
}
