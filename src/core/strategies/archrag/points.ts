/**
 * What the layers found have to say, point by point (ArchRAG, §3.2.2): passages that bear out relations among and around the entities found,
 * passages that speak of them, and the reports of communities. Every point has a relevance on one scale and leads to passages.
 */
import { bearings } from '../../builders/relations'
import { dense } from '../../channels/dense'
import { byScore, ranked } from '../../channels/order'
import { otherEnd } from '../../graph/edge-ends'
import type { GraphReader } from '../../graph/reader'
import type { Edge, GraphNode, Hit } from '../../graph/types'
import { chunkOf } from '../../ids'
import type { Found, Query } from '../../strategy'
import { cosine } from '../../vectors'
import { communityOf } from './community'
import { passageOf, passagesOf } from './entities'
import type { ArchOptions } from './options'
import { keywordShare, matchQuestion, type QuestionMatches, relevance } from './relevance'
import { descriptionOf, nameOf } from './report-input'
import type { Layered } from './search'

const limits = {
  candidates: 100, // passages from each channel
  degree: 24, // relations read for one entity, strongest first
  chunks: 3, // whose passages speak for an entity
  support: 3, // passages named for each community; the first that can be shown is shown with it
  beam: 2, // children followed down at each layer to find them
} as const
const weights = {
  relation: 0.3, // of a relation's own relevance, added to the passage that bears it out
  entity: 0.1, // for a passage that speaks of an entity found
} as const

export interface Points {
  /** Passages and communities, best first; communities do not have the passages that bear them out yet. */
  readonly found: readonly Found[]
  /** Those passages, best first; empty only if the caller may see none. */
  readonly support: (community: string) => readonly string[]
  /** The relations read out, best first. */
  readonly relations: readonly Edge[]
}

export function pointsOf(graph: GraphReader, query: Query, layered: Layered, own: ArchOptions): Points {
  const question = matchQuestion(graph, query, limits.candidates)
  const entities = (layered.layers[0] ?? []).map((one) => one.id)
  const relations = relevantRelations(graph, query, question, entities, own)
  const via = new Map<string, string>()
  const bonus = new Map<string, number>()
  const lead = (passage: string, worth: number, how: string): void => {
    if (query.admits && !query.admits(chunkOf(passage))) return
    if (worth > (bonus.get(passage) ?? 0)) via.set(passage, how)
    bonus.set(passage, Math.max(worth, bonus.get(passage) ?? 0))
  }
  for (const { edge, score } of relations) {
    for (const passage of passagesBearing(graph, edge)) lead(passage, weights.relation * score, 'relation')
  }
  for (const entity of entities) for (const passage of passagesOf(graph, entity, limits.chunks)) lead(passage, weights.entity, 'entity')
  const nodes = layered.layers
    .slice(1)
    .flatMap((hits) => hits.flatMap(({ id }) => graph.node(id) ?? []))
    .filter((node) => node.text !== '')
  const scores = scoreAll(graph, query, question, { passages: [...bonus.keys()], nodes, own })
  for (const [id, worth] of bonus) scores.set(id, (scores.get(id) ?? 0) + worth)
  const communities = new Map(nodes.map((node) => [node.id, node]))
  const found = ranked(scores).map((hit): Found => {
    const node = communities.get(hit.id)
    return { ...hit, via: node ? `layer ${node.layer}` : (via.get(hit.id) ?? 'passage') }
  })
  const support = (id: string): readonly string[] => {
    const node = communities.get(id)
    return node ? supportOf(graph, query, question, scores, node) : []
  }
  return { found, support, relations: relations.map((one) => one.edge) }
}

interface Relation {
  readonly edge: Edge
  readonly score: number
}

/** Both ends count, whichever way round a relation was written. */
function relevantRelations(
  graph: GraphReader,
  query: Query,
  question: QuestionMatches,
  entities: readonly string[],
  own: ArchOptions,
): readonly Relation[] {
  const here = new Set(entities)
  const edges = new Map<string, Edge>()
  for (const entity of entities) {
    for (const edge of graph.edges('relates', entity, limits.degree)) {
      if (own.around || here.has(otherEnd(edge, entity))) edges.set(`${edge.source} ${edge.target}`, edge)
    }
  }
  const shares = new Map<string, number>()
  const near: Hit[] = []
  for (const [key, edge] of edges) {
    shares.set(key, keywordShare(`${nameOf(graph, edge.source)} ${nameOf(graph, edge.target)} ${descriptionOf(edge)}`, question))
    const [passage] = passagesBearing(graph, edge)
    const vector = passage === undefined ? undefined : graph.vector(passage)
    if (query.vector && vector) near.push({ id: key, score: cosine(query.vector, vector) })
  }
  return ranked(relevance(shares, near))
    .slice(0, own.relations)
    .flatMap(({ id, score }) => {
      const edge = edges.get(id)
      return edge ? [{ edge, score }] : []
    })
}

function passagesBearing(graph: GraphReader, edge: Edge): readonly string[] {
  const [best] = [...bearings(edge)].sort((a, b) => b.strength - a.strength || (a.chunk < b.chunk ? -1 : 1))
  const chunk = best && graph.chunk(best.chunk)
  return chunk ? [passageOf(graph, chunk, best.unit)] : []
}

interface Candidates {
  readonly passages: readonly string[]
  readonly nodes: readonly GraphNode[]
  readonly own: ArchOptions
}

function scoreAll(graph: GraphReader, query: Query, question: QuestionMatches, { passages, nodes, own }: Candidates): Map<string, number> {
  const matches = own.passages ? question.matches : []
  const all = own.passages ? dense(graph, query, matches) : []
  const shares = new Map(matches.map((hit) => [hit.id, hit.score / question.best]))
  const near = new Map(all.map((hit) => [hit.id, hit]))
  for (const id of passages) {
    if (!shares.has(id)) shares.set(id, keywordShare(graph.text(id)?.text ?? '', question))
    const vector = graph.vector(id)
    if (query.vector && vector) near.set(id, { id, score: cosine(query.vector, vector) })
  }
  for (const node of nodes) {
    shares.set(node.id, keywordShare(node.text, question))
    if (query.vector && node.vector) near.set(node.id, { id: node.id, score: cosine(query.vector, node.vector) })
  }
  return relevance(shares, [...near.values()].sort(byScore))
}

/** The passages below a community that answer the question best, reached through the most promising children of each layer. */
function supportOf(
  graph: GraphReader,
  query: Query,
  question: QuestionMatches,
  scores: ReadonlyMap<string, number>,
  node: GraphNode,
): readonly string[] {
  let level: readonly GraphNode[] = [node]
  while ((level[0]?.layer ?? 1) > 1) {
    const children = level.flatMap((one) => communityOf(one).members.flatMap((id) => graph.node(id) ?? []))
    level = best(children, limits.beam, (child) => ({ id: child.id, score: promise(query, question, child) }))
  }
  const members = level.flatMap((one) => communityOf(one).members)
  const passages = [...new Set(members.flatMap((id) => passagesOf(graph, id, 1)))].filter((id) => query.admits?.(chunkOf(id)) ?? true)
  const worth = (id: string): number => scores.get(id) ?? keywordShare(graph.text(id)?.text ?? '', question) - 1
  return best(passages, limits.support, (id) => ({ id, score: worth(id) }))
}

function promise(query: Query, question: QuestionMatches, { text, vector }: GraphNode): number {
  return keywordShare(text, question) + (query.vector && vector ? cosine(query.vector, vector) : 0)
}

function best<T>(items: readonly T[], count: number, hit: (item: T) => Hit): readonly T[] {
  return items
    .map((item) => ({ item, ...hit(item) }))
    .sort(byScore)
    .slice(0, count)
    .map((one) => one.item)
}
