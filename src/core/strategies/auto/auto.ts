/**
 * The default: keywords, vectors, Q-Iter's paths and the links between documents, each trusted as far as it has proved itself on
 * this corpus (`calibration`). A question about much at once gets summaries first, where the corpus has them (`own.overview` true or false: always,
 * never). Reads at most a few hundred small rows whatever the corpus' size.
 */

import { links } from '../../builders/links'
import { mentions } from '../../builders/mentions'
import { namesIn } from '../../channels/names'
import { isBroad, overview } from '../../channels/overview'
import type { GraphReader } from '../../graph/reader'
import type { Hit, Json } from '../../graph/types'
import type { Query, Strategy } from '../../strategy'
import { calibration, isTuning } from './calibration'
import { CANDIDATES, type Channels, readChannels } from './channels'
import { fuse } from './fuse'
import { rerankCalibration } from './rerank-calibration'
import { rerankCalibrationJson, rerankCalibrationOf } from './rerank-weight'
import { calibrationJson, calibrationOf, type Weights, weightsOf } from './weights'

const traceLimits = { seeds: 20, paths: 5 } as const // in a trace: the seeds the walk begins from, and the best paths

export const auto: Strategy = {
  name: 'auto',
  builders: [mentions, links, calibration, rerankCalibration],
  entries: [{ kind: 'passage', k: CANDIDATES }],
  retrieve(graph, query, _scores, options, settings) {
    const isNamed = namesIn(graph, query.text).some((name) => name.documents.length > 0)
    const weights = weightsOf(graph, options.own, isNamed)
    const said = readChannels(graph, query, { dense: weights.dense > 0, paths: weights.paths > 0 })
    const { seeds, ranking } = fuse(graph, said, weights, query.admits)
    const top = ranking.filter((hit) => hit.score > 0)
    const { overview: asked } = options.own
    const broad = typeof asked === 'boolean' ? asked : isBroad(graph, query, said.named.length)
    const summaries = broad ? overview(graph, query, top) : []
    const passages = top.map((hit) => ({ ...hit, via: viaOf(said, hit.id) }))
    const found = [...summaries, ...passages].slice(0, options.topK)
    return {
      kind: 'evidence',
      found,
      ...(options.trace ? { trace: traceOf(graph, query, { weights, said, seeds, models: settings.models }) } : {}),
    }
  },
}

function viaOf(said: Channels, id: string): string {
  const by = [
    ...(said.keyword.get(id) ? ['keyword'] : []),
    ...(said.vector.get(id) ? ['vector'] : []),
    ...(said.path.get(id) ? ['path'] : []),
  ]
  return by.length > 0 ? by.join(' + ') : 'link'
}

function traceOf(
  graph: GraphReader,
  query: Query,
  {
    weights,
    said,
    seeds,
    models,
  }: { readonly weights: Weights; readonly said: Channels; readonly seeds: readonly Hit[]; readonly models: string },
): Json {
  const measured = calibrationOf(graph)
  const reranking = rerankCalibrationOf(graph)
  return {
    terms: [...query.terms],
    weights: { ...weights },
    ...(graph.isPartial ? {} : { tuning: isTuning(graph, models), calibration: measured ? calibrationJson(measured) : 'not measured yet' }),
    ...(graph.isPartial || !reranking ? {} : { reranking: rerankCalibrationJson(reranking) }),
    named: [...said.named],
    seeds: seeds.slice(0, traceLimits.seeds).map((hit) => ({ ...hit })),
    paths: said.paths
      .slice(0, traceLimits.paths)
      .map((path) => ({ score: path.score, from: path.anchor, units: path.units.map((unit) => unit.id) })),
  }
}
