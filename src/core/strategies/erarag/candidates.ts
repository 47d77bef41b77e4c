/**
 * What a question may be answered from: passages by keyword and vector, summaries by vector, and the summaries above the best passages, so that the
 * tree can be entered without vectors too. Under a filter a summary counts only if everything below it is admitted.
 */
import { dense } from '../../channels/dense'
import { byScore } from '../../channels/order'
import type { GraphReader } from '../../graph/reader'
import type { GraphNode, Hit } from '../../graph/types'
import { chunkOf, kindOf } from '../../ids'
import type { Query } from '../../strategy'
import { keywordScore, type Measured, matchKeywords, nearness, relevance } from './measure'
import { parentOf, segmentOf } from './tree'

export const entries = {
  passages: 100, // from each channel: the most evidence a call may return
  summaries: 30, // one for every three or so of those: segments hold at least six, so more summaries would repeat each other's passages
  climbed: 10, // best passages from which summaries above them are reached
  filtered: 512, // chunks below a summary that are checked against a filter; larger summaries are left out
} as const

export interface Candidates {
  /** Best first. */
  readonly passages: readonly Hit[]
  readonly summaries: readonly Hit[]
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
  const measured = matchKeywords(graph, query, entries.passages)
  const near = dense(graph, query, measured.matches)
  const words = new Map(measured.matches.map((hit) => [hit.id, hit.score]))
  const first = ranked(relevance(words, near, measured.best))
  const below = summariesAbove(graph, first.slice(0, entries.climbed))
  const nodes = summariesFor(graph, query, below)
  const texts = new Map(nodes.map((node) => [node.id, keywordScore(node.text, measured.words)]))
  const nodesNear = query.vector ? nodes.map((node) => ({ id: node.id, score: nearness(query, node) })) : []
  const all =
    rank === 'cosine' && query.vector
      ? new Map([...near, ...nodesNear].map(({ id, score }) => [id, score]))
      : relevance(new Map([...words, ...texts]), [...near, ...nodesNear], measured.best)
  const hits = ranked(all)
  const isSummary = new Set(nodes.map((node) => node.id))
  return {
    passages: hits.filter((hit) => !isSummary.has(hit.id)),
    summaries: hits.filter((hit) => isSummary.has(hit.id)),
    known: all,
    below,
    measured,
    promised: new Map(),
  }
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
  if (graph.trees) return graph.trees.below(node.id)?.isAdmitted ?? false
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
