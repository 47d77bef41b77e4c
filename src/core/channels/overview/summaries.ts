/**
 * Summaries for broad questions. A question that asks about the whole corpus, names nothing, and has only common words otherwise, is not answered by any
 * single passage: what is above several of the passages found says more. EraRAG's summaries if the corpus has them, otherwise the reports of ArchRAG's
 * communities. Under a filter there are none, since a summary covers everything below it.
 */

import { mentionsOf } from '../../builders/mention-list'
import type { GraphReader } from '../../graph/reader'
import type { GraphNode, Hit } from '../../graph/types'
import { chunkOf } from '../../ids'
import type { Found, Query } from '../../strategy'
import { terms } from '../../text/terms'
import { discriminativeTerms } from '../lexical'

const overviewLimits = {
  rare: 0.02, // share of passages: a word in fewer names what is asked for
  passages: 20, // best passages whose summaries are looked at
  layers: 5, // climbed at most
  min: 2, // passages found below a summary that is shown
  summaries: 3, // shown
  entities: 8, // of a chunk whose communities are looked at, those in most of its units
} as const

/** Words that ask about the whole and say nothing else. A question without one may ask for a single thing in common words. */
const WHOLE = new Set(
  terms(
    `main overall overview summary summarise summarize theme topic trend
    überblick zusammenfassung themen hauptthemen aperçu résumé thèmes principaux resumen temas principales обзор темы 概要 总结 主题`,
  ),
)

/** Does the question ask about the whole, and about no particular thing? `names`: documents it names. */
export function isBroad(graph: GraphReader, query: Query, names: number): boolean {
  if (names > 0 || !query.terms.some((term) => WHOLE.has(term))) return false
  const rare = overviewLimits.rare * graph.count('passage')
  return discriminativeTerms(graph, query.terms).every(({ term, frequency }) => WHOLE.has(term) || frequency > rare)
}

/** How many passages are looked at, and how many summaries of them shown. */
interface SummaryLimits {
  readonly passages: number
  readonly summaries: number
}

/** Summaries above the passages found, those above most of them first, the lower of equals; none that stands above or below a passage together with another that is shown. */
export function summariesAbove(graph: GraphReader, passages: readonly Hit[], limits: SummaryLimits = overviewLimits): Found[] {
  const below = new Map<string, { readonly node: GraphNode; readonly passages: string[]; readonly line: ReadonlySet<string> }>()
  for (const { id } of passages.slice(0, limits.passages)) {
    const line = above(graph, chunkOf(id))
    const ids = new Set(line.map((node) => node.id))
    for (const node of line) {
      const known = below.get(node.id) ?? { node, passages: [], line: ids }
      below.set(node.id, known)
      known.passages.push(id)
    }
  }
  const order = [...below.values()]
    .filter((one) => one.passages.length >= overviewLimits.min)
    .sort((a, b) => b.passages.length - a.passages.length || a.node.layer - b.node.layer || (a.node.id < b.node.id ? -1 : 1))
  const chosen: typeof order = []
  for (const one of order) {
    if (chosen.length >= limits.summaries) break
    if (!chosen.some((other) => other.line.has(one.node.id) || one.line.has(other.node.id))) chosen.push(one)
  }
  const score = passages[0]?.score ?? 0
  return chosen.map((one) => ({ id: one.node.id, score, via: 'overview', support: one.passages.slice(0, 3) }))
}

/** What stands above a chunk and has a text: its summaries; where there are none, the communities of the entities it mentions. */
function above(graph: GraphReader, chunk: string): readonly GraphNode[] {
  const summaries = nodesAbove(graph, chunk, 'summary')
  if (summaries.length > 0 || graph.count('community') === 0) return summaries
  const entities = [...mentionsOf(graph, chunk)].sort((a, b) => b.units.length - a.units.length).slice(0, overviewLimits.entities)
  const found = new Map(entities.flatMap(({ entity }) => nodesAbove(graph, entity, 'community')).map((node) => [node.id, node]))
  return [...found.values()]
}

/** From the lowest up. */
function nodesAbove(graph: GraphReader, from: string, kind: 'summary' | 'community'): GraphNode[] {
  if (graph.trees && kind === 'summary')
    return graph.trees
      .above(from)
      .flatMap((id) => graph.node(id) ?? [])
      .filter((node) => node.text !== '')
  const line: GraphNode[] = []
  let at: string | undefined = from
  for (let layer = 0; at !== undefined && layer < overviewLimits.layers; layer++) {
    const node: GraphNode | undefined = graph
      .edges('member', at, 8)
      .map((edge) => graph.node(edge.target))
      .find((one) => one?.kind === kind)
    if (node && node.text !== '') line.push(node)
    at = node?.id
  }
  return line
}
