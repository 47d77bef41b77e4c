/**
 * How much to believe each kind of evidence on these labels: measured on the labelled texts themselves, each left out in turn and asked for its
 * label. Pulled towards the plain classifiers in equal parts, with little for graph and names until examples speak for them; the result is also the
 * scale on which the sum of evidence is a probability. The same texts say how far scores deviate by chance, and how many candidates keep the right
 * label. Computed once for each state of the labelled texts; learning does not change it.
 */
import { softmax, softmaxFit } from '../../algorithms/softmax-fit'
import { type ByKind, type Evidence, evidenceFor, KINDS, type Kind, standardised, usualDeviations } from './evidence'
import { massFor } from './gate'
import type { GoragIndex, Labelled } from './index'
import { isPhrase } from './keywords'
import { exampleSample } from './sample'
import type { GoragSettings } from './settings'
import { viewOf } from './view'

export type Belief = ByKind

export const fitLimits = {
  /** Weights of standardised scores before any label has spoken. A short text shares few words with others, so its embedding says more about it. */
  start: {
    short: { terms: 0.4, parts: 0.4, embedding: 1.5, keywords: 0.05, names: 0.02 } satisfies Belief,
    long: { terms: 0.7, parts: 0.4, embedding: 0.6, keywords: 0.05, names: 0.02 } satisfies Belief,
  },
  /** Number of different words up to which a text is short; a text of n words is short by this divided by n. */
  short: 12,
  /** How far each weight may move at the cost of `pull`. */
  spread: { terms: 1, parts: 1, embedding: 1, keywords: 0.3, names: 0.3 } satisfies Belief,
  /** How many labelled texts it takes to move a weight that far. */
  pull: 10,
  /**
   * A label that has lost one of its n texts is not the label that will be asked for, so a trial counts (1 − 1/n) to this power: next to nothing
   * with two texts.
   */
  loss: 8,
} as const

export interface Fit {
  readonly belief: Belief
  /** The probability that a text's candidates hold together. */
  readonly mass: number
  /** How far scores deviate with a label that is not the text's. */
  readonly usual: ByKind
}

const fits = new WeakMap<Labelled, { readonly settings: string; readonly vectors: GoragIndex['vectors']; readonly fit: Fit }>()

export function fitOf(index: GoragIndex, settings: GoragSettings): Fit {
  const written = JSON.stringify(settings)
  const known = fits.get(index.labelled)
  if (known?.settings === written && known.vectors === index.vectors) return known.fit
  const fit = measure(index, settings)
  fits.set(index.labelled, { settings: written, vectors: index.vectors, fit })
  return fit
}

interface Measured {
  readonly right: number
  readonly evidence: Evidence
  /** How many examples its label has. */
  readonly examples: number
}

function measure(index: GoragIndex, settings: GoragSettings): Fit {
  const labels = viewOf(index, settings, 0).labelled.labels.length
  const measured = measuredTexts(index, settings)
  const usual = usualDeviations(measured)
  const trials = measured
    .filter(({ examples }) => examples > 1)
    .map(({ right, evidence, examples }) => ({
      right,
      features: standardised(evidence, usual),
      weight: (1 - 1 / examples) ** fitLimits.loss,
    }))
  const start = startOf(index)
  const [weights, spread] = [start, fitLimits.spread].map((of) => KINDS.map((kind) => of[kind]))
  const fitted = softmaxFit(trials, { weights: weights ?? [], spread: spread ?? [], strength: fitLimits.pull })
  const belief = Object.fromEntries(KINDS.map((kind, k) => [kind, fitted[k] ?? 0])) as Record<keyof Belief, number>
  const guesses = trials.map(({ right, features }) => ({ right, probabilities: softmax(features, fitted, labels) }))
  return { belief, mass: massFor(guesses, settings), usual }
}

/** Each text left out in turn; measured on labelled texts alone. */
function measuredTexts(index: GoragIndex, settings: GoragSettings): Measured[] {
  const told = { ...index, learned: new Map() }
  const view = viewOf(told, settings, 0)
  const perLabel = new Map<number, number>()
  for (const { key, label } of view.labelled.texts)
    if (index.labelled.texts.get(key)?.kind === 'example') perLabel.set(label, (perLabel.get(label) ?? 0) + 1)
  return exampleSample(index, view.labelled).map((one) => {
    const { text = '', counts = new Map() } = index.labelled.texts.get(one.key) ?? {}
    const question = { text, counts, vector: index.vectors.get(one.key) }
    return { right: one.label, evidence: evidenceFor(view, told, question, one), examples: perLabel.get(one.label) ?? 0 }
  })
}

/** Between short and long, by how many different words the examples have on average. */
function startOf({ labelled }: GoragIndex): Belief {
  const { start, short } = fitLimits
  const lengths = [...labelled.texts.values()]
    .filter(({ kind }) => kind === 'example')
    .map(({ counts }) => [...counts.keys()].filter((keyword) => !isPhrase(keyword)).length)
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  const share = Math.min(1, short / Math.max(1, mean))
  return Object.fromEntries(KINDS.map((kind) => [kind, share * start.short[kind] + (1 - share) * start.long[kind]])) as Record<Kind, number>
}
