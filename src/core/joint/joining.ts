/** Combines several parts' answers to one read, as one graph would answer: entities and lists are joined; for everything else the first answer counts. Pure. */
import { type EntityData, joinedName } from '../builders/mentions'
import { compareText } from '../graph/ordered-map'
import type { KeyedValue } from '../graph/reader'
import type { Edge, Hit, Placement } from '../graph/types'
import type { ChunkRead, EdgesRead, MatchRead, NodeRead } from './reads'

export const first = <T>(answers: readonly T[]): T | undefined => answers[0]

export const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0)

/** An entity is mentioned by as many chunks as in all parts, under all their surfaces. */
export function joinNodes(reads: readonly NodeRead[]): NodeRead | undefined {
  const [one] = reads
  if (!one || reads.length === 1 || one.node.kind !== 'entity') return one
  const all = reads.map(({ node }) => node.data as unknown as EntityData)
  const aliases: { [surface: string]: number } = {}
  for (const data of all) for (const [surface, times] of Object.entries(data.aliases)) aliases[surface] = (aliases[surface] ?? 0) + times
  const chunks = all.reduce((sum, data) => sum + data.chunks, 0)
  const relates = joinEdges(
    reads.flatMap((read) => read.relates),
    'edges',
  )
  const text = joinedName(reads.map(({ node }) => node))
  return { node: { ...one.node, text, data: { ...one.node.data, chunks, aliases } }, relates }
}

/** The same text may stand in documents of several parts. */
export function joinChunks(all: readonly ChunkRead[]): ChunkRead | undefined {
  const [one] = all
  return one && all.length > 1 ? { ...one, placements: all.flatMap((other) => other.placements).sort(byDocument) } : one
}

/** Of a symmetric edge that several parts have, the heaviest. */
function joinEdges(edges: readonly Edge[], way: 'edges' | 'edgesTo'): readonly Edge[] {
  const end = (edge: Edge): string => (way === 'edges' ? edge.target : edge.source)
  const sorted = [...edges].sort((a, b) => b.weight - a.weight || compareText(end(a), end(b)))
  return [...new Map(sorted.map((edge) => [`${edge.source} ${edge.target}`, edge] as const).reverse()).values()].reverse()
}

export const joinEdgeLists =
  (way: 'edges' | 'edgesTo') =>
  (all: readonly EdgesRead[]): readonly Edge[] =>
    joinEdges(
      all.flatMap((one) => one.edges),
      way,
    )

export function joinValues(all: readonly (readonly KeyedValue[])[]): readonly KeyedValue[] {
  return [...new Map(all.flat().map((one) => [one.key, one])).values()].sort((a, b) => compareText(a.key, b.key))
}

export interface JoinedHits {
  readonly hits: readonly Hit[]
  /** No passage that a part has left out is worth more. */
  readonly hidden: number
}

export function joinHits(all: readonly MatchRead[]): JoinedHits {
  const hits = new Map<string, Hit>()
  for (const { hits: own } of all) for (const hit of own) hits.set(hit.id, hit)
  const hidden = all.reduce((most, one) => (one.isAll ? most : Math.max(most, one.hits.at(-1)?.score ?? 0)), 0)
  return { hits: [...hits.values()].sort((a, b) => b.score - a.score || compareText(a.id, b.id)), hidden }
}

export const byDocument = (a: Placement, b: Placement): number => compareText(a.document, b.document) || a.start - b.start
