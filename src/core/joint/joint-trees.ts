/** Trees of summaries over the parts of a corpus: each part has one of its own chunks, hashed by the same hyperplanes, and tells what is in it. */
import type { Trees } from '../graph/reader'
import { first } from './joining'
import type { PartAnswers } from './part-answers'
import type { BelowRead } from './reads'

export function jointTrees(answers: PartAnswers): Trees {
  return {
    // A text that stands in several parts is in the tree of each.
    above: (chunk) =>
      answers.merge(`above ${chunk}`, ['above', chunk], (all: readonly (readonly string[])[]) => [...new Set(all.flat())]) ?? [],
    below: (summary) => answers.merge(`below ${summary}`, ['below', summary], first<BelowRead>),
  }
}
