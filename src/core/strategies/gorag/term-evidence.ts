/**
 * The plain classifier that the graph must not fall behind: the TF-IDF centroid of each label's texts, with its name and description at half an
 * example's weight; and separately, how well a text agrees with the label's name and description alone. Words only; idf is over all labelled texts.
 * Learned texts add their new words by their weight.
 */
import type { GoragIndex } from './index'
import { type Counts, isPhrase } from './keywords'
import type { KeptText, LabelledView } from './labelled-view'
import type { View } from './view'

/** Weight of a name or description in its label's centroid, beside an example's 1. */
const DESCRIPTION = 0.5

export interface TermEvidence {
  /** By label: the dot product of the text's weighted words and the centroid's direction; a cosine up to a factor that depends only on the text. */
  readonly centroid: Float64Array
  /** The same for the direction of the name and description. */
  readonly name: Float64Array
}

interface Row {
  readonly label: number
  strength: number
  /** Share of the name's and description's unit vector. */
  name: number
}

type Rows = Map<string, Row[]>

interface Table {
  readonly rows: ReadonlyMap<string, readonly Readonly<Row>[]>
  /** Squared length of each label's sum. */
  readonly squares: Float64Array
}

/** `without` leaves one labelled text out. */
export function termEvidence(view: View, index: GoragIndex, counts: Counts, without?: KeptText): TermEvidence {
  const { rows, squares } = tableOf(view, index)
  const centroid = new Float64Array(view.labelled.labels.length)
  const name = new Float64Array(view.labelled.labels.length)
  for (const [term, weight] of weighed(counts, idfOf(view))) {
    for (const { label, strength, name: own } of rows.get(term) ?? []) {
      centroid[label] = (centroid[label] ?? 0) + weight * strength
      name[label] = (name[label] ?? 0) + weight * own
    }
  }
  const left = without && leaveOut(view, index, rows, counts, without)
  for (let y = 0; y < centroid.length; y++) {
    const out = left && without.label === y ? left : { product: 0, square: 0 }
    const square = (squares[y] ?? 0) - out.square
    centroid[y] = square > 1e-9 ? Math.max(0, (centroid[y] ?? 0) - out.product) / Math.sqrt(square) : 0
  }
  return { centroid, name }
}

/** What leaving a labelled example out takes from its label: from the product with a text, and from the squared length of the sum. */
function leaveOut(view: View, index: GoragIndex, rows: Table['rows'], counts: Counts, { key, label }: KeptText) {
  const own = unit(weighed(index.labelled.texts.get(key)?.counts ?? new Map(), idfOf(view)))
  const text = weighed(counts, idfOf(view))
  let product = 0
  let along = 0
  for (const [term, x] of own) {
    product += x * (text.get(term) ?? 0)
    along += x * (rows.get(term)?.find((row) => row.label === label)?.strength ?? 0)
  }
  return { product, square: 2 * along - 1 }
}

const tables = new WeakMap<LabelledView, Table>()
const withLearned = new WeakMap<View, Table>()

/** Counted once and kept as long as no label changes; what was learned is added on top. */
function tableOf(view: View, index: GoragIndex): Table {
  const known = withLearned.get(view)
  if (known) return known
  const base = tables.get(view.labelled) ?? labelledTable(view, index)
  tables.set(view.labelled, base)
  const made = view.learned.length === 0 ? base : overlay(base, view, index)
  withLearned.set(view, made)
  return made
}

function labelledTable(view: View, index: GoragIndex): Table {
  const { labelled } = view
  const idf = idfOf(view)
  const rows: Rows = new Map()
  const squares = new Float64Array(labelled.labels.length)
  for (const { key, label } of labelled.texts) {
    const text = index.labelled.texts.get(key)
    if (!text) continue
    const isName = text.kind === 'description'
    for (const [term, x] of unit(weighed(text.counts, idf))) {
      const row = rowOf(rows, term, label)
      row.strength += isName ? DESCRIPTION * x : x
      if (isName) row.name += x
    }
  }
  for (const row of rows.values()) for (const { label, strength } of row) squares[label] = (squares[label] ?? 0) + strength ** 2
  return { rows, squares }
}

function overlay(base: Table, view: View, index: GoragIndex): Table {
  const rows: Rows = new Map()
  const squares = base.squares.slice()
  for (const { id, label, confirmed, weight } of view.learned) {
    const words = weighed(index.learned.get(id)?.counts ?? new Map(), idfOf(view))
    const length = lengthOf(words)
    for (const term of confirmed.keys()) {
      if (!rows.has(term))
        rows.set(
          term,
          (base.rows.get(term) ?? []).map((row) => ({ ...row })),
        )
      const row = rowOf(rows, term, label)
      const before = row.strength
      row.strength += (weight * (words.get(term) ?? 0)) / length
      squares[label] = (squares[label] ?? 0) + row.strength ** 2 - before ** 2
    }
  }
  return { rows: new Map([...base.rows, ...rows]), squares }
}

function rowOf(rows: Rows, term: string, label: number): Row {
  const all = rows.get(term) ?? []
  rows.set(term, all)
  const known = all.find((row) => row.label === label)
  if (known) return known
  const made = { label, strength: 0, name: 0 }
  all.push(made)
  return made
}

/** Over labelled texts alone, so that learning does not change what they weigh; for words that were only learned, over those texts as well. */
function idfOf({ labelled, salience }: View): (term: string) => number {
  return (term) => {
    const frequency = labelled.frequencies.get(term)
    return frequency === undefined ? salience(term) : Math.log((labelled.texts.length + 1) / (frequency + 1)) + 1
  }
}

function weighed(counts: Counts, idf: (term: string) => number): ReadonlyMap<string, number> {
  const out = new Map<string, number>()
  for (const [term, count] of counts) if (!isPhrase(term)) out.set(term, (1 + Math.log(count)) * idf(term))
  return out
}

function unit(vector: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const length = lengthOf(vector)
  return new Map([...vector].map(([term, x]) => [term, x / length]))
}

function lengthOf(vector: ReadonlyMap<string, number>): number {
  let square = 0
  for (const x of vector.values()) square += x * x
  return Math.sqrt(square) || 1
}
