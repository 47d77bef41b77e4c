/**
 * From found nodes to evidence: texts, exact places in documents, supporting passages, no text twice, within the budget.
 * The same for every strategy, so that every citation can be checked the same way. Reads the graph, changes nothing.
 */

import { type ChunkPlace, documentAround, type Run, withNeighbours } from './document-runs'
import type { GraphReader } from './graph/reader'
import type { Placement } from './graph/types'
import { chunkOf, kindOf } from './ids'
import type { EarlierStatement } from './reader/earlier-statements'
import type { Found } from './strategy'
import type { Dates } from './text/iso-date'
import type { Location } from './text/outline'
import { countTokens } from './text/tokens'

export interface Evidence extends Location {
  readonly id: string
  readonly kind: string
  readonly layer: number
  readonly score: number
  readonly text: string
  readonly tokens: number
  /** Null for summaries, communities and entities; a supporting passage follows those. */
  readonly document: string | null
  readonly chunk: string | null
  /** UTF-16 offsets into the stored document text: the slice equals `text`. */
  readonly start: number | null
  readonly end: number | null
  readonly title?: string
  readonly url?: string | null
  /** Of its document. */
  readonly dates?: Dates
  /** What statements of it said before versions of its document changed them. */
  readonly earlier?: readonly EarlierStatement[]
  readonly via: string
  /** The text does not yet describe the node's present members. */
  readonly stale?: boolean
  /** The passages before and after it with it between them, where they were asked for. */
  readonly context?: Run
  /** Other places with the same text. */
  readonly also?: readonly { readonly document: string; readonly start: number; readonly end: number }[]
}

/** How much of a document a piece of evidence is. */
export const granularities = ['passage', 'chunk', 'document'] as const

export type Granularity = (typeof granularities)[number]

export interface Limits {
  readonly topK: number
  readonly budget: number
  /** Absent: what the strategy found. */
  readonly granularity?: Granularity
  /** Passages on each side that are given as context; they count for the budget. Absent: none. */
  readonly neighbours?: number
  /** Only these documents may be named. Absent: all. */
  readonly documents?: ReadonlySet<string>
}

export function present(graph: GraphReader, found: readonly Found[], limits: Limits): Evidence[] {
  const out: Evidence[] = []
  const at = new Map<string, number>()
  const whole = new Set<string>() // documents that are shown as such
  let left = limits.budget
  for (const one of found) {
    if (out.length >= limits.topK) break
    const items = resolve(graph, one, limits).flatMap((item) =>
      limits.granularity === 'document' ? (asDocument(graph, item, left, whole) ?? []) : item,
    )
    const first = items[0]
    if (!first) continue
    const known = at.get(first.text)
    if (known !== undefined) {
      out[known] = merge(out[known] as Evidence, first)
      continue
    }
    const fresh = items.filter((item) => !at.has(item.text))
    const cost = fresh.reduce((sum, item) => sum + tokensOf(item), 0)
    // Skip what does not fit and go on: a shorter one further down may.
    if (cost > left || out.length + fresh.length > limits.topK) continue
    for (const item of fresh) {
      at.set(item.text, out.length)
      out.push(item)
      if (item.kind === DOCUMENT && item.document !== null) whole.add(item.document)
    }
    left -= cost
  }
  return limits.neighbours ? withContext(graph, out, limits.neighbours, left) : out
}

const DOCUMENT = 'document'

/** What it counts for in a budget. */
/** How much of what is expected is among the first k pieces, and at which place (from 1) the first of it is; null: nowhere. */
export function findingAmong(
  evidence: readonly Pick<Evidence, 'document' | 'also'>[],
  expected: readonly string[],
  k: number,
): { readonly recall: number; readonly rank: number | null } {
  const pieces = evidence.map((one) => [one.document, ...(one.also ?? [])])
  const documents = new Set(pieces.flat())
  const place = pieces.findIndex((own) => expected.some((id) => own.includes(id)))
  return {
    recall: expected.filter((id) => documents.has(id)).length / Math.min(k, expected.length),
    rank: place < 0 ? null : place + 1,
  }
}

export function tokensOf({ tokens, context }: Evidence): number {
  return context?.tokens ?? tokens
}

/** Best first, as far as the budget goes. */
function withContext(graph: GraphReader, evidence: readonly Evidence[], count: number, budget: number): Evidence[] {
  let left = budget
  return evidence.map((one) => {
    const place = one.kind === DOCUMENT ? undefined : placeOf(graph, one)
    const context =
      place && one.start !== null && one.end !== null ? withNeighbours(graph, place, { start: one.start, end: one.end }, count) : undefined
    const cost = context ? context.tokens : 0
    if (!context || cost > left) return one
    left -= cost
    return { ...one, context: { ...context, tokens: one.tokens + context.tokens } }
  })
}

/** The document it is of, or as much around it as there is room for; undefined where that is shown already. What does not fit stays as it is. */
function asDocument(graph: GraphReader, one: Evidence, room: number, shown: ReadonlySet<string>): Evidence | undefined {
  if (one.document !== null && shown.has(one.document)) return undefined
  const place = placeOf(graph, one)
  const run = place && documentAround(graph, place, room)
  if (!place || !run) return one
  const { also: _, ...own } = one
  return { ...own, ...run, id: place.document, kind: DOCUMENT, chunk: null }
}

function placeOf(graph: GraphReader, { id, document, chunk, start }: Evidence): ChunkPlace | undefined {
  if (document === null || chunk === null || start === null) return undefined
  const within = graph.text(id)?.start ?? 0
  return { document, chunk, start: start - within }
}

function resolve(graph: GraphReader, found: Found, limits: Limits): Evidence[] {
  const kind = kindOf(found.id)
  if (kind === 'passage' || kind === 'unit' || kind === 'chunk') {
    const item = located(graph, limits.granularity === 'chunk' ? { ...found, id: chunkOf(found.id) } : found, limits)
    return item ? [item] : []
  }
  const node = graph.node(found.id)
  const text = found.text ?? node?.text
  if (!node || !text) return []
  const own: Evidence = {
    id: node.id,
    kind: node.kind,
    layer: node.layer,
    score: found.score,
    text,
    tokens: (found.text === undefined && node.tokens) || countTokens(text),
    document: null,
    chunk: null,
    start: null,
    end: null,
    via: found.via,
    ...(node.stale ? { stale: true } : {}),
  }
  for (const id of found.support ?? []) {
    const support = located(graph, { id, score: found.score, via: `supports ${node.id}` }, limits)
    if (support) return [own, support]
  }
  return [] // what leads to no passage cannot be checked, so it is not evidence
}

function located(graph: GraphReader, found: Found, limits: Limits): Evidence | undefined {
  const text = graph.text(found.id)
  const chunk = graph.chunk(text?.chunk ?? found.id)
  if (!chunk) return undefined
  const places = allowed(graph.placements(chunk.id), limits.documents)
  const first = places[0]
  if (!first) return undefined
  const start = text?.start ?? 0
  const end = text?.end ?? chunk.text.length
  const document = graph.document(first.document)
  const also = places.slice(1).map((place) => ({ document: place.document, start: place.start + start, end: place.start + end }))
  return {
    id: found.id,
    kind: text?.kind ?? 'chunk',
    layer: 0,
    score: found.score,
    text: chunk.text.slice(start, end),
    tokens: text?.tokens ?? chunk.tokens,
    document: first.document,
    chunk: chunk.id,
    start: first.start + start,
    end: first.start + end,
    title: document?.title ?? '',
    url: document?.url ?? null,
    via: found.via,
    ...(also.length > 0 ? { also } : {}),
  }
}

function allowed(places: readonly Placement[], documents: ReadonlySet<string> | undefined): readonly Placement[] {
  return documents ? places.filter((place) => documents.has(place.document)) : places
}

/** Two nodes with the same text are one piece of evidence that names both places, the smallest document first. */
function merge(kept: Evidence, other: Evidence): Evidence {
  if (kept.document === null || other.document === null || kept.start === null || other.start === null) return kept
  const length = kept.text.length
  const places = [kept, other].flatMap((item) => [
    { document: item.document as string, start: item.start as number, end: (item.start as number) + length, from: item },
    ...(item.also ?? []).map((place) => ({ ...place, from: item })),
  ])
  places.sort((a, b) => (a.document < b.document ? -1 : a.document > b.document ? 1 : a.start - b.start))
  const distinct = places.filter(
    (place, i) => i === 0 || place.document !== places[i - 1]?.document || place.start !== places[i - 1]?.start,
  )
  const [first, ...rest] = distinct
  if (!first) return kept
  const { from, document, start, end } = first
  return {
    ...kept,
    id: from.id,
    chunk: from.chunk,
    document,
    start,
    end,
    title: from.title ?? '',
    url: from.url ?? null,
    also: rest.map((place) => ({ document: place.document, start: place.start, end: place.end })),
  }
}
