/** Who may read a document: its labels, as they are written, shown and inherited. */
import { EVERYONE, isLabel, labelLimits } from '../../../src/core/access/labels'

/** Null: every reader of the corpus; an empty list: administrators only. */
export type Readers = readonly string[] | null

/** Labels that a corpus gives its documents without labels. */
export type DefaultAccess = Readers

export function readersOf(labels: readonly string[], defaults: DefaultAccess): Readers {
  const effective = labels.length > 0 ? labels : defaults
  return effective?.includes(EVERYONE) ? null : effective
}

/** Labels under which every reader of the corpus reads a document. */
export const openTo = (defaults: DefaultAccess): readonly string[] => (readersOf([], defaults) === null ? [] : [EVERYONE])

/** One after the other, separated by commas; each once. */
export const labelsIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((label) => label.trim())
      .filter(Boolean),
  ),
]

/** Why these cannot be a document's labels; empty if they can. */
export function faultOf(labels: readonly string[], max: number = labelLimits.perDocument): string {
  const bad = labels.find((label) => !isLabel(label))
  if (bad !== undefined) return `“${bad}” cannot be a label: it has at most ${labelLimits.length} visible characters and no comma.`
  return labels.length > max ? `At most ${max} can be given.` : ''
}
