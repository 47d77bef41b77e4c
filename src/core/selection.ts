/**
 * Which of what a strategy ranked becomes evidence: chosen one by one for what each adds to those already chosen. The first of the ranking stays first.
 * A document has so many passages at most, what says the same as a chosen passage waits for all others, and with `diversity` a passage that says
 * words of the question which no chosen one says comes forward. The same for every strategy. Pure.
 */

import { discriminativeTerms } from './channels/lexical'
import { chosenOptions } from './chosen-options'
import { granularities, type Limits } from './evidence'
import type { GraphReader } from './graph/reader'
import { chunkOf, kindOf } from './ids'
import { choice, share, whole } from './setting-fields'
import type { Settings } from './settings'
import type { Found, Options, Query, Retrieved, Scores, Strategy } from './strategy'
import { terms } from './text/terms'

const limits = {
  neighbours: 5, // passages on each side
  topK: 100, // pieces a strategy may be asked for
  wider: 4, // times as many as are wanted are chosen from
  same: 0.8, // share of the words of two passages that both have: beyond it they say the same
} as const

/** Options of every strategy. */
export const selectionOptions = {
  /** Passages of one document; never more. */
  max_per_document: whole(1, limits.topK),
  /** How much a passage that says all of the question is worth beside the best score, if none of what it says has been chosen. */
  diversity: share,
  /** How much of a document a piece of evidence is. */
  granularity: choice(granularities, { removed: [] }),
  /** Passages on each side given as context. */
  neighbours: whole(0, limits.neighbours),
}

/** What a document is worth to the asker beside others; undefined: what was written from several. */
export type Worth = (document: string | undefined) => number

interface Weighed {
  readonly query: Query
  readonly scores: Scores
  readonly options: Options
  readonly settings: Settings
  readonly documents: ReadonlySet<string> | undefined
  readonly worth: Worth
  readonly selection: Selection | undefined
}

export interface Selection {
  readonly maxPerDocument: number
  /** Passages beyond it are left out; else they come last. */
  readonly isStrict: boolean
  readonly diversity: number
}

/** How what was found is shown, as the question chose. */
export function presentation(own: Options['own']): Pick<Limits, 'granularity' | 'neighbours'> {
  const { granularity, neighbours } = chosenOptions(selectionOptions, own)
  return { ...(granularity ? { granularity } : {}), ...(neighbours ? { neighbours } : {}) }
}

/** Undefined: what the strategy ranked is the evidence. */
export function selectionFor(strategy: Strategy, { own, topK }: Pick<Options, 'own' | 'topK'>): Selection | undefined {
  const chosen = chosenOptions(selectionOptions, own)
  const { selection } = strategy
  if (!selection && chosen.max_per_document === undefined && chosen.diversity === undefined) return undefined
  return {
    maxPerDocument: chosen.max_per_document ?? (selection ? Math.ceil(topK * selection.perDocument) : topK),
    isStrict: chosen.max_per_document !== undefined,
    diversity: chosen.diversity ?? selection?.diversity ?? 0,
  }
}

/** What the strategy finds, as its own options and those of every strategy have it. */
export function retrieveSelected(
  strategy: Strategy,
  graph: GraphReader,
  {
    query,
    scores,
    options,
    settings,
    documents,
    worth,
  }: {
    readonly query: Query
    readonly scores: Scores
    readonly options: Options
    readonly settings: Settings
    /** Only these may be named: a text that several hold is counted for the one it is shown of. Absent: all. */
    readonly documents?: ReadonlySet<string> | undefined
    readonly worth?: Worth | undefined
  },
): Retrieved {
  const selection = selectionFor(strategy, options)
  if (worth) return retrieveWeighed(strategy, graph, { query, scores, options, settings, documents, worth, selection })
  if (!selection) return strategy.retrieve(graph, query, scores, options, settings)
  const topK = selection.isStrict ? limits.topK : Math.min(limits.topK, options.topK * limits.wider) // one long document may hold all of fewer
  const wide = strategy.retrieve(graph, query, scores, { ...options, topK }, settings)
  if (wide.kind === 'evidence' && isChosen(wide)) return strategy.retrieve(graph, query, scores, options, settings)
  // Shares of kinds and layers are of what is wanted: what is found beyond that only follows.
  const retrieved = strategy.isRanking ? wide : strategy.retrieve(graph, query, scores, options, settings)
  if (wide.kind !== 'evidence' || retrieved.kind !== 'evidence') return wide.kind === 'evidence' ? retrieved : wide
  const known = new Set(retrieved.found.map((one) => one.id))
  const further = strategy.isRanking ? [] : wide.found.filter((one) => !known.has(one.id) && isText(one.id))
  const found = select(graph, query, [...retrieved.found, ...further], { ...selection, count: options.topK, documents })
  const { trace } = retrieved
  const isTold = typeof trace === 'object' && trace !== null && !Array.isArray(trace)
  const { maxPerDocument, diversity } = selection
  return isTold ? { kind: 'evidence', found, trace: { ...trace, selection: { maxPerDocument, diversity } } } : { ...retrieved, found }
}

/** An overview is no ranking: its pieces were chosen for one another. */
function isChosen({ overview }: Extract<Retrieved, { kind: 'evidence' }>): boolean {
  return overview !== undefined && overview.kind !== 'topic'
}

/** The strategy's order with each score times what its document is worth, and from that what is selected. */
function retrieveWeighed(
  strategy: Strategy,
  graph: GraphReader,
  { query, scores, options, settings, documents, worth, selection }: Weighed,
): Retrieved {
  const wide = strategy.retrieve(graph, query, scores, { ...options, topK: limits.topK }, settings)
  if (wide.kind !== 'evidence') return wide
  if (isChosen(wide)) return strategy.retrieve(graph, query, scores, options, settings)
  const ranked = wide.found
    .map((one) => ({
      ...one,
      score: one.score * (one.score > 0 ? worth(isText(one.id) ? documentOf(graph, one.id, documents) : undefined) : 1),
    }))
    .sort((a, b) => b.score - a.score)
  const found = selection ? select(graph, query, ranked, { ...selection, count: options.topK, documents }) : ranked
  return { ...wide, found }
}

interface Candidate {
  readonly found: Found
  /** Of the best score, as far as the ranking does not contradict it. */
  readonly worth: number
  /** Undefined for what is no passage: a summary stays in its place. */
  readonly document: string | undefined
  readonly words: () => ReadonlySet<string>
}

export function select(
  graph: GraphReader,
  query: Pick<Query, 'terms'>,
  found: readonly Found[],
  {
    count,
    maxPerDocument,
    isStrict,
    diversity,
    documents,
  }: Selection & { readonly count: number; readonly documents?: ReadonlySet<string> | undefined },
): Found[] {
  const asked = diversity > 0 ? discriminativeTerms(graph, query.terms) : []
  const mass = asked.reduce((sum, one) => sum + one.idf, 0) || 1
  const said = new Set<string>()
  const adds = ({ words }: Candidate): number =>
    asked.reduce((sum, { term, idf }) => (!said.has(term) && words().has(term) ? sum + idf : sum), 0) / mass
  const left = candidates(graph, found, documents)
  const chosen: Candidate[] = []
  const perDocument = new Map<string, number>()
  const isOver = ({ document }: Candidate): boolean => document !== undefined && (perDocument.get(document) ?? 0) >= maxPerDocument
  const isRepeated = (one: Candidate): boolean =>
    diversity > 0 &&
    one.document !== undefined &&
    chosen.some((other) => other.document !== undefined && saysSame(one.words(), other.words()))
  const choose = (at: number): void => {
    const [one] = left.splice(at, 1)
    if (!one) return
    chosen.push(one)
    if (one.document !== undefined) perDocument.set(one.document, (perDocument.get(one.document) ?? 0) + 1)
    for (const { term } of asked) if (one.words().has(term)) said.add(term)
  }
  const bestOf = (mayTake: (one: Candidate) => boolean): number => {
    let best = { at: -1, value: Number.NEGATIVE_INFINITY }
    for (const [at, one] of left.entries()) {
      if (best.value >= one.worth + diversity) break // what follows is worth no more
      if (!mayTake(one)) continue
      const value = one.worth + (chosen.length === 0 ? 0 : diversity * adds(one))
      if (value > best.value) best = { at, value }
    }
    return best.at
  }
  const fill = (mayTake: (one: Candidate) => boolean): void => {
    for (let at = bestOf(mayTake); chosen.length < count && at >= 0; at = bestOf(mayTake)) choose(at)
  }
  fill((one) => !isOver(one) && !isRepeated(one))
  fill((one) => !isOver(one))
  if (!isStrict) fill(() => true)
  return chosen.map((one) => one.found)
}

/** In the order of the ranking, each worth no more than the one before. */
function candidates(graph: GraphReader, found: readonly Found[], documents: ReadonlySet<string> | undefined): Candidate[] {
  const best = Math.max(found[0]?.score ?? 0, 1e-9)
  let floor = 1
  return found.map((one) => {
    floor = Math.min(floor, Math.max(0, one.score / best))
    return {
      found: one,
      worth: floor,
      document: isText(one.id) ? documentOf(graph, one.id, documents) : undefined,
      words: wordsOf(graph, isText(one.id) ? one.id : undefined),
    }
  })
}

function isText(id: string): boolean {
  const kind = kindOf(id)
  return kind === 'passage' || kind === 'unit' || kind === 'chunk'
}

/** The document the evidence will name (evidence.ts). */
function documentOf(graph: GraphReader, id: string, documents: ReadonlySet<string> | undefined): string | undefined {
  const places = graph.placements(kindOf(id) === 'chunk' ? id : chunkOf(id))
  return (documents ? places.find((place) => documents.has(place.document)) : places[0])?.document
}

/** Of the text and its title, when first asked for. */
function wordsOf(graph: GraphReader, id: string | undefined): () => ReadonlySet<string> {
  let known: ReadonlySet<string> | undefined
  return () => {
    if (known) return known
    const text = id === undefined ? undefined : graph.text(id)
    const chunk = id === undefined ? undefined : graph.chunk(text?.chunk ?? id)
    known = new Set(chunk ? terms(`${chunk.title}\n${text?.text ?? chunk.text}`, chunk.language) : [])
    return known
  }
}

function saysSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (Math.min(a.size, b.size) < limits.same * Math.max(a.size, b.size)) return false
  let both = 0
  for (const word of a) if (b.has(word)) both++
  return both >= limits.same * (a.size + b.size - both)
}
