/**
 * Personalised PageRank over passages, units, entities and relations, after HippoRAG 2 (Gutiérrez et al., 2025): mass flows from what the question
 * names and from the units that say most of it, and passages are ranked by what reaches them. Pushed locally, at most `pushes` nodes; without
 * entities to begin at, keywords and vectors answer, and the trace says so. No model is asked: no triples are extracted or filtered.
 */
import { mentions } from '../../builders/mentions'
import { bestByChunk, clues } from '../../channels/clues'
import { walkEntities } from '../../channels/entity-walk'
import { discriminativeTerms, lexical } from '../../channels/lexical'
import { ranked } from '../../channels/order'
import type { Json } from '../../graph/types'
import type { Strategy } from '../../strategy'
import { hybridRanking } from '../baselines/hybrid'
import { beginsByVectors } from '../cluerag/settings'
import { decisions } from '../shared-builders'
import { readOptions } from './options'

const CANDIDATES = 100 // passages from each channel
const ENTRIES = { units: 24, entities: 20 } as const // asked of the index, if a corpus has such vectors
const traceLimits = { seeds: 20 } as const

export const ppr: Strategy = {
  name: 'ppr',
  isRanking: true,
  builders: [mentions, decisions],
  entries: [
    { kind: 'passage', k: CANDIDATES },
    { kind: 'unit', k: ENTRIES.units, where: beginsByVectors },
    { kind: 'entity', k: ENTRIES.entities, of: 'names', where: beginsByVectors },
  ],
  retrieve(graph, query, _scores, options) {
    const own = readOptions(options)
    const terms = discriminativeTerms(graph, query.terms)
    const hits = hybridRanking(graph, query, lexical(graph, query, CANDIDATES, terms))
    const source = clues(graph, terms, bestByChunk(hits), { titles: true, ...(query.admits ? { admits: query.admits } : {}) })
    const { restart, passage_weight: passageWeight, facts } = own
    const { seeds, passages } = walkEntities(graph, query, { terms, hits, source, options: { restart, passageWeight, facts } })
    const walked = new Set(passages.map((hit) => hit.id))
    // Passages that no step has reached follow in their own order.
    const rest = hits.filter((hit) => !walked.has(hit.id)).map((hit) => ({ id: hit.id, score: 0 }))
    const direct = new Set(hits.map((hit) => hit.id))
    const found = (passages.length > 0 ? [...passages, ...rest] : hits).slice(0, options.topK)
    return {
      kind: 'evidence',
      found: found.map((hit) => ({ ...hit, via: direct.has(hit.id) ? 'passage' : 'walk' })),
      ...(options.trace ? { trace: traceOf({ ...own }, seeds) } : {}),
    }
  },
}

function traceOf(own: Json, seeds: ReadonlyMap<string, number>): Json {
  const heaviest = ranked(seeds).slice(0, traceLimits.seeds)
  return {
    options: own,
    ...(seeds.size === 0 ? { fallback: 'no entity to begin at: keywords and vectors answer' } : {}),
    seeds: heaviest.map((hit) => ({ ...hit })),
  }
}
