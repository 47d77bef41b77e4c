/**
 * GORAG's rows in memory, read from the graph once and then kept up to date by the patches that are applied to it: `index = goragIndex(graph,
 * settings)` at the start, `index = index.with(patch)` after each. It is a function of the rows alone. An index is never changed; what is computed
 * from it is kept with it (`view.ts`).
 */
import type { GraphReader } from '../../graph/reader'
import type { Patch, Value } from '../../graph/types'
import { type Counts, keywordCounts } from './keywords'
import { type LabelRow, type LearnedRow, readLabel, readLearned, readText, readVector, SPACE, type TextRow } from './rows'

const PAGE = 256 // rows per read

export interface LabelledText extends TextRow {
  readonly key: string
  readonly counts: Counts
}

/** Everything labelled. Shared by all indexes that differ only in what was learned. */
export interface Labelled {
  readonly labels: ReadonlyMap<string, LabelRow>
  readonly texts: ReadonlyMap<string, LabelledText>
}

export interface GoragIndex {
  readonly phrase: 1 | 2 | 3
  readonly labelled: Labelled
  readonly learned: ReadonlyMap<string, LearnedRow>
  readonly vectors: ReadonlyMap<string, Int8Array>
  /** The index after one of our patches. Changes to other spaces are ignored. */
  with(patch: Patch): GoragIndex
}

export function goragIndex(graph: GraphReader, settings: { readonly phrase: 1 | 2 | 3 }): GoragIndex {
  const puts = Object.values(SPACE).flatMap((space) =>
    [...rowsOf(graph, space)].map(({ key, value }) => ({ op: 'put-value', space, key, value }) as const),
  )
  const nothing = { labels: new Map<string, LabelRow>(), texts: new Map<string, LabelledText>() }
  return indexOf(settings.phrase, nothing, new Map(), new Map()).with(puts)
}

function indexOf(
  phrase: 1 | 2 | 3,
  labelled: Labelled,
  learned: ReadonlyMap<string, LearnedRow>,
  vectors: ReadonlyMap<string, Int8Array>,
): GoragIndex {
  return {
    phrase,
    labelled,
    learned,
    vectors,
    with(patch) {
      const touched = (space: string): boolean => patch.some((change) => 'space' in change && change.space === space)
      const labelledNow =
        touched(SPACE.label) || touched(SPACE.text)
          ? {
              labels: folded(labelled.labels, patch, SPACE.label, readLabel),
              texts: folded(labelled.texts, patch, SPACE.text, (value, key) => textOf(key, value, phrase)),
            }
          : labelled
      return indexOf(
        phrase,
        labelledNow,
        folded(learned, patch, SPACE.learned, readLearned),
        folded(vectors, patch, SPACE.vector, readVector),
      )
    },
  }
}

function textOf(key: string, value: Value, phrase: 1 | 2 | 3): LabelledText {
  const row = readText(value)
  return { ...row, key, counts: keywordCounts(row.text, phrase) }
}

function folded<T>(
  before: ReadonlyMap<string, T>,
  patch: Patch,
  space: string,
  read: (value: Value, key: string) => T,
): ReadonlyMap<string, T> {
  const own = patch.filter((change) => 'space' in change && change.space === space)
  if (own.length === 0) return before
  const after = new Map(before)
  for (const change of own) {
    if (change.op === 'put-value') after.set(change.key, read(change.value, change.key))
    if (change.op === 'drop-value') after.delete(change.key)
  }
  return after
}

function* rowsOf(graph: GraphReader, space: string): Generator<{ readonly key: string; readonly value: Value }> {
  for (let from = ''; ; ) {
    const rows = graph.values(space, from, PAGE)
    yield* rows.filter(({ key }) => key !== from)
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    from = last.key
  }
}
