/**
 * Learning from classified texts (GORAG §3.4, Eq. 13), made undoable: every learned text is one row with its source, confidence and time, and
 * everything it does to the graph follows from that row. Learning the same text again changes nothing; nothing is learned below a confidence, from
 * a text that is already labelled, or as a label that does not exist.
 */
import type { Change, Patch } from '../../graph/types'
import type { GoragIndex } from './index'
import { type Counts, keywordCounts } from './keywords'
import { dropRowChanges } from './labels'
import { publicationChanges } from './publish'
import { type LearnedRow, labelNode, learnedId, SPACE, textKey, writeLearned } from './rows'
import type { GoragSettings } from './settings'

export interface LearnInput {
  readonly text: string
  /** The label it was classified as. */
  readonly label: string
  /** Confidence of that decision, 0 to 1. */
  readonly confidence: number
  /** Who decided, e.g. `model` or `score`. */
  readonly source: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface Learned {
  readonly patch: Patch
  /** Names what was learned, now or before; null if nothing is. */
  readonly learned: string | null
  /** The index after the patch. */
  readonly index: GoragIndex
}

export function learnText(index: GoragIndex, input: LearnInput, settings: GoragSettings): Learned {
  const id = learnedId(input.text)
  if (index.learned.has(id)) return { patch: [], learned: id, index }
  const label = labelNode(input.label)
  const { online, confidence, max } = settings.learning
  const labelled = index.labelled.texts.has(textKey(label, 'example', input.text))
  if (!online || labelled || input.confidence < confidence || !index.labelled.labels.has(label)) return { patch: [], learned: null, index }
  const row: LearnedRow = { label, counts: wordsOf(input.text), confidence: input.confidence, source: input.source, at: input.at }
  const rivals = [...index.learned].filter(([, one]) => one.label === label)
  const kept = new Set(strongest(rivals, [id, row], max))
  if (!kept.has(id)) return { patch: [], learned: null, index }
  const gone = rivals.filter(([key]) => !kept.has(key))
  const rows: Change[] = [
    { op: 'put-value', space: SPACE.learned, key: id, value: writeLearned(row) },
    ...gone.flatMap(([key]) => dropRowChanges(SPACE.learned, key)),
  ]
  return { ...publishChange(index, rows, [row, ...gone.map(([, one]) => one)], settings, input.at), learned: id }
}

/** Undoes one learned text, or all that were learned at or after a time. */
export function unlearnTexts(
  index: GoragIndex,
  which: { readonly id: string } | { readonly since: number },
  settings: GoragSettings,
): Patch {
  const gone = [...index.learned].filter(([id, { at }]) => ('id' in which ? id === which.id : at >= which.since))
  const rows = gone.flatMap(([id]) => dropRowChanges(SPACE.learned, id))
  return publishChange(
    index,
    rows,
    gone.map(([, row]) => row),
    settings,
    0,
  ).patch
}

/** Only words of texts that come or go can gain or lose an edge. */
function publishChange(index: GoragIndex, rows: readonly Change[], texts: readonly LearnedRow[], settings: GoragSettings, now: number) {
  const after = index.with(rows)
  const words = texts.flatMap(({ counts }) => [...counts.keys()])
  return { patch: [...rows, ...publicationChanges(index, after, settings, now, words)], index: after }
}

/** A phrase found once in a text that nobody has labelled says little and costs rows. */
function wordsOf(text: string): Counts {
  return keywordCounts(text, 1)
}

/** Most confident first, then by id: which are kept does not depend on their order of arrival. */
function strongest(known: readonly (readonly [string, LearnedRow])[], one: readonly [string, LearnedRow], max: number): string[] {
  return [...known, one]
    .sort(([a, x], [b, y]) => y.confidence - x.confidence || (a < b ? -1 : 1))
    .slice(0, max)
    .map(([id]) => id)
}
