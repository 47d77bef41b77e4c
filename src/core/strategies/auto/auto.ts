/**
 * The default: keywords, vectors, Q-Iter's paths and the links between documents, each trusted as far as it has proved itself on this corpus
 * (`calibration`); where the graph leads on from what a question names, evidence is ranked by what is known of each candidate (`rankEvidence`). A
 * question about many things at once gets summaries first if the corpus has them (`own.overview` true or false: always, never). Reads at most a few
 * hundred small rows, whatever the corpus's size.
 */

import { links } from '../../builders/links'
import { mentions } from '../../builders/mentions'
import { namesIn } from '../../channels/names'
import { type Overview, overviewOf, overviewTrace } from '../../channels/overview/overview'
import { isBroad, summariesAbove } from '../../channels/overview/summaries'
import type { Retrieved, Strategy } from '../../strategy'
import { decisions } from '../shared-builders'
import { calibration } from './calibration'
import { CANDIDATES, readChannels } from './channels'
import { channelsAlone, rankEvidence } from './evidence-ranking'
import { fuse } from './fuse'
import { rerankCalibration } from './rerank-calibration'
import { traceOf, viaOf } from './trace'
import { weightsOf } from './weights'

export const auto: Strategy = {
  name: 'auto',
  isRanking: true,
  builders: [mentions, links, decisions, calibration, rerankCalibration],
  entries: [{ kind: 'passage', k: CANDIDATES }],
  retrieve(graph, query, _scores, options, settings) {
    const whole = options.own.overview === false ? undefined : overviewOf(graph, query, options)
    if (whole && whole.plan.kind !== 'topic') return answered(whole, options.trace ? { terms: [...query.terms] } : undefined)
    const names = namesIn(graph, query.text)
    const isNamed = names.some((name) => name.documents.length > 0)
    const weights = weightsOf(graph, options.own, isNamed)
    const said = readChannels(graph, query, { dense: weights.dense > 0, paths: weights.paths > 0, names })
    const fused = fuse(graph, said, weights, query.admits)
    const alone = options.own.scorer === 'sum' || options.own.links === 0
    const chosen = alone ? channelsAlone(fused) : rankEvidence(graph, query, { said, fused })
    const top = chosen.ranking.filter((hit) => hit.score > 0)
    const { overview: asked } = options.own
    const broad = typeof asked === 'boolean' ? asked : isBroad(graph, query, said.named.length)
    const summaries = broad && !query.admits ? summariesAbove(graph, top) : []
    const passages = top.map((hit) => ({ ...hit, via: viaOf(said, hit.id, chosen.candidates.get(hit.id)) }))
    const found = [...summaries, ...passages].slice(0, options.topK)
    const trace = options.trace ? traceOf(graph, query, { weights, said, fused, chosen, models: settings.models }) : undefined
    return whole ? answered({ ...whole, found }, trace) : { kind: 'evidence', found, ...(trace ? { trace } : {}) }
  },
}

function answered(whole: Overview, trace: ReturnType<typeof traceOf> | undefined): Retrieved {
  return { kind: 'evidence', found: whole.found, overview: whole.plan, ...(trace ? { trace: { ...trace, ...overviewTrace(whole) } } : {}) }
}
