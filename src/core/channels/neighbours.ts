/**
 * The link channel: personalised PageRank over `links` between documents, from the documents of the best passages and those the
 * question names. Bounded: at most `pushes` documents are expanded, two range reads each.
 */
import { type Neighbour, pagerank } from '../algorithms/pagerank'
import type { GraphReader } from '../graph/reader'
import type { Hit } from '../graph/types'
import { chunkOf } from '../ids'

export const linkWalk = {
  restart: 0.5, // half of the mass stays within one step: questions ask for neighbours, not for hubs
  tolerance: 0.002, // of the seed mass; what is smaller cannot reach the first ten
  pushes: 96, // documents expanded
  degree: 48, // links read of a document, each way; a document with more is a hub whose links say little
  seeds: 20, // passages whose documents are seeds
} as const

/** Documents that hold a passage: more than one where the same text is in several. */
export function documentsOf(graph: GraphReader, passage: string): readonly string[] {
  return [...new Set(graph.placements(chunkOf(passage)).map((place) => place.document))]
}

/** Squared, so that a clear winner is followed and a long tail is not. A named document weighs as half a best passage. */
export function seedsOf(graph: GraphReader, passages: readonly Hit[], named: readonly string[]): Map<string, number> {
  const seeds = new Map<string, number>()
  const add = (document: string, mass: number): void => {
    seeds.set(document, (seeds.get(document) ?? 0) + mass)
  }
  const most = passages[0]?.score ?? 1
  for (const hit of passages.slice(0, linkWalk.seeds)) for (const document of documentsOf(graph, hit.id)) add(document, hit.score ** 2)
  for (const document of named) add(document, most ** 2 / 2)
  return seeds
}

export function linked(graph: GraphReader, seeds: ReadonlyMap<string, number>): Map<string, number> {
  return pagerank(seeds, (document) => around(graph, document), linkWalk)
}

function around(graph: GraphReader, document: string): readonly Neighbour[] {
  const there = graph.edges('links', document, linkWalk.degree).map((edge) => edge.target)
  const back = graph.edgesTo('links', document, linkWalk.degree).map((edge) => edge.source)
  return [...new Set([...there, ...back])].map((id) => ({ id, weight: 1 }))
}
