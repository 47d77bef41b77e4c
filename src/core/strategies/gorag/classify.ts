/**
 * Which label a text has, by a score anyone can check, and why: candidates with the way each was found, and the tree that joins the text's keywords
 * to them (GORAG §3.3–3.4). Pure; asks no model and learns nothing.
 */
import { type Candidate, type WeighedCandidates, weighCandidates } from './candidates'
import { KINDS } from './evidence'
import type { GoragIndex } from './index'
import { asWritten, keywordCounts } from './keywords'
import { descriptionText } from './label-name'
import type { LabelledView } from './labelled-view'
import type { GoragSettings } from './settings'
import { type Tree, terminalsOf, treeView } from './tree'
import { cellsOfLabelled, type View, viewOf } from './view'

export interface ClassifyInput {
  readonly text: string
  /** Absent while the embedding model is down. */
  readonly vector?: Int8Array | undefined
  /** Milliseconds since the epoch; decides how far the learned texts have faded. */
  readonly now: number
}

export interface ScoredLabel {
  readonly label: string
  /** Probability, 0 to 1. Over all labels they add up to 1. */
  readonly score: number
  /** Where the candidate came from, joined by `+`: `steiner`, `keywords`, `embedding`, or `score` alone. */
  readonly via: string
  /** What the label is about: its description, else its name. May be empty. */
  readonly description: string
  /** Its strongest keywords, as people write them. */
  readonly keywords: readonly string[]
}

export interface Classification {
  /** Null if there is no label, or nothing speaks for one more than for another. */
  readonly label: string | null
  /** Probability that the label is right, 0 to 1. */
  readonly confidence: number
  readonly candidates: readonly ScoredLabel[]
  readonly tree: Tree
  /** The text's keywords that the graph knows, strongest first, as people write them. */
  readonly keywords: readonly string[]
}

const KEYWORDS = 8 // shown with each candidate: enough to tell labels apart, few enough for a prompt

export function classifyText(index: GoragIndex, input: ClassifyInput, settings: GoragSettings): Classification {
  const view = viewOf(index, settings, input.now)
  const lit = weighCandidates(view, index, input, settings)
  const nameOf = (label: number): string => index.labelled.labels.get(view.labelled.labels[label] ?? '')?.id ?? ''
  const [first, second] = lit.candidates
  const undecided = !first || (second !== undefined && first.probability === second.probability && !hasEvidence(lit, first))
  return {
    label: undecided ? null : nameOf(first.label),
    confidence: undecided ? 0 : first.probability,
    candidates: lit.candidates.map((one) => scoredLabel(index, view, one)),
    tree: treeView(view, lit.found.tree, nameOf),
    keywords: terminalsOf(view, keywordCounts(input.text, index.phrase), settings.terminals).map(asWritten),
  }
}

/** The strongest keywords of a label: those of its labelled texts that distinguish it most (Eq. 2 over all its texts). */
export function labelKeywords(view: View, label: number, max = KEYWORDS): string[] {
  return strongest(view, max)[label] ?? []
}

const tops = new WeakMap<LabelledView, readonly (readonly string[])[]>()

function strongest(view: View, max: number): readonly string[][] {
  const known = tops.get(view.labelled)
  if (known) return known.map((words) => words.slice(0, max))
  const scored: { keyword: string; score: number }[][] = view.labelled.labels.map(() => [])
  for (const [keyword, row] of cellsOfLabelled(view.labelled)) {
    for (const { label, strength } of row) scored[label]?.push({ keyword, score: strength * view.salience(keyword) })
  }
  const made = scored.map((words) =>
    words
      .sort((a, b) => b.score - a.score || (a.keyword < b.keyword ? -1 : 1))
      .slice(0, KEYWORDS)
      .map(({ keyword }) => asWritten(keyword)),
  )
  tops.set(view.labelled, made)
  return made
}

function scoredLabel(index: GoragIndex, view: View, { label, probability, via }: Candidate): ScoredLabel {
  const row = index.labelled.labels.get(view.labelled.labels[label] ?? '')
  return {
    label: row?.id ?? '',
    score: probability,
    via: via.join('+'),
    description: row ? descriptionText(row, true) : '',
    keywords: labelKeywords(view, label),
  }
}

function hasEvidence({ weighed }: WeighedCandidates, { label }: Candidate): boolean {
  return KINDS.some((kind) => (weighed[kind]?.[label] ?? 0) > 0)
}
