/**
 * The default: keywords, vectors, Q-Iter's paths and the links between documents, each trusted as far as it has proved itself on
 * this corpus (`calibrate`). Keywords, vectors and paths find seeds; a walk over the links from the seeds ranks documents;
 * within a document its best passage speaks. Reads at most a few hundred small rows whatever the corpus' size.
 */

import { links } from '../../builders/links'
import { mentions } from '../../builders/mentions'
import { dense } from '../../channels/dense'
import { lexical, telling } from '../../channels/lexical'
import { namesIn } from '../../channels/names'
import { linked, seedsOf } from '../../channels/neighbours'
import { byScore, contrast, ranked, shares } from '../../channels/order'
import { pathsFor, worthOf } from '../../channels/paths'
import type { GraphReader } from '../../graph/reader'
import type { Hit } from '../../graph/types'
import type { Query, Strategy } from '../../strategy'
import { speaker } from './speaker'
import { type Weights, weightsOf } from './weights'

const CANDIDATES = 100 // passages of each channel

export const auto: Strategy = {
  name: 'auto',
  builders: [mentions, links],
  entries: [{ kind: 'passage', k: CANDIDATES }],
  retrieve(graph, query, _scores, options) {
    const weights = weightsOf(graph, options.own)
    const { found, trace } = answer(graph, query, weights, options.topK)
    return { kind: 'evidence', found, ...(options.trace ? { trace } : {}) }
  },
}

function answer(graph: GraphReader, query: Query, weights: Weights, topK: number) {
  const terms = telling(graph, query.terms)
  const words = lexical(graph, query, CANDIDATES, terms)
  const names = namesIn(graph, query.text)
  const near = weights.dense > 0 ? dense(graph, query, words) : []
  const vector = weights.dense > 0 ? query.vector : undefined
  const walked = weights.paths > 0 && names.length > 0
  const search = { terms, names, hits: words, ...(vector ? { vector } : {}) }
  const paths = walked ? pathsFor(graph, search, { titles: true, ...(query.admits ? { admits: query.admits } : {}) }) : []
  const channels = { keyword: shares(words), vector: contrast(near), path: shares(ranked(worthOf(paths))) }
  const seeds = ranked(
    summed([
      [channels.keyword, 1],
      [channels.vector, weights.dense],
      [channels.path, weights.paths],
    ]),
  )
  const named = names.flatMap((one) => one.documents)
  const found = weights.links > 0 ? withLinks(graph, query, { seeds, named, share: weights.links }) : seeds
  const via = (id: string): string => {
    const said = Object.entries(channels).flatMap(([name, scores]) => ((scores.get(id) ?? 0) > 0 ? [name] : []))
    return said.length > 0 ? said.join(' + ') : 'link'
  }
  return { found: found.slice(0, topK).map((hit) => ({ ...hit, via: via(hit.id) })), trace: { weights: { ...weights } } }
}

function summed(channels: readonly (readonly [ReadonlyMap<string, number>, number])[]): Map<string, number> {
  const sum = new Map<string, number>()
  for (const [scores, weight] of channels) for (const [id, score] of scores) sum.set(id, (sum.get(id) ?? 0) + weight * score)
  return sum
}

interface Linking {
  readonly seeds: readonly Hit[]
  /** Documents the question names. */
  readonly named: readonly string[]
  /** λ. */
  readonly share: number
}

function withLinks(graph: GraphReader, query: Query, { seeds, named, share }: Linking): readonly Hit[] {
  const best = seeds[0]?.score ?? 1
  const documents = [...linked(graph, seedsOf(graph, seeds, named))].sort(byScore).slice(0, CANDIDATES)
  const most = documents[0]?.score ?? 1
  const speaks = speaker(graph, seeds, query.admits)
  const scores = new Map(seeds.map((hit) => [hit.id, ((1 - share) * hit.score) / best]))
  for (const { id: document, score } of documents) {
    for (const { id, portion } of speaks(document)) scores.set(id, (scores.get(id) ?? 0) + (share * score * portion) / most)
  }
  return ranked(scores)
}
