/**
 * What leads from the passages that the question finds first ("heads") to another: the head says its name, or it says the head's; their two
 * sentences together say much of the question; they share a rare name, and it says what the head leaves open. Each score is the best over the
 * heads, kept with the head that gives it. Reads the links and the entities of the heads.
 */
import { documentKeys } from '../../builders/document-names'
import { mentionCount, mentionCounts } from '../../builders/mentions'
import { memoize } from '../../builders/said-names'
import { once } from '../../channels/clue'
import type { GraphReader } from '../../graph/reader'
import type { Edge } from '../../graph/types'
import { keyWords, occurs } from '../../text/occurrences'
import type { PassageReading, ReadPassage, ReadUnit } from './passage-reading'

const limits = {
  links: 64, // read for a head's document, each way
  sharers: 30, // chunks an entity may be in and still connect passages
  chunks: 8, // of a document whose name leads to it: a long document is named for reasons other than what is asked
} as const
const PER_TOKEN = 0.002 // what a token of two sentences costs, in shares of the question

export interface Head {
  readonly passage: ReadPassage
  /** Relative to the best head, up to 1. */
  readonly weight: number
}

export const HOPS = ['out', 'back', 'pair', 'shared', 'sharedGain'] as const
export type HopName = (typeof HOPS)[number]

export interface Reached {
  readonly scores: { readonly [name in HopName]: number }
  /** The passage each score comes from. */
  readonly from: { readonly [name in HopName]?: string }
}

export interface HopSearch {
  readonly heads: readonly Head[]
  readonly candidates: readonly ReadPassage[]
  readonly reading: PassageReading
}

interface Found {
  readonly scores: { [name in HopName]: number }
  readonly from: { [name in HopName]?: string }
}

const NOWHERE: Reached = { scores: { out: 0, back: 0, pair: 0, shared: 0, sharedGain: 0 }, from: {} }

type Note = (passage: string, name: HopName, value: number, from: string) => void

interface Hops {
  /** The strongest link that leads on from a head. */
  readonly out: number
  /** For one passage; zeros if nothing leads to it. */
  readonly to: (passage: string) => Reached
}

/** Links are followed at once; shared names are read only when first asked for. */
export function hopsFrom(graph: GraphReader, search: HopSearch): Hops {
  const reached = new Map<string, Found>()
  const note: Note = (passage, name, value, from) => {
    if (value <= 0) return
    const known = reached.get(passage) ?? { scores: { ...NOWHERE.scores }, from: {} }
    if (value <= known.scores[name]) return
    known.scores[name] = value
    known.from[name] = from
    reached.set(passage, known)
  }
  followLinks(graph, search, note)
  const out = [...reached.values()].reduce((most, { scores }) => Math.max(most, scores.out), 0)
  const withNames = once(() => shareNames(graph, search, note))
  return {
    out,
    to: (passage) => {
      withNames()
      return reached.get(passage) ?? NOWHERE
    },
  }
}

function followLinks(graph: GraphReader, { heads, candidates, reading }: HopSearch, note: Note): void {
  const byDocument = Map.groupBy(candidates, (one) => one.document)
  const links = linksAmong(graph, byDocument)
  const saying = sayingIn(graph, reading)
  const strength = memoize((document: string): number => {
    const chunks = graph.document(document)?.chunks.length ?? 0
    return chunks === 0 || chunks > limits.chunks ? 0 : 1 / Math.sqrt(chunks)
  })
  /** How well `one` says the name of `other`; undefined if it does not say it. */
  const follow = (one: ReadPassage, other: ReadPassage, data: Edge['data']): number | undefined => {
    const link = isSaidIn(data, one.chunk) ? strength(other.document) : 0
    const units = link > 0 ? saying(one, other.document) : []
    if (units.length === 0) return undefined
    const both = link * bestPair(reading, units, other.units())
    note(one.id, 'pair', both, other.id)
    note(other.id, 'pair', both, one.id)
    return link
  }
  for (const { passage: head, weight } of heads) {
    for (const { document, data } of links.from(head.document)) {
      for (const other of byDocument.get(document) ?? []) note(other.id, 'out', weight * (follow(head, other, data) ?? 0), head.id)
    }
    for (const { document, data } of links.to(head.document)) {
      for (const other of byDocument.get(document) ?? []) note(other.id, 'back', weight * (follow(other, head, data) ?? 0), head.id)
    }
  }
}

interface Linked {
  /** The other end. */
  readonly document: string
  /** Chunks that say the name. */
  readonly data: Edge['data']
}

/** Links between documents that both have candidates. */
function linksAmong(graph: GraphReader, byDocument: ReadonlyMap<string, unknown>) {
  const among = (edges: readonly Edge[], end: 'source' | 'target'): readonly Linked[] =>
    edges.flatMap((edge) => (byDocument.has(edge[end]) ? [{ document: edge[end], data: edge.data }] : []))
  return {
    from: memoize((document: string) => among(graph.edges('links', document, limits.links), 'target')),
    to: memoize((document: string) => among(graph.edgesTo('links', document, limits.links), 'source')),
  }
}

/** Sentences of a passage that say a document's name. */
function sayingIn(graph: GraphReader, reading: PassageReading): (passage: ReadPassage, document: string) => readonly ReadUnit[] {
  const namesOf = memoize((document: string) => {
    const record = graph.document(document)
    return record ? documentKeys(record).map(keyWords) : []
  })
  const known = memoize((passage: ReadPassage) =>
    memoize((document: string) => passage.units().filter((unit) => namesOf(document).some((name) => occurs(reading.words(unit), name)))),
  )
  return (passage, document) => known(passage)(document)
}

/** Names that the heads share with few other passages. */
function shareNames(graph: GraphReader, { heads, candidates, reading }: HopSearch, note: Note): void {
  graph.preload?.({ mentioned: candidates.map((one) => one.chunk) })
  const sharing = byEntity(reading, candidates, new Set(heads.flatMap(({ passage }) => reading.entities(passage))))
  const isShared = ([, passages]: readonly [string, readonly ReadPassage[]]): boolean => passages.length > 1
  graph.preload?.(mentionCounts([...sharing].filter(isShared).map(([entity]) => entity)))
  const all = Math.log(Math.max(3, graph.count('chunk')))
  const rarity = memoize((entity: string): number => {
    const chunks = mentionCount(graph, entity) ?? 0
    return chunks >= 1 && chunks <= limits.sharers ? Math.max(0, (all - Math.log(chunks)) / all) : 0
  })
  for (const { passage: head, weight } of heads) {
    const gain = memoize((other: ReadPassage) => gainOver(reading, head, other))
    for (const entity of reading.entities(head)) {
      const others = (sharing.get(entity) ?? []).filter((one) => one.document !== head.document)
      const value = others.length > 0 ? weight * rarity(entity) : 0
      for (const other of value > 0 ? others : []) {
        note(other.id, 'shared', value, head.id)
        note(other.id, 'sharedGain', value * gain(other), head.id)
      }
    }
  }
}

/** Which of these passages mention each of the entities. */
function byEntity(
  reading: PassageReading,
  passages: readonly ReadPassage[],
  entities: ReadonlySet<string>,
): ReadonlyMap<string, readonly ReadPassage[]> {
  const mentioning = new Map([...entities].map((entity) => [entity, [] as ReadPassage[]]))
  for (const one of passages) for (const entity of reading.entities(one)) mentioning.get(entity)?.push(one)
  return mentioning
}

/** What the best sentence of a passage says of what the head leaves open in the question. */
function gainOver(reading: PassageReading, head: ReadPassage, other: ReadPassage): number {
  const open = ~head.covers()
  return other.units().reduce((best, unit) => Math.max(best, reading.share(unit.covers & open)), 0)
}

function bestPair(reading: PassageReading, a: readonly ReadUnit[], b: readonly ReadUnit[]): number {
  let best = 0
  for (const one of a) {
    for (const two of b) best = Math.max(best, reading.share(one.covers | two.covers) - PER_TOKEN * (one.tokens + two.tokens))
  }
  return best
}

function isSaidIn(data: Edge['data'], chunk: string): boolean {
  return Array.isArray(data) && data.includes(chunk)
}
