/**
 * Which keywords the labelled texts have (GORAG §3.2): the best of each text by Eq. 2, ranked within the text, since no score of Eq. 2 reaches the
 * paper's threshold when |t| counts every n-gram. Document frequencies here are of labelled texts only, so that learning never changes which
 * keywords a labelled text has. A function of the labelled rows; their order of arrival does not matter.
 */
import type { Labelled, LabelledText } from './index'
import { type Counts, importance, lengthOf } from './keywords'

export interface KeptText {
  readonly key: string
  /** Number of its label. */
  readonly label: number
  readonly kept: Counts
  /** |t| of Eq. 2. */
  readonly length: number
}

export interface LabelledView {
  /** Node ids in order; a label's number is its place here. */
  readonly labels: readonly string[]
  readonly numbers: ReadonlyMap<string, number>
  /** In the order of their keys. */
  readonly texts: readonly KeptText[]
  /** In how many labelled texts each keyword occurs, whether it is kept or not. */
  readonly frequencies: ReadonlyMap<string, number>
  /** Keywords with an edge. */
  readonly keywords: ReadonlySet<string>
}

const views = new WeakMap<Labelled, { readonly keywords: number; readonly view: LabelledView }>()

export function labelledView(labelled: Labelled, settings: { readonly keywords: number }): LabelledView {
  const known = views.get(labelled)
  if (known?.keywords === settings.keywords) return known.view
  const view = build(labelled, settings.keywords)
  views.set(labelled, { keywords: settings.keywords, view })
  return view
}

function build(labelled: Labelled, max: number): LabelledView {
  const labels = [...labelled.labels.keys()].sort()
  const numbers = new Map(labels.map((id, i) => [id, i]))
  const rows = [...labelled.texts.values()].filter((row) => numbers.has(row.label)).sort((a, b) => (a.key < b.key ? -1 : 1))
  const frequencies = new Map<string, number>()
  for (const { counts } of rows) for (const keyword of counts.keys()) frequencies.set(keyword, (frequencies.get(keyword) ?? 0) + 1)
  const texts = rows.map((row) => ({
    key: row.key,
    label: numbers.get(row.label) ?? 0,
    kept: best(row, max, (keyword) => Math.log((rows.length + 1) / ((frequencies.get(keyword) ?? 0) + 1))),
    length: lengthOf(row.counts),
  }))
  return { labels, numbers, texts, frequencies, keywords: new Set(texts.flatMap(({ kept }) => [...kept.keys()])) }
}

/** Eq. 2 up to factors that are the same for the whole text; ties are broken by the keyword. */
function best(row: LabelledText, max: number, rarity: (keyword: string) => number): Counts {
  if (row.counts.size <= max) return row.counts
  const scored = [...row.counts].map(([keyword, count]) => ({ keyword, count, score: count * rarity(keyword) * importance(keyword) }))
  scored.sort((a, b) => b.score - a.score || (a.keyword < b.keyword ? -1 : 1))
  return new Map(scored.slice(0, max).map(({ keyword, count }) => [keyword, count]))
}
