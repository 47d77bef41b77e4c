/** Labelled examples for measuring what holds for all: a limited number, evenly spaced in the order of their keys, so that the cost is bounded. */
import type { GoragIndex } from './index'
import type { KeptText, LabelledView } from './labelled-view'

const MAX = 200

/** A label left with its description alone is unlike the label that a text will be compared with, so descriptions are not included. */
export function exampleSample({ labelled }: GoragIndex, { texts }: LabelledView): KeptText[] {
  const examples = texts.filter(({ key }) => labelled.texts.get(key)?.kind === 'example')
  const step = Math.max(1, examples.length / MAX)
  return examples.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step))
}
