/**
 * What a report is written from. Of a community of entities: what is told of each, and the relations inside and around it, strongest first, whichever
 * end is inside. Of a community of communities: their reports, best rated first, so that what
 * does not fit is what matters least. Each text whole or not at all, within a budget.
 */
import { bearings } from '../../builders/relations'
import { otherEnd } from '../../graph/edge-ends'
import type { GraphReader } from '../../graph/reader'
import type { Edge, GraphNode } from '../../graph/types'
import { fingerprint } from '../../ids'
import type { Settings } from '../../settings'
import type { Report } from '../../strategy'
import { summarize } from '../../text/extract'
import { countTokens } from '../../text/tokens'
import { communityOf } from './community'
import { describeEntity } from './entities'

const WAY = 1 // of making a report from its material; another number makes every report anew when it is next touched
const max = {
  tokens: 1500, // of material: what 15 entities and their relations take, seldom more
  relations: 40, // of each member that are looked at
  around: 0.25, // share of the material for relations that lead out of the community
  titled: 3, // members a title without a model names
} as const

export interface ReportInput {
  readonly texts: readonly string[]
  /** Chunks the texts were taken from; none for a community of communities. */
  readonly from: readonly string[]
  /** Sum of the strengths of the relations inside. */
  readonly inside: number
  /** Names of members, those most related first. */
  readonly names: readonly string[]
}

export function reportInputOf(graph: GraphReader, node: GraphNode): ReportInput {
  const { members } = communityOf(node)
  return node.layer === 1 ? ofEntities(graph, members) : ofCommunities(graph, members)
}

/** Of a report's material, in its members' order: what it depends on. */
export function inputOf(graph: GraphReader, node: GraphNode, settings: Settings): string {
  return inputFrom(reportInputOf(graph, node), settings)
}

/** The same of material that has been gathered. */
export function inputFrom({ texts }: Pick<ReportInput, 'texts'>, settings: Settings): string {
  return fingerprint('report', WAY, settings.models, settings.writer ? 'written' : 'extracted', settings.archrag.report, ...texts)
}

/** The best sentences of the material, no model asked. */
export function extractive({ texts, names, from }: ReportInput, leaves: number, settings: Settings): Report {
  const title = names.slice(0, max.titled).join(', ')
  const [only] = texts
  // Of one community: what is said of that.
  if (from.length === 0 && texts.length === 1 && only?.startsWith(`${title}\n`))
    return { title, summary: only.slice(title.length + 1), rating: ratingOf(leaves), findings: [] }
  const summary = summarize(texts.map(said), Math.max(16, settings.archrag.report - countTokens(title)))
  return { title, summary, rating: ratingOf(leaves), findings: [] }
}

function ratingOf(leaves: number): number {
  return Math.min(10, 1 + Math.round(Math.log2(Math.max(1, leaves))))
}

export function reportText({ title, summary, findings }: Report): string {
  return [title, summary, ...findings.map((one) => `${one.summary} ${one.explanation}`.trim())].filter((text) => text !== '').join('\n')
}

function ofCommunities(graph: GraphReader, members: readonly string[]): ReportInput {
  const nodes = members
    .flatMap((id) => graph.node(id) ?? [])
    .sort(
      (a, b) => communityOf(b).rating - communityOf(a).rating || communityOf(b).leaves - communityOf(a).leaves || (a.id < b.id ? -1 : 1),
    )
  return {
    texts: packed(nodes.map((one) => one.text)),
    from: [],
    inside: 0,
    names: nodes.map((one) => communityOf(one).title).filter(Boolean),
  }
}

function ofEntities(graph: GraphReader, members: readonly string[]): ReportInput {
  const here = new Set(members)
  const inside = new Map<string, Edge>()
  const around = new Map<string, Edge>()
  const degree = new Map<string, number>()
  for (const member of members) {
    for (const edge of graph.edges('relates', member, max.relations)) {
      const own = here.has(otherEnd(edge, member))
      ;(own ? inside : around).set(`${edge.source} ${edge.target}`, edge)
      if (own) degree.set(member, (degree.get(member) ?? 0) + edge.weight)
    }
  }
  const order = [...members].sort((a, b) => (degree.get(b) ?? 0) - (degree.get(a) ?? 0) || (a < b ? -1 : 1))
  const from = new Set<string>()
  const lines = order.map((id) => {
    const told = describeEntity(graph, id)
    for (const chunk of told.from) from.add(chunk)
    return `${nameOf(graph, id)}: ${told.text}`
  })
  const relations = [...inside.values()].sort(strongest).map((edge) => relation(graph, edge, from))
  const texts = packed([...lines, ...relations])
  const left = max.tokens * max.around
  const more = packed(
    [...around.values()]
      .sort(strongest)
      .slice(0, members.length)
      .map((edge) => relation(graph, edge, from)),
    left,
  )
  const strength = [...inside.values()].reduce((sum, edge) => sum + edge.weight, 0)
  return { texts: [...texts, ...more], from: [...from].sort(), inside: strength, names: order.map((id) => nameOf(graph, id)) }
}

function relation(graph: GraphReader, edge: Edge, from: Set<string>): string {
  const [best] = [...bearings(edge)].sort((a, b) => b.strength - a.strength || (a.chunk < b.chunk ? -1 : 1))
  if (best) from.add(best.chunk)
  return `${nameOf(graph, edge.source)} – ${nameOf(graph, edge.target)}: ${descriptionOf(edge)}`
}

export function descriptionOf({ data }: Edge): string {
  return typeof data === 'object' && data !== null && 'description' in data && typeof data.description === 'string' ? data.description : ''
}

export function nameOf(graph: GraphReader, entity: string): string {
  return graph.node(entity)?.text ?? ''
}

function packed(texts: readonly string[], tokens: number = max.tokens): string[] {
  const out: string[] = []
  let left = tokens
  for (const text of texts) {
    const cost = countTokens(text)
    if (text === '' || cost > left) continue
    out.push(text)
    left -= cost
  }
  return out
}

/** Without the names before it: sentences are chosen for what they say. */
function said(line: string): string {
  const at = line.indexOf(': ')
  return at < 0 || line.includes('\n') ? line : line.slice(at + 2)
}

function strongest(a: Edge, b: Edge): number {
  return b.weight - a.weight || (a.source + a.target < b.source + b.target ? -1 : 1)
}
