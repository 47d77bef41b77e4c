/**
 * How much to believe keywords, parts of words and embedding on these labels: measured on the labelled texts themselves, each left out in turn and
 * asked for its label. Pulled towards equal weights, so that a handful of texts changes little; what it arrives at is also the
 * scale on which the sum of evidence is a probability. Computed once for each state of the labelled texts; learning does not move it.
 */
import { softmaxFit } from '../../algorithms/softmax-fit'
import { embeddingEvidence } from './embedding-evidence'
import type { GoragIndex, Labelled } from './index'
import { keywordEvidence } from './keyword-evidence'
import type { KeptText } from './labelled-view'
import { partEvidence } from './part-evidence'
import type { GoragSettings } from './settings'
import { viewOf } from './view'

export interface Belief {
  readonly keywords: number
  readonly parts: number
  readonly embedding: number
}

export const fitLimits = {
  /**
   * Weights of the cosines before any label has spoken. 10: a difference of 0.1 makes a label e times as probable. Words and
   * their parts are two readings of one wording, so each has little more than half a say.
   */
  start: { keywords: 6, parts: 6, embedding: 10 } satisfies Belief,
  /** Labelled texts it takes to move that by its own size. */
  pull: 3,
  /** Labelled texts asked; more only take time. */
  max: 200,
} as const

const beliefs = new WeakMap<Labelled, { readonly settings: string; readonly belief: Belief }>()

export function beliefOf(index: GoragIndex, settings: GoragSettings): Belief {
  const written = JSON.stringify(settings)
  const known = beliefs.get(index.labelled)
  if (known?.settings === written) return known.belief
  const belief = measure(index, settings)
  beliefs.set(index.labelled, { settings: written, belief })
  return belief
}

function measure(index: GoragIndex, settings: GoragSettings): Belief {
  const told = { ...index, learned: new Map() }
  const view = viewOf(told, settings, 0)
  const isExample = ({ key }: KeptText): boolean => index.labelled.texts.get(key)?.kind === 'example'
  const examples = new Map<number, number>()
  for (const text of view.labelled.texts.filter(isExample)) examples.set(text.label, (examples.get(text.label) ?? 0) + 1)
  // A label left with its description alone is not like the label a text will be compared with.
  const asked = view.labelled.texts.filter((text) => isExample(text) && (examples.get(text.label) ?? 0) > 1).slice(0, fitLimits.max)
  const none = new Float64Array(view.labelled.labels.length)
  const measured = asked.map((text) => ({
    right: text.label,
    features: [
      keywordEvidence(view, text.kept, text),
      partEvidence(told, view.labelled, index.labelled.texts.get(text.key)?.text ?? '', text),
      embeddingEvidence(view, told, index.vectors.get(text.key), text) ?? none,
    ],
  }))
  const start = fitLimits.start
  const weights = [start.keywords, start.parts, start.embedding]
  const [keywords = 0, parts = 0, embedding = 0] = softmaxFit(measured, { weights, strength: fitLimits.pull })
  return { keywords, parts, embedding }
}
