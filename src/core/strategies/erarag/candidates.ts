/**
 * What a question may be answered from: passages by keyword and vector, summaries by vector, and the summaries above the best passages, so that the
 * tree can be entered without vectors too. Under a filter a summary counts only if everything below it is admitted.
 */
import { dense } from '../../channels/dense'
import { byScore } from '../../channels/order'
import type { GraphReader, Search } from '../../graph/reader'
import type { GraphNode, Hit } from '../../graph/types'
import { chunkOf, kindOf } from '../../ids'
import type { Query } from '../../strategy'
import { type Measured, matchKeywords, nearness, relevance, summaryScore } from './measure'
import { parentOf, segmentOf } from './tree'

export const entries = {
  passages: 100, // from each channel: the most evidence a call may return
  summaries: 30, // one for every three or so of those: segments hold at least six, so more summaries would repeat each other's passages
  climbed: 10, // best passages from which summaries above them are reached
  filtered: 512, // chunks below a summary that are checked against a filter; larger summaries are left out
} as const

export interface Candidates extends Passages {
  /** Best first. */
  readonly passages: readonly Hit[]
  readonly summaries: readonly Hit[]
}

/** What was found out about passages. */
export interface Passages {
  /** Relevance of every passage that was measured. */
  readonly known: ReadonlyMap<string, number>
  /** By summary: the best passages found below it, best first. */
  readonly below: ReadonlyMap<string, readonly string[]>
  readonly measured: Measured
  /** How promising summaries are as ways down, once computed (`support.ts`). */
  readonly promised: Map<string, number>
}

/** `cosine`: as in the paper, by nearness alone; without a question vector, words decide all the same. */
export type Rank = 'fused' | 'cosine'

export function candidatesFor(graph: GraphReader, query: Query, rank: Rank = 'fused'): Candidates {
  const found = findPassages(graph, query)
  const { words, near, measured } = found
  const nodes = summariesFor(graph, query, found.below)
  const texts = nodes.map((node) => [node.id, summaryScore(graph.trees?.summary(node.id) ?? { node }, measured.words)] as const)
  const all =
    rank === 'cosine' && query.vector
      ? new Map([...near, ...nearOf(query, nodes)].map(({ id, score }) => [id, score]))
      : relevance(new Map([...words, ...texts]), [...near, ...nearOf(query, nodes)], measured.best)
  const hits = ranked(all)
  const isSummary = new Set(nodes.map((node) => node.id))
  return {
    ...found,
    passages: hits.filter((hit) => !isSummary.has(hit.id)),
    summaries: hits.filter((hit) => isSummary.has(hit.id)),
    known: all,
  }
}

/** Relevance of passages alone, the same among summaries that are not ranked themselves: for who is asked only what bears some of these out. */
export function passagesFor(graph: GraphReader, query: Query, search?: Search): Passages {
  const found = findPassages(graph, query, search)
  const nodes = summariesFor(graph, query, found.below)
  return { ...found, known: relevance(found.words, [...found.near, ...nearOf(query, nodes)], found.measured.best) }
}

function findPassages(graph: GraphReader, query: Query, search?: Search) {
  const measured = matchKeywords(graph, query, entries.passages, search)
  const near = dense(graph, query, measured.matches)
  const words = new Map(measured.matches.map((hit) => [hit.id, hit.score]))
  const first = ranked(relevance(words, near, measured.best)).slice(0, entries.climbed)
  return { measured, near, words, below: summariesAbove(graph, first), promised: new Map<string, number>() }
}

function nearOf(query: Query, nodes: readonly GraphNode[]): Hit[] {
  return query.vector ? nodes.map((node) => ({ id: node.id, score: nearness(query, node) })) : []
}

/** Summaries above passages, each with those passages, best first. */
function summariesAbove(graph: GraphReader, passages: readonly Hit[]): Map<string, string[]> {
  const below = new Map<string, string[]>()
  for (const { id } of passages) for (const at of above(graph, chunkOf(id))) below.set(at, [...(below.get(at) ?? []), id])
  return below
}

/** The summaries above a chunk, lowest first. */
export function above(graph: GraphReader, chunk: string): readonly string[] {
  if (graph.trees) return graph.trees.above(chunk)
  const out: string[] = []
  for (let at = parentOf(graph, chunk); at !== undefined; at = parentOf(graph, at)) out.push(at)
  return out
}

function summariesFor(graph: GraphReader, query: Query, below: ReadonlyMap<string, readonly string[]>): GraphNode[] {
  const ids = new Set([...(query.near.summary ?? []).map((hit) => hit.id), ...below.keys()])
  return [...ids].flatMap((id): GraphNode[] => {
    const node = graph.node(id)
    return node?.kind === 'summary' && node.text !== '' && isAdmitted(graph, node, query.admits) ? [node] : []
  })
}

export function isAdmitted(graph: GraphReader, node: GraphNode, admits: Query['admits']): boolean {
  if (!admits) return true
  if (graph.trees) return graph.trees.summary(node.id)?.isAdmitted ?? false
  const { leaves, members } = segmentOf(node)
  if (leaves > entries.filtered) return false
  return members.every((id) => {
    if (kindOf(id) === 'chunk') return admits(id)
    const child = graph.node(id)
    return child !== undefined && isAdmitted(graph, child, admits)
  })
}

function ranked(scores: ReadonlyMap<string, number>): Hit[] {
  return [...scores].map(([id, score]) => ({ id, score })).sort(byScore)
}
