/**
 * What a report is written from. For a community of entities: what is told of each, and the relations inside and around it, strongest first,
 * whichever end is inside. For a community of communities: their reports, best rated first, so that what does not fit is what matters least, and in
 * the room that is left facts of the lowest communities below, as in the official code: only for a model, since an extract of reports gains nothing
 * from them. Each text is taken whole or not at all, within a budget.
 */
import { bearings } from '../../builders/relations'
import { otherEnd } from '../../graph/edge-ends'
import type { GraphReader } from '../../graph/reader'
import type { Edge, GraphNode } from '../../graph/types'
import { fingerprint } from '../../ids'
import { keyOfRole, type Settings } from '../../settings'
import type { Report } from '../../strategy'
import { materialOf, summarize } from '../../text/extract'
import { countTokens } from '../../text/tokens'
import { communityOf } from './community'
import { describeEntity, fetchDescriptions } from './entities'

const WAY = 1 // version of how a report is made from its material; another number makes every report again when it is next touched
const max = {
  tokens: 1500, // of material: what 15 entities and their relations take, rarely more
  relations: 40, // of each member that are considered
  around: 0.25, // share of the material for relations that lead out of the community
  facts: 6, // lowest communities whose facts stand beside reports on communities, best rated first: 90 entities at most, whatever the layer
  room: 40, // tokens left below which no facts are added
  titled: 3, // members named by a title that is made without a model
} as const

export interface ReportInput {
  readonly texts: readonly string[]
  /** Chunks the texts were taken from; for a community of communities, those of the facts beside the reports. */
  readonly from: readonly string[]
  /** Sum of the strengths of the relations inside. */
  readonly inside: number
  /** Names of members, those most related first. */
  readonly names: readonly string[]
  /** How many of the texts are reports. */
  readonly reports: number
}

export function reportInputOf(graph: GraphReader, node: GraphNode, settings: Settings): ReportInput {
  const { members } = communityOf(node)
  return node.layer === 1 ? ofEntities(graph, members) : ofCommunities(graph, members, settings)
}

/** Chunks whose words a report may contain, for a model that is asked now; for a higher one, those of the facts beside the reports. */
export function chunksOf(graph: GraphReader, node: GraphNode): readonly string[] {
  const { members } = communityOf(node)
  return (node.layer === 1 ? ofEntities(graph, members) : ofCommunities(graph, members, { writer: true })).from
}

/** Hash of a report's material, in its members' order: what the report depends on. */
export function inputOf(graph: GraphReader, node: GraphNode, settings: Settings): string {
  return inputFrom(reportInputOf(graph, node, settings), settings)
}

/** The same for material already gathered. */
export function inputFrom({ texts }: Pick<ReportInput, 'texts'>, settings: Settings): string {
  return fingerprint(
    'report',
    WAY,
    settings.models,
    settings.writer ? 'written' : 'extracted',
    settings.archrag.report,
    ...keyOfRole(settings, 'summarise'),
    ...texts,
  )
}

/** The same for only the reports that a higher report was written from: facts beside them that come and go are no reason to write it again. */
export function reportsFrom({ texts, reports }: ReportInput, settings: Settings, whole = inputFrom({ texts }, settings)): string {
  return reports === texts.length ? whole : inputFrom({ texts: texts.slice(0, reports) }, settings)
}

/** The best sentences of the material, without a model. */
export function extractive({ texts, names, from }: ReportInput, leaves: number, settings: Settings): Report {
  const title = names.slice(0, max.titled).join(', ')
  const [only] = texts
  // For one community below: what is said of it.
  if (from.length === 0 && texts.length === 1 && only?.startsWith(`${title}\n`))
    return { title, summary: only.slice(title.length + 1), rating: ratingOf(leaves), findings: [] }
  const summary = summarize(
    texts.map((text) => materialOf(said(text), true)),
    Math.max(16, settings.archrag.report - countTokens(title)),
  )
  return { title, summary, rating: ratingOf(leaves), findings: [] }
}

function ratingOf(leaves: number): number {
  return Math.min(10, 1 + Math.round(Math.log2(Math.max(1, leaves))))
}

export function reportText({ title, summary, findings }: Report): string {
  return [title, summary, ...findings.map((one) => `${one.summary} ${one.explanation}`.trim())].filter((text) => text !== '').join('\n')
}

function ofCommunities(graph: GraphReader, members: readonly string[], { writer }: Pick<Settings, 'writer'>): ReportInput {
  const nodes = bestRated(graph, members)
  const reports = packed(nodes.map((one) => one.text))
  const left = max.tokens - reports.reduce((sum, text) => sum + countTokens(text), 0)
  const facts = writer && left >= max.room ? factsBelow(graph, nodes, left) : NO_FACTS
  return {
    texts: [...reports, ...facts.texts],
    from: facts.from,
    inside: 0,
    names: nodes.map((one) => communityOf(one).title).filter(Boolean),
    reports: reports.length,
  }
}

function bestRated(graph: GraphReader, members: readonly string[]): GraphNode[] {
  const nodes = members.flatMap((id) => graph.node(id) ?? [])
  return nodes.sort(
    (a, b) => communityOf(b).rating - communityOf(a).rating || communityOf(b).leaves - communityOf(a).leaves || (a.id < b.id ? -1 : 1),
  )
}

const NO_FACTS = { texts: [], from: [] } as const

/** The material of the best rated communities of entities below, in turn: the best of each first. Only what their reports were written from. */
function factsBelow(graph: GraphReader, nodes: readonly GraphNode[], room: number): Pick<ReportInput, 'texts' | 'from'> {
  let level = nodes
  while ((level[0]?.layer ?? 1) > 1)
    level = bestRated(
      graph,
      level.slice(0, max.facts).flatMap((one) => communityOf(one).members),
    )
  const materials = level.slice(0, max.facts).map((one) => ofEntities(graph, communityOf(one).members))
  const turns = Math.max(0, ...materials.map((one) => one.texts.length))
  const said = Array.from({ length: turns }, (_, at) =>
    materials.flatMap((one) => (one.texts[at] === undefined ? [] : [{ text: one.texts[at], from: one.from }])),
  )
  const texts: string[] = []
  const from = new Set<string>()
  let left = room
  for (const one of said.flat()) {
    const cost = countTokens(one.text)
    if (cost > left || texts.includes(one.text)) continue
    left -= cost
    texts.push(one.text)
    for (const chunk of one.from) from.add(chunk)
  }
  return { texts, from: [...from].sort() }
}

/** Reads together what is told of entities and how they are related. */
export function fetchMembers(graph: GraphReader, members: readonly string[]): void {
  fetchDescriptions(graph, members)
  graph.preload?.({ incident: [{ kind: 'relates', end: 'source', ids: members }] })
}

function ofEntities(graph: GraphReader, members: readonly string[]): ReportInput {
  const here = new Set(members)
  const inside = new Map<string, Edge>()
  const around = new Map<string, Edge>()
  const degree = new Map<string, number>()
  fetchMembers(graph, members)
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
  const outward = [...around.values()].sort(strongest).slice(0, members.length)
  graph.preload?.({ nodes: outward.flatMap(({ source, target }) => [source, target]) })
  const more = packed(
    outward.map((edge) => relation(graph, edge, from)),
    left,
  )
  const strength = [...inside.values()].reduce((sum, edge) => sum + edge.weight, 0)
  return { texts: [...texts, ...more], from: [...from].sort(), inside: strength, names: order.map((id) => nameOf(graph, id)), reports: 0 }
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

/** Without the name in front: sentences are chosen for what they say. */
function said(line: string): string {
  const at = line.indexOf(': ')
  return at < 0 || line.includes('\n') ? line : line.slice(at + 2)
}

function strongest(a: Edge, b: Edge): number {
  return b.weight - a.weight || (a.source + a.target < b.source + b.target ? -1 : 1)
}
