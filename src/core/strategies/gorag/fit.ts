/**
 * How much to believe each kind of evidence on these labels: measured on the labelled texts themselves, each left out in turn and
 * asked for its label. Pulled towards the plain classifiers in equal parts, with little for graph and names until examples speak for
 * them; what it arrives at is also the scale on which the sum of evidence is a probability. The same texts say how many candidates keep the
 * right label. Computed once for each state of the labelled texts; learning does not move it.
 */
import { softmax, softmaxFit } from '../../algorithms/softmax-fit'
import { evidenceFor, KINDS, type Kind, standardised } from './evidence'
import { massFor } from './gate'
import type { GoragIndex, Labelled } from './index'
import { isPhrase } from './keywords'
import type { KeptText } from './labelled-view'
import type { GoragSettings } from './settings'
import { viewOf } from './view'

export type Belief = Readonly<Record<Kind, number>>

export const fitLimits = {
  /** Weights of standardised scores before any label has spoken. A short text shares few words with others, so its embedding says more of it. */
  start: {
    short: { terms: 0.4, parts: 0.4, embedding: 1.2, keywords: 0.1, names: 0.05 } satisfies Belief,
    long: { terms: 0.5, parts: 0.5, embedding: 0.6, keywords: 0.1, names: 0.05 } satisfies Belief,
  },
  /** Different words of a text up to which it is short; one of n words is short by this share of n. */
  short: 12,
  /** How far each may move at the cost of `pull`. */
  spread: { terms: 1, parts: 1, embedding: 1, keywords: 0.3, names: 0.3 } satisfies Belief,
  /** Labelled texts it takes to move a weight so far. */
  pull: 10,
  /** Labelled texts asked; more only take time. */
  max: 200,
} as const

export interface Fit {
  readonly belief: Belief
  /** Of the probability, which a text's candidates hold together. */
  readonly mass: number
}

const fits = new WeakMap<Labelled, { readonly settings: string; readonly fit: Fit }>()

export function fitOf(index: GoragIndex, settings: GoragSettings): Fit {
  const written = JSON.stringify(settings)
  const known = fits.get(index.labelled)
  if (known?.settings === written) return known.fit
  const fit = measure(index, settings)
  fits.set(index.labelled, { settings: written, fit })
  return fit
}

function measure(index: GoragIndex, settings: GoragSettings): Fit {
  const told = { ...index, learned: new Map() }
  const view = viewOf(told, settings, 0)
  const start = startOf(index)
  const measured = askedTexts(index, view.labelled.texts).map((one) => {
    const { text = '', counts = new Map() } = index.labelled.texts.get(one.key) ?? {}
    const question = { text, counts, vector: index.vectors.get(one.key) }
    return { right: one.label, features: standardised(evidenceFor(view, told, question, one)) }
  })
  const [weights, spread] = [start, fitLimits.spread].map((of) => KINDS.map((kind) => of[kind]))
  const fitted = softmaxFit(measured, { weights: weights ?? [], spread: spread ?? [], strength: fitLimits.pull })
  const trials = measured.map(({ right, features }) => ({ right, probabilities: softmax(features, fitted, view.labelled.labels.length) }))
  const belief = Object.fromEntries(KINDS.map((kind, k) => [kind, fitted[k] ?? 0])) as Record<Kind, number>
  return { belief, mass: massFor(trials, settings) }
}

/** Between short and long, by the mean number of different words of the examples. */
function startOf({ labelled }: GoragIndex): Belief {
  const { start, short } = fitLimits
  const lengths = [...labelled.texts.values()]
    .filter(({ kind }) => kind === 'example')
    .map(({ counts }) => [...counts.keys()].filter((keyword) => !isPhrase(keyword)).length)
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)
  const share = Math.min(1, short / Math.max(1, mean))
  return Object.fromEntries(KINDS.map((kind) => [kind, share * start.short[kind] + (1 - share) * start.long[kind]])) as Record<Kind, number>
}

/** Examples, at equal distances in the order of their keys. A label left with its description alone is not like the label a text will be compared with. */
function askedTexts(index: GoragIndex, texts: readonly KeptText[]): KeptText[] {
  const examples = texts.filter(({ key }) => index.labelled.texts.get(key)?.kind === 'example')
  const perLabel = new Map<number, number>()
  for (const { label } of examples) perLabel.set(label, (perLabel.get(label) ?? 0) + 1)
  const all = examples.filter(({ label }) => (perLabel.get(label) ?? 0) > 1)
  const step = Math.max(1, all.length / fitLimits.max)
  return all.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
}
