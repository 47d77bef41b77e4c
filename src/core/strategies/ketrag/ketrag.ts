/**
 * KET-RAG (Huang et al., KDD 2025): a skeleton of entities and relations from the most central chunks beside a keyword–passage graph of all text,
 * searched together, with θ of the budget for the skeleton. Evidence is passages and the sentences that bear relations out, so every piece can be
 * checked against its document. Works by words alone while there are no vectors. Reads the graph, asks no model.
 */

import { mentions } from '../../builders/mentions'
import type { GraphReader } from '../../graph/reader'
import type { Json } from '../../graph/types'
import type { Strategy } from '../../strategy'
import { decisions, knowledge } from '../shared-builders'
import { descriptions } from './description-vectors'
import { type CollectedPassages, collectPassages } from './keyword-channel'
import { localSearch, type Neighbourhood } from './local-search'
import { readOptions } from './options'
import { packEvidence } from './pack'
import { keywords } from './published-keywords'
import { questionOf } from './question'

const NOTHING: { readonly keyword: CollectedPassages; readonly local: Neighbourhood } = {
  keyword: { seeds: [], passages: [] },
  local: { seeds: [], described: new Map(), relations: [], texts: [] },
}

export const ketrag: Strategy = {
  name: 'ketrag',
  builders: [mentions, knowledge, decisions, keywords, descriptions],
  entries: [
    { kind: 'passage', k: 100 },
    { kind: 'keyword', k: 24 },
  ],
  retrieve(graph, query, _scores, options, settings) {
    const chosen = readOptions(options.own, settings.ketrag)
    const { theta } = chosen
    // No more tokens than the pieces can hold, since the shares are of what will be shown.
    const budget = Math.min(options.budget, options.topK * settings.chunking.passage * SLACK)
    const question = questionOf(graph, query, chosen, settings.writer)
    const keyword = theta < 1 ? collectPassages(question, 2 * (1 - theta) * budget) : NOTHING.keyword
    const local = theta > 0 ? localSearch(question) : NOTHING.local
    const found = packEvidence(graph, { keyword: keyword.passages, local }, { theta, budget, topK: options.topK })
    return { kind: 'evidence', found, ...(options.trace ? { trace: traceOf(graph, keyword, local, { ...chosen }) } : {}) }
  },
}

const SLACK = 2 // how much longer the longest passages are than the usual one

function traceOf(graph: GraphReader, keyword: CollectedPassages, local: Neighbourhood, chosen: { readonly [key: string]: Json }): Json {
  const name = (id: string): string => graph.node(id)?.text ?? ''
  return {
    ...chosen,
    keywords: keyword.seeds.map((seed) => ({ ...seed })),
    seeds: local.seeds.map((seed) => ({ entity: name(seed.id), score: seed.score })),
    relations: local.relations.slice(0, 32).map((one) => ({
      source: name(one.source),
      target: name(one.target),
      within: one.within,
      unit: one.unit,
      score: one.score,
    })),
  }
}
