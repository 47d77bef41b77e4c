/** Why `auto` found what it found: the weights, what each channel says to each of the best passages, and by which links it got there. Reads the graph along the links of the best. */
import { documentsOf, linkedDocuments } from '../../channels/neighbours'
import type { GraphReader } from '../../graph/reader'
import type { Hit, Json } from '../../graph/types'
import type { Query } from '../../strategy'
import { isTuning } from './calibration'
import type { Channels } from './channels'
import type { EvidenceRanking } from './evidence-ranking'
import type { Fused } from './fuse'
import type { Candidate } from './pool'
import { rerankCalibrationJson, rerankCalibrationOf } from './rerank-weight'
import { scorer } from './scorer'
import { calibrationJson, calibrationOf, type Weights } from './weights'

const limits = { seeds: 20, paths: 5, found: 20 } as const // the seeds the walk begins from, the best paths, the best of the ranking

/** `known`: what is known of the passage, if the graph was asked. */
export function viaOf(said: Channels, id: string, known: Candidate | undefined): string {
  const by = [
    ...(said.keyword.get(id) ? ['keyword'] : []),
    ...(said.vector.get(id) ? ['vector'] : []),
    ...(said.path.get(id) ? ['path'] : []),
    ...(known?.from.out || known?.from.back ? ['link'] : []),
    ...(known?.from.shared ? ['shared name'] : []),
  ]
  return by.length > 0 ? by.join(' + ') : 'link'
}

interface Finding {
  readonly weights: Weights
  readonly said: Channels
  readonly fused: Fused
  readonly chosen: EvidenceRanking
  readonly models: string
}

export function traceOf(
  graph: GraphReader,
  query: Query,
  { weights, said, fused, chosen, models }: Finding,
): { readonly [key: string]: Json } {
  const measured = calibrationOf(graph)
  const reranking = rerankCalibrationOf(graph)
  return {
    terms: [...query.terms],
    weights: { ...weights },
    ...(chosen.trust > 0 ? { scorer: { trust: chosen.trust, weights: { ...scorer } } } : {}),
    ...(graph.isPartial ? {} : { tuning: isTuning(graph, models), calibration: measured ? calibrationJson(measured) : 'not measured yet' }),
    ...(graph.isPartial || !reranking ? {} : { reranking: rerankCalibrationJson(reranking) }),
    named: [...said.named],
    seeds: fused.seeds.slice(0, limits.seeds).map((hit) => ({ ...hit })),
    paths: said.paths
      .slice(0, limits.paths)
      .map((path) => ({ score: path.score, from: path.anchor, units: path.units.map((unit) => unit.id) })),
    found: findingsOf(graph, said, { fused, chosen }),
  }
}

/** What was weighed for each of the best, and where the walk came from. */
function findingsOf(graph: GraphReader, said: Channels, { fused: { walked, seeds }, chosen }: Pick<Finding, 'fused' | 'chosen'>): Json {
  const best = chosen.ranking.filter((hit) => hit.score > 0).slice(0, limits.found)
  const began = walked.size > 0 ? beginningsOf(graph, seeds, said.named) : new Map<string, number>()
  return best.map(({ id, score }) => {
    const from = began.size > 0 ? originOf(graph, id, began) : undefined
    return {
      id,
      score,
      keyword: said.keyword.get(id) ?? 0,
      document: said.document.get(id) ?? 0,
      vector: said.vector.get(id) ?? 0,
      path: said.path.get(id) ?? 0,
      links: walked.get(id) ?? 0,
      ...(from === undefined ? {} : { from }),
      ...knownOf(chosen.candidates.get(id)),
    }
  })
}

/** What the scorer was given, and the passages that led here. */
function knownOf(one: Candidate | undefined): { readonly [key: string]: Json } {
  return one ? { features: { ...one.features }, led: { ...one.from } } : {}
}

/** Documents at which the walk begins, each with its best seed; one that the question names has no less than the best of all. */
function beginningsOf(graph: GraphReader, seeds: readonly Hit[], named: readonly string[]): ReadonlyMap<string, number> {
  const began = new Map<string, number>()
  for (const { id, score } of seeds.slice(0, limits.seeds)) {
    for (const document of documentsOf(graph, id)) began.set(document, Math.max(score, began.get(document) ?? 0))
  }
  for (const document of named) began.set(document, Math.max(seeds[0]?.score ?? 0, began.get(document) ?? 0))
  return began
}

/** The best beginning that is linked to the passage's document; undefined if the document itself is better. */
function originOf(graph: GraphReader, id: string, began: ReadonlyMap<string, number>): string | undefined {
  const own = documentsOf(graph, id)
  let best = { document: undefined as string | undefined, score: Math.max(0, ...own.map((one) => began.get(one) ?? 0)) }
  for (const document of new Set(own.flatMap((one) => linkedDocuments(graph, one)))) {
    const score = began.get(document) ?? 0
    if (score > best.score) best = { document, score }
  }
  return best.document
}
