/**
 * What ArchRAG's ablation (arXiv 2502.09891, Table 4) tries beside the method itself, put together from its steps: other ways to link entities, to weigh
 * links and to find communities; fewer layers searched; and what is nearest shown unfiltered.
 */
import type { LeidenOptions } from '../../src/core/algorithms/leiden'
import type { WeightedGraph } from '../../src/core/algorithms/weighted-graph'
import type { GraphReader } from '../../src/core/graph/reader'
import { chunkOf } from '../../src/core/ids'
import { archrag, evidenceOf } from '../../src/core/strategies/archrag/archrag'
import { type ClusteringSteps, paperSteps } from '../../src/core/strategies/archrag/clustering-steps'
import { communityOf } from '../../src/core/strategies/archrag/community'
import { passagesOf } from '../../src/core/strategies/archrag/entities'
import { readOptions } from '../../src/core/strategies/archrag/options'
import { type Layered, searchLayers } from '../../src/core/strategies/archrag/search'
import type { Found, Query, Strategy } from '../../src/core/strategy'
import { scan } from './scan'
import { spectral } from './spectral'

const withSteps = (steps: Partial<ClusteringSteps>): ClusteringSteps => ({ ...paperSteps, ...steps })

export const clusteringVariants = {
  /** Shared neighbours instead of modularity. */
  scan: withSteps({ findCommunities: (graph, { seed, max }) => scan(graph, { seed, max }) }),
  /** Normalised cuts instead of modularity. */
  spectral: withSteps({ findCommunities: bySpectral }),
  /** The paper's "Spec. (No Aug)". */
  spectralUnaugmented: withSteps({ findCommunities: bySpectral, linksAlike: false }),
  /** Only the best links of each node, half by likeness, half by how much of their neighbourhoods the two share (Ruan et al. 2013). */
  codicil: withSteps({ keepLinks: codicil(0.5) }),
  /** By likeness alone. */
  codicilByContent: withSteps({ keepLinks: codicil(0) }),
  /** By neighbourhoods alone. */
  codicilByTopology: withSteps({ keepLinks: codicil(1) }),
  /** No links by likeness. */
  unaugmented: withSteps({ linksAlike: false }),
  /** A link weighs what texts relate of its ends. */
  strength: withSteps({ weighLinks: (_, strengths) => (other) => strengths.get(other) ?? 1 }),
  /** All links weigh the same. */
  unweighted: withSteps({ weighLinks: () => () => 1 }),
  /** Leiden over what texts relate alone. */
  plain: withSteps({ linksAlike: false, weighLinks: () => () => 1 }),
  codicilByStrength: withSteps({ keepLinks: codicil(0), weighLinks: (_, strengths) => (other) => strengths.get(other) ?? 1 }),
  unaugmentedByStrength: withSteps({ linksAlike: false, weighLinks: (_, strengths) => (other) => strengths.get(other) ?? 1 }),
} as const satisfies { readonly [name: string]: ClusteringSteps }

function bySpectral(graph: WeightedGraph, { seed, max, start, whole }: LeidenOptions): Int32Array {
  return spectral(graph, { seed, max, ...(start ? { start } : {}), ...(whole ? { twice: whole.twice } : {}) })
}

/**
 * Only the best √degree links of a node (CODICIL, Ruan et al. 2013, §3): by a share α of topological likeness, the Jaccard coefficient of the two
 * neighbourhoods, each with the node itself, and of the link's weight for the rest, both normalised over the node's links from 0 to 1. A link counts if
 * either of its ends keeps it, with its weight.
 */
function codicil(alpha: number): ClusteringSteps['keepLinks'] {
  return (links, id, neighboursOf) => {
    const kept = Math.ceil(Math.sqrt(links.size))
    const own = alpha > 0 ? new Set([...neighboursOf(id), id]) : new Set<string>()
    const shared = normalised([...links.keys()].map((other) => (alpha > 0 ? jaccard(own, new Set([...neighboursOf(other), other])) : 0)))
    const content = normalised([...links.values()])
    const ranked = [...links].map(([other, weight], at) => ({
      other,
      weight,
      score: alpha * (shared[at] ?? 0) + (1 - alpha) * (content[at] ?? 0),
    }))
    ranked.sort((a, b) => b.score - a.score || b.weight - a.weight || (a.other < b.other ? -1 : 1))
    return new Map(ranked.slice(0, kept).map(({ other, weight }) => [other, weight]))
  }
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0
  for (const one of a) if (b.has(one)) both++
  return both / Math.max(1, a.size + b.size - both)
}

function normalised(values: readonly number[]): readonly number[] {
  const [min, max] = [Math.min(...values), Math.max(...values)]
  return values.map((value) => (max > min ? (value - min) / (max - min) : 1))
}

/** Searches up to a layer: 0 are the entities alone, 1 their communities too. */
export const upToLayer = (highest: number): Strategy => ({
  ...archrag,
  retrieve: (graph, query, _scores, options) =>
    evidenceOf(graph, query, searchLayers(graph, query, readOptions(options), highest), options),
})

/** The paper's "direct prompt": what is nearest in any layer, unfiltered. */
export const direct: Strategy = {
  ...archrag,
  retrieve: (graph, query, _scores, options) => ({
    kind: 'evidence',
    found: nearest(graph, query, searchLayers(graph, query, readOptions(options))),
  }),
}

function nearest(graph: GraphReader, query: Query, { layers }: Layered): readonly Found[] {
  const hits = layers.flatMap((layer, at) => layer.map((one) => ({ ...one, at })))
  return hits
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .map(({ id, score, at }) => ({ id, score, via: `layer ${at}`, support: supporting(graph, query, id, at) }))
}

function supporting(graph: GraphReader, query: Query, id: string, layer: number): readonly string[] {
  if (layer === 0) return passagesOf(graph, id, 3).filter((passage) => query.admits?.(chunkOf(passage)) ?? true)
  const node = graph.node(id)
  const [first] = node ? communityOf(node).members : []
  return first === undefined ? [] : supporting(graph, query, first, layer - 1)
}
