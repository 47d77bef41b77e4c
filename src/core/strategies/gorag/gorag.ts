/**
 * GORAG: few-shot classification over a keyword–label graph that learns online (arXiv 2501.02844). What the corpus object calls; each function is
 * pure, reads a graph and returns a patch. `index` is the graph's own rows in memory: leave it out and it is read from the graph, or keep one and
 * update it with `index.with(patch)` after each patch applied.
 */
import type { GraphReader } from '../../graph/reader'
import type { Patch } from '../../graph/types'
import { type Classification, type ClassifyInput, classifyText } from './classify'
import { type GoragIndex, goragIndex } from './index'
import { dropLabelChanges, type LabelInput, putLabelChanges } from './labels'
import { type Learned, type LearnInput, learnText, unlearnTexts } from './learn'
import type { GoragSettings } from './settings'

export interface LabelView {
  readonly label: string
  readonly description: string
  readonly examples: readonly { readonly id: string; readonly text: string }[]
  /** Texts learned as this label and kept. */
  readonly learned: number
}

/** Puts a label in the place of any with the same id. */
export function putLabel(graph: GraphReader, label: LabelInput, settings: GoragSettings, index = goragIndex(graph, settings)): Patch {
  return putLabelChanges(index, label, settings)
}

/** Nothing of the label stays. The patch is empty if there is no such label. */
export function dropLabel(graph: GraphReader, id: string, settings: GoragSettings, index = goragIndex(graph, settings)): Patch {
  return dropLabelChanges(index, id, settings)
}

/** By label id. */
export function labels(graph: GraphReader, settings: GoragSettings, index = goragIndex(graph, settings)): LabelView[] {
  const learned = new Map<string, number>()
  for (const { label } of index.learned.values()) learned.set(label, (learned.get(label) ?? 0) + 1)
  return [...index.labelled.labels]
    .map(([node, { id, description }]) => ({ label: id, description, examples: examplesOf(index, node), learned: learned.get(node) ?? 0 }))
    .sort((a, b) => (a.label < b.label ? -1 : 1))
}

export function classify(
  graph: GraphReader,
  input: ClassifyInput,
  settings: GoragSettings,
  index = goragIndex(graph, settings),
): Classification {
  return classifyText(index, input, settings)
}

export function learn(graph: GraphReader, input: LearnInput, settings: GoragSettings, index = goragIndex(graph, settings)): Learned {
  return learnText(index, input, settings)
}

/** Undoes one learned text, or all that were learned at or after a time. The patch is empty if there is nothing to undo. */
export function unlearn(
  graph: GraphReader,
  which: { readonly id: string } | { readonly since: number },
  settings: GoragSettings,
  index = goragIndex(graph, settings),
): Patch {
  return unlearnTexts(index, which, settings)
}

function examplesOf(index: GoragIndex, node: string): { readonly id: string; readonly text: string }[] {
  return [...index.labelled.texts.values()]
    .filter(({ label, kind }) => label === node && kind === 'example')
    .map(({ id, text }) => ({ id, text }))
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.text < b.text ? -1 : 1))
}
