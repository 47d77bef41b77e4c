/**
 * Summaries for questions about much at once. A question that asks for the whole, names nothing, and whose other words are all common ones, has no passage
 * that answers it alone: what stands above several of the passages found says more. Under a filter there are none, since a summary
 * speaks of all that is below it.
 */
import type { GraphReader } from '../graph/reader'
import type { GraphNode, Hit } from '../graph/types'
import { chunkOf } from '../ids'
import type { Found, Query } from '../strategy'
import { terms } from '../text/terms'
import { telling } from './lexical'

export const overviewLimits = {
  rare: 0.02, // share of passages: a word in fewer names what is asked for
  passages: 20, // best passages whose summaries are looked at
  layers: 5, // climbed at most
  least: 2, // passages found below a summary that is shown
  summaries: 3, // shown
} as const

/** Words that ask for the whole and tell nothing of it. A question without one may ask for a single thing in common words. */
const WHOLE = new Set(
  terms(
    `main overall overview summary summarise summarize theme topic trend
    überblick zusammenfassung themen hauptthemen aperçu résumé thèmes principaux resumen temas principales обзор темы 概要 总结 主题`,
  ),
)

/** Does the question ask for the whole, and for no particular thing? `names`: documents it names. */
export function isBroad(graph: GraphReader, query: Query, names: number): boolean {
  if (names > 0 || !query.terms.some((term) => WHOLE.has(term))) return false
  const rare = overviewLimits.rare * graph.count('passage')
  return telling(graph, query.terms).every(({ term, frequency }) => WHOLE.has(term) || frequency > rare)
}

/** Summaries above the passages found, those above most of them first, the lower of equals; none above or below another that is shown. */
export function overview(graph: GraphReader, query: Query, passages: readonly Hit[]): Found[] {
  if (query.admits) return []
  const below = new Map<string, { readonly node: GraphNode; readonly passages: string[]; readonly line: ReadonlySet<string> }>()
  for (const { id } of passages.slice(0, overviewLimits.passages)) {
    const line = above(graph, chunkOf(id))
    const ids = new Set(line.map((node) => node.id))
    for (const node of line) {
      const known = below.get(node.id) ?? { node, passages: [], line: ids }
      below.set(node.id, known)
      known.passages.push(id)
    }
  }
  const order = [...below.values()]
    .filter((one) => one.passages.length >= overviewLimits.least)
    .sort((a, b) => b.passages.length - a.passages.length || a.node.layer - b.node.layer || (a.node.id < b.node.id ? -1 : 1))
  const chosen: typeof order = []
  for (const one of order) {
    if (chosen.length >= overviewLimits.summaries) break
    if (!chosen.some((other) => other.line.has(one.node.id) || one.line.has(other.node.id))) chosen.push(one)
  }
  const score = passages[0]?.score ?? 0
  return chosen.map((one) => ({ id: one.node.id, score, via: 'overview', support: one.passages.slice(0, 3) }))
}

/** The summaries above a chunk that have a text, from the lowest up. */
function above(graph: GraphReader, chunk: string): GraphNode[] {
  const line: GraphNode[] = []
  let at: string | undefined = chunk
  for (let layer = 0; at !== undefined && layer < overviewLimits.layers; layer++) {
    const node: GraphNode | undefined = graph
      .edges('member', at, 8)
      .map((edge) => graph.node(edge.target))
      .find((one) => one?.kind === 'summary')
    if (node && node.text !== '') line.push(node)
    at = node?.id
  }
  return line
}
