/**
 * The passages that may be evidence, from every channel, and what is known of each. Bounded: about 65 passages are read, and the links of fifteen
 * are followed. Empty if nothing leads on from what the question finds first: then there is nothing to know beyond what the channels say.
 */
import { entityWalkDefaults, walkEntities } from '../../channels/entity-walk'
import { byScore, ranked } from '../../channels/order'
import type { GraphReader } from '../../graph/reader'
import type { Hit } from '../../graph/types'
import { chunkOf, passageId } from '../../ids'
import type { Query } from '../../strategy'
import type { Channels, ScoresOf } from './channels'
import type { Fused } from './fuse'
import { HOPS, type HopName, hopsFrom, type Reached } from './hops'
import { passageReading, type ReadPassage } from './passage-reading'

const limits = {
  keyword: 25,
  vector: 15,
  path: 25,
  documents: 25, // that the walk over links reaches
  entities: 20, // passages that the walk over entities reaches
  pushes: 300, // nodes that this walk expands; with 400, recall at 5 is the same
  ofDocument: 4, // passages of a linked document: those that the words find, else its first
  chunks: 64, // of a document; in a larger one only the first passage is taken
  heads: 15,
  headsOfDocument: 2,
} as const

export const FEATURES = ['path', 'named', 'links', 'entities', ...HOPS] as const
export type FeatureName = (typeof FEATURES)[number]
/** All from 0 to 1. */
export type Features = { readonly [name in FeatureName]: number }

export interface Candidate {
  readonly passage: ReadPassage
  readonly features: Features
  /** Passages that led here. */
  readonly from: { readonly [name in HopName]?: string }
}

export interface Pool {
  /** How strongly a candidate is reached by name: 1 if the question says its document's, else the strongest link to one. */
  readonly reached: number
  /** Worked out only when asked for: if nothing is reached, nobody asks. */
  readonly candidates: () => readonly Candidate[]
  /** How much of the question these terms are. */
  readonly share: (covers: number) => number
}

export interface PoolSearch {
  readonly said: Channels
  readonly fused: Pick<Fused, 'seeds' | 'reached'>
}

export function poolFor(graph: GraphReader, query: Query, search: PoolSearch): Pool {
  const { said, fused } = search
  const reached = fused.reached()
  const best = reached[0]?.score ?? 1
  const links = new Map(reached.map((hit) => [hit.id, hit.score / best]))
  const { passages: walked } = walkEntities(graph, query, {
    terms: said.terms,
    hits: fused.seeds,
    source: said.source,
    names: said.names,
    options: entityWalkDefaults,
    pushes: limits.pushes,
  })
  const reading = passageReading(graph, said.source, said.terms, query.admits)
  const ids = candidateIds(graph, search, walked)
  const admitted = ids.map(chunkOf).filter((chunk) => query.admits?.(chunk) ?? true)
  graph.preload?.({ placements: admitted, chunks: admitted, mentioned: admitted })
  const passages = ids.flatMap((id) => reading.passage(id) ?? [])
  const named = new Set(said.named)
  const heads = headsAmong(passages, { seeds: fused.seeds, links, named })
  const hops = hopsFrom(graph, { heads, candidates: passages, reading })
  const entities = new Map(walked.map((hit) => [hit.id, hit.score]))
  return {
    reached: passages.some((one) => named.has(one.document)) ? 1 : hops.out,
    candidates: () => passages.map((passage) => candidateOf(passage, { said, links, entities, named, hops: hops.to(passage.id) })),
    share: reading.share,
  }
}

/** Each once. */
function candidateIds(graph: GraphReader, { said, fused }: PoolSearch, walked: readonly Hit[]): readonly string[] {
  const top = (scores: ScoresOf, count: number): readonly string[] =>
    ranked(scores)
      .slice(0, count)
      .map((hit) => hit.id)
  const documents = new Set([
    ...said.named,
    ...fused
      .reached()
      .slice(0, limits.documents)
      .map((hit) => hit.id),
  ])
  graph.preload?.({ documents: [...documents] })
  const speaking = speakersIn(graph, said.words, fused.seeds)
  return [
    ...new Set([
      ...top(said.keyword, limits.keyword),
      ...top(said.vector, limits.vector),
      ...top(said.path, limits.path),
      ...walked.slice(0, limits.entities).map((hit) => hit.id),
      ...[...documents].flatMap(speaking),
    ]),
  ]
}

/** The passages that speak for a document: the best of those found, and its first while there are few. */
function speakersIn(graph: GraphReader, words: readonly Hit[], seeds: readonly Hit[]): (document: string) => readonly string[] {
  const order = new Map(
    [...seeds, ...words]
      .map((hit) => hit.id)
      .map((id, at) => [id, at] as const)
      .reverse(),
  )
  const byChunk = Map.groupBy(order.keys(), chunkOf)
  const place = (id: string): number => order.get(id) ?? Number.POSITIVE_INFINITY
  return (document) => {
    const chunks = graph.document(document)?.chunks ?? []
    const found = chunks.length > limits.chunks ? [] : chunks.flatMap(({ chunk }) => byChunk.get(chunk) ?? [])
    const best = [...new Set(found)].sort((a, b) => place(a) - place(b)).slice(0, limits.ofDocument)
    const [first] = chunks
    return first && best.length < limits.ofDocument ? [...best, passageId(first.chunk, 0)] : best
  }
}

interface Known {
  readonly seeds: readonly Hit[]
  readonly links: ScoresOf
  readonly named: ReadonlySet<string>
}

/** What the question finds by itself: half by seeds, half by the walk over links, and documents whose name it says. */
function headsAmong(passages: readonly ReadPassage[], { seeds, links, named }: Known) {
  const best = seeds[0]?.score || 1
  const own = new Map(seeds.map((hit) => [hit.id, hit.score / best]))
  const score = (one: ReadPassage): number =>
    ((links.get(one.document) ?? 0) + (own.get(one.id) ?? 0)) / 2 + (named.has(one.document) ? 0.5 : 0)
  const order = passages.map((passage) => ({ id: passage.id, passage, score: score(passage) })).sort(byScore)
  const counts = new Map<string, number>()
  const chosen = order.filter(({ passage }) => {
    const count = (counts.get(passage.document) ?? 0) + 1
    counts.set(passage.document, count)
    return count <= limits.headsOfDocument
  })
  const heaviest = chosen[0]?.score || 1
  return chosen.slice(0, limits.heads).map((one) => ({ passage: one.passage, weight: one.score / heaviest }))
}

interface Said {
  readonly said: Channels
  readonly links: ScoresOf
  readonly entities: ScoresOf
  readonly named: ReadonlySet<string>
  readonly hops: Reached
}

/** Masses of walks count by their square roots: a tenth of the best is worth a third of it. */
function candidateOf(passage: ReadPassage, { said, links, entities, named, hops }: Said): Candidate {
  const features = {
    path: said.path.get(passage.id) ?? 0,
    named: named.has(passage.document) ? 1 : 0,
    links: Math.sqrt(links.get(passage.document) ?? 0),
    entities: Math.sqrt(entities.get(passage.id) ?? 0),
    ...hops.scores,
  }
  return { passage, features, from: hops.from }
}
