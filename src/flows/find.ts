/**
 * From a question to evidence: embed it beside asking the budget, enter the graph, walk, order, pack. The same for search, query and
 * compare. A question over budget is answered from the keyword channel, a question that cannot be embedded without its vector; both flagged.
 */
import { strategies } from '../core/strategies/registry'
import type { Evidence, Json, RetrieveRequest } from '../ports'
import type { AskDeps, Refusal, SearchRequest, SearchResult } from './ask-types'
import { entryPoints, type Posed, posed } from './entry-points'
import { Meter } from './meter'
import { packed, pool, reranked } from './rank'
import { walk } from './walk'

export const asked = {
  strategy: 'auto',
  topK: 10,
  budget: 4000, // tokens
} as const

const KEYWORDS = 'keyword' // the one strategy that never looks at vectors

export interface Found {
  readonly kind: 'found'
  readonly strategy: string
  readonly evidence: readonly Evidence[]
  readonly trace?: Json
  readonly version: number
  readonly meter: Meter
}

export async function find(deps: AskDeps, request: SearchRequest, question?: Promise<Posed>): Promise<Found | Refusal> {
  const meter = new Meter(deps.now)
  const wanted = strategies.get(request.strategy ?? asked.strategy)
  if (!wanted) return { kind: 'refused', code: 'strategy_not_enabled' }
  const posing = wanted.name === KEYWORDS ? undefined : (question ?? posed(deps, request.query))
  const [affordable, pose] = await Promise.all([deps.corpus.affordable(), posing && meter.time('embed', posing)])
  if (pose) meter.pay(pose.spent, pose.calls)
  if (!affordable) meter.degraded.add('budget')
  else if (pose && !pose.vector) meter.degraded.add('embedding')
  const strategy = affordable ? wanted : (strategies.get(KEYWORDS) ?? wanted)
  const vector = affordable ? pose?.vector : undefined
  const near = await meter.time('entries', entryPoints(deps, strategy, vector, meter))
  const room = { topK: request.topK ?? asked.topK, budget: request.tokenBudget ?? asked.budget }
  const reranks = affordable && deps.models.reranker !== null && wanted.name === 'auto' && request.options?.rerank !== false
  const wider = reranks ? pool(room) : room
  const walked = await walk(deps, { ...retrieval(request), ...wider, strategy: strategy.name, near, ...(vector ? { vector } : {}) }, meter)
  if (walked.kind === 'behind') return { kind: 'refused', code: 'behind', version: walked.version }
  if (walked.kind !== 'evidence') return { kind: 'refused', code: walked.kind }
  const evidence = reranks ? packed(await reranked(deps, request.query, walked.evidence, meter), room) : walked.evidence
  return { ...walked, kind: 'found', strategy: strategy.name, evidence, meter }
}

export function searchResult({ strategy, evidence, trace, version, meter }: Found): SearchResult {
  return {
    strategy,
    evidence,
    ...(trace === undefined ? {} : { trace }),
    version,
    degraded: meter.flags,
    usage: meter.usage,
    timing_ms: meter.timing,
  }
}

function retrieval(request: SearchRequest): Omit<RetrieveRequest, 'strategy' | 'near' | 'topK' | 'budget'> {
  const { query, options = {}, filters, minVersion, trace = false } = request
  return { text: query, trace, options, ...(filters ? { filters } : {}), ...(minVersion === undefined ? {} : { minVersion }) }
}
