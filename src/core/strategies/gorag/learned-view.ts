/**
 * What learned texts add (GORAG §3.4, Eq. 13), computed from their rows: which of their words become keywords, and how much each text weighs now. A
 * learned text weighs less than a labelled one, in proportion to the confidence it was learned with; its weight halves with every half-life until
 * other texts of its label confirm it; and all that a label has learned together never outweighs what it was told. Their words are edges of the
 * graph at once, but take part in decisions only when as many learned texts of the label say them as the settings ask for. So wrong decisions fade
 * instead of feeding themselves.
 */
import type { GoragIndex } from './index'
import { type Counts, lengthOf } from './keywords'
import type { LabelledView } from './labelled-view'
import type { GoragSettings } from './settings'

export interface LearnedText {
  readonly id: string
  readonly label: number
  /** Words with an edge because of this text. */
  readonly kept: Counts
  /** Those of them that enough learned texts of the label say. */
  readonly confirmed: Counts
  readonly length: number
  readonly weight: number
}

/** Does the label have a labelled text with this word? */
export type HasLabelledWord = (word: string, label: number) => boolean

/** Share of a learned text's words that other texts of the label must have. */
const CONFIRMED = 0.5

/** In the order of their ids. */
export function learnedTexts(
  index: GoragIndex,
  view: LabelledView,
  told: HasLabelledWord,
  settings: GoragSettings,
  now: number,
): readonly LearnedText[] {
  if (index.learned.size === 0) return []
  const rows = [...index.learned]
    .filter(([, row]) => view.numbers.has(row.label))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, row]) => ({ id, row, label: view.numbers.get(row.label) ?? 0, kept: keptOf(row.counts, view, settings) }))
  const support = supports(rows)
  const { weight, halfLife, confirmations } = settings.learning
  const supportOf = (word: string, label: number): number => support.get(`${word} ${label}`) ?? 0
  const weighed = rows.map((one) => {
    const words = [...one.kept.keys()]
    const shared = words.filter((word) => told(word, one.label) || supportOf(word, one.label) > 1).length
    const age = Math.max(0, now - one.row.at)
    const fading = words.length > 0 && shared / words.length >= CONFIRMED ? 1 : 2 ** (-age / halfLife)
    return { ...one, weight: weight * one.row.confidence * fading }
  })
  const taught = new Map<number, number>()
  for (const { label } of view.texts) taught.set(label, (taught.get(label) ?? 0) + 1)
  const learned = new Map<number, number>()
  for (const one of weighed) learned.set(one.label, (learned.get(one.label) ?? 0) + one.weight)
  return weighed.map(({ id, row, label, kept, weight }) => {
    const scale = Math.min(1, (taught.get(label) ?? 0) / (learned.get(label) ?? 1))
    const confirmed = new Map([...kept].filter(([word]) => supportOf(word, label) >= confirmations))
    return { id, label, kept, confirmed, length: lengthOf(row.counts), weight: weight * scale }
  })
}

/** Words that no labelled text has (Eq. 13): decisions fed back into the evidence that led to them also reinforce mistakes. */
function keptOf(counts: Counts, view: LabelledView, settings: GoragSettings): Counts {
  const kept = [...counts].filter(([word]) => !view.keywords.has(word))
  if (kept.length <= settings.keywords) return new Map(kept)
  return new Map(kept.sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).slice(0, settings.keywords))
}

/** How many learned texts of a label have a word, by word and label. */
function supports(rows: readonly { readonly label: number; readonly kept: Counts }[]): ReadonlyMap<string, number> {
  const out = new Map<string, number>()
  for (const { label, kept } of rows) {
    for (const word of kept.keys()) out.set(`${word} ${label}`, (out.get(`${word} ${label}`) ?? 0) + 1)
  }
  return out
}
