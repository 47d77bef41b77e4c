/**
 * The passages that bear a summary out: those below it that answer the question best. The tree is walked down through the two most promising
 * children at each layer; a chunk outside the caller's filter supports nothing.
 */
import { byScore } from '../../channels/order'
import type { GraphReader } from '../../graph/reader'
import type { GraphNode, Hit } from '../../graph/types'
import { kindOf } from '../../ids'
import type { Query } from '../../strategy'
import { cosine } from '../../vectors'
import type { Passages } from './candidates'
import { keywordScore, measureWeights, nearness } from './measure'
import { segmentOf } from './tree'

export const support = {
  beam: 2, // children followed at each layer
  passages: 3, // named for each summary; the first that can be shown is shown with it
} as const

/** Best first; empty only for a summary without admitted chunks. */
export function supportOf(graph: GraphReader, query: Query, found: Passages, node: GraphNode): readonly string[] {
  const below = found.below.get(node.id) ?? graph.trees?.support(node.id) ?? passagesBelow(graph, query, found, node).map((hit) => hit.id)
  return below.slice(0, support.passages)
}

function passagesBelow(graph: GraphReader, query: Query, found: Passages, node: GraphNode): Hit[] {
  let level: readonly GraphNode[] = [node]
  while ((level[0]?.layer ?? 1) > 1) {
    const children = level.flatMap((one) => segmentOf(one).members.flatMap((id) => graph.node(id) ?? []))
    const scored = children.map((child) => ({ id: child.id, score: promiseOf(query, found, child), child }))
    level = scored
      .sort(byScore)
      .slice(0, support.beam)
      .map(({ child }) => child)
  }
  const chunks = level.flatMap((one) => segmentOf(one).members.filter((id) => kindOf(id) === 'chunk' && (query.admits?.(id) ?? true)))
  const passages = chunks.flatMap((id) => graph.chunk(id)?.passages ?? [])
  return passages.map(({ id }): Hit => ({ id, score: scoreOf(graph, query, found, id) })).sort(byScore)
}

/** Remembered for the question, since nearby summaries have the same children below them. */
function promiseOf(query: Query, { measured, promised }: Passages, node: GraphNode): number {
  const known = promised.get(node.id)
  if (known !== undefined) return known
  const made = keywordScore(node.text, measured.words) / measured.best + measureWeights.vector * nearness(query, node)
  promised.set(node.id, made)
  return made
}

/** A passage that no channel found ranks by its cosine, after those that a channel found. */
function scoreOf(graph: GraphReader, query: Query, { known }: Passages, id: string): number {
  const score = known.get(id)
  if (score !== undefined) return score
  const vector = query.vector && graph.vector(id)
  return query.vector && vector ? cosine(query.vector, vector) - 1 : -1
}
