/**
 * The keyword–label graph as it is now: for every keyword and label, what their edge has counted, and how rare each keyword is. Weights are
 * computed here on read (Eq. 2, 4, 6, 7), from counts that are only added and removed; so they are the same whatever the order in which texts came
 * and went.
 */
import type { GoragIndex } from './index'
import { importance } from './keywords'
import { type LabelledView, labelledView } from './labelled-view'
import { type LearnedText, learnedTexts } from './learned-view'
import type { GoragSettings } from './settings'

export interface Cell {
  readonly label: number
  /** Labelled texts (examples, descriptions) of the label with the keyword, and how often it occurs in them. */
  texts: number
  count: number
  /** Σ count(v,t) / |t| of Eq. 4, with learned texts counting by their weight. */
  share: number
  /** Σ of the keyword's component in each text's unit vector, by the text's weight. */
  strength: number
  /** Ids of learned texts. */
  readonly learned: string[]
}

/** The edges of each keyword, in the order in which its labels' texts were read, which their keys decide. */
export type Cells = ReadonlyMap<string, readonly Readonly<Cell>[]>

export interface View {
  readonly labelled: LabelledView
  readonly learned: readonly LearnedText[]
  /** By keyword. */
  readonly cells: Cells
  /** The idf factor of Eq. 2, log((N+1)/(df+1)) / log(N+1), 0 to 1. A phrase counts half. */
  rarity(keyword: string): number
  /** The same factor, but never 0: even a word of every label links texts. */
  salience(keyword: string): number
  /** The number of texts: N of Eq. 2. */
  readonly size: number
}

const DAY = 86_400_000 // milliseconds; weights of learned texts move once a day
const views = new WeakMap<GoragIndex, { readonly settings: string; readonly day: number; readonly view: View }>()

/** `now` in milliseconds since the epoch; only its day matters. */
export function viewOf(index: GoragIndex, settings: GoragSettings, now: number): View {
  const day = Math.floor(now / DAY)
  const written = JSON.stringify(settings)
  const known = views.get(index)
  if (known && known.settings === written && known.day === day) return known.view
  const view = build(index, settings, day * DAY)
  views.set(index, { settings: written, day, view })
  return view
}

function build(index: GoragIndex, settings: GoragSettings, now: number): View {
  const labelled = labelledView(index.labelled, settings)
  const told = cellsOfLabelled(labelled)
  const learned = learnedTexts(
    index,
    labelled,
    (word, label) => told.get(word)?.some((cell) => cell.label === label) ?? false,
    settings,
    now,
  )
  const frequencies = new Map(labelled.frequencies)
  for (const { id } of learned) {
    for (const word of index.learned.get(id)?.counts.keys() ?? []) frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
  }
  const size = labelled.texts.length + learned.length
  const rareness = (keyword: string): number => Math.log((size + 1) / ((frequencies.get(keyword) ?? 0) + 1))
  const saliences = new Map<string, number>()
  const salience = (keyword: string): number => {
    const known = saliences.get(keyword)
    if (known !== undefined) return known
    const made = importance(keyword) * (rareness(keyword) + 1)
    // Words that no text here has would fill the map with every text asked about.
    if (frequencies.has(keyword)) saliences.set(keyword, made)
    return made
  }
  return {
    labelled,
    learned,
    cells: cellsOf(labelled, learned),
    size,
    rarity: (keyword) => (importance(keyword) * rareness(keyword)) / Math.log(size + 1),
    salience,
  }
}

const labelledCells = new WeakMap<LabelledView, Cells>()

/** Edges of labelled texts, counted once and kept as long as no label changes. */
export function cellsOfLabelled(labelled: LabelledView): Cells {
  const known = labelledCells.get(labelled)
  if (known) return known
  const cells = new Map<string, Cell[]>()
  for (const text of labelled.texts) {
    const norm = normOf(text.kept)
    for (const [keyword, count] of text.kept) {
      const cell = cellOf(cells, keyword, text.label)
      cell.texts += 1
      cell.count += count
      cell.share += count / text.length
      cell.strength += count / norm
    }
  }
  labelledCells.set(labelled, cells)
  return cells
}

/** Adds what was learned; rows that it touches are copied first. */
function cellsOf(labelled: LabelledView, learned: readonly LearnedText[]): Cells {
  const told = cellsOfLabelled(labelled)
  if (learned.length === 0) return told
  const cells = new Map<string, Cell[]>()
  for (const text of learned) {
    const norm = normOf(text.kept)
    for (const [keyword, count] of text.kept) {
      if (!cells.has(keyword))
        cells.set(
          keyword,
          (told.get(keyword) ?? []).map((cell) => ({ ...cell, learned: [] })),
        )
      const cell = cellOf(cells, keyword, text.label)
      cell.learned.push(text.id)
      if (!text.confirmed.has(keyword)) continue
      cell.share += (text.weight * count) / text.length
      cell.strength += (text.weight * count) / norm
    }
  }
  const all = new Map(told)
  for (const [keyword, row] of cells) all.set(keyword, row)
  return all
}

function cellOf(cells: Map<string, Cell[]>, keyword: string, label: number): Cell {
  const row = cells.get(keyword) ?? []
  const known = row.find((cell) => cell.label === label)
  if (known) return known
  const cell = { label, texts: 0, count: 0, share: 0, strength: 0, learned: [] }
  row.push(cell)
  cells.set(keyword, row)
  return cell
}

/** Length of a text's vector of counts, without idf, so that it changes with no other text. */
export function normOf(counts: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count * count
  return Math.sqrt(sum) || 1
}
