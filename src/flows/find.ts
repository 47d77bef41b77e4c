/**
 * From a question to evidence: embed it beside asking the budget, enter the graph, walk, order, pack. The same for search, query and
 * compare. A question over budget is answered from the keyword channel, a question that cannot be embedded without its vector; both flagged.
 */

import { idf } from '../core/channels/lexical'
import type { Vector } from '../core/graph/types'
import type { AskedTerms } from '../core/reader/confidence'
import { strategies } from '../core/strategies/registry'
import type { Evidence, Json, RetrieveRequest } from '../ports'
import type { AskDeps, QueryRequest, Refusal, SearchRequest, SearchResult } from './ask-types'
import { entryPoints, type Posed, posed } from './entry-points'
import { standalone } from './follow-up'
import { Meter } from './meter'
import { affords, embeddingOf, isCapped } from './purse'
import { packed, pool, reranked } from './rank'
import { type Walked, walk } from './walk'

export const asked = {
  strategy: 'auto',
  topK: 10,
  budget: 4000, // tokens
} as const

const KEYWORDS = 'keyword' // the one strategy that never looks at vectors

export interface Found {
  readonly kind: 'found'
  readonly strategy: string
  /** As it was looked up. */
  readonly question: string
  readonly evidence: readonly Evidence[]
  /** What a model has drawn from the evidence, marked with its numbers: an answer is written from this instead. */
  readonly points?: readonly string[]
  readonly trace?: Json
  readonly version: number
  /** The question's terms, by how rare they are in the corpus. */
  readonly terms: AskedTerms
  readonly meter: Meter
}

/** `question`: the same question, already being embedded. */
export async function find(deps: AskDeps, request: QueryRequest, question?: Promise<Posed>): Promise<Found | Refusal> {
  const meter = new Meter(deps.now)
  const wanted = strategies.get(request.strategy ?? asked.strategy)
  if (!wanted) return { kind: 'refused', code: 'strategy_not_enabled' }
  const { text, vector } = await understood(deps, request, { embeds: wanted.name !== KEYWORDS, question }, meter)
  const affordable = !meter.degraded.has('budget')
  const strategy = affordable ? wanted : (strategies.get(KEYWORDS) ?? wanted)
  const near = await meter.time('entries', entryPoints(deps, strategy, vector, meter))
  const room = { topK: request.topK ?? asked.topK, budget: request.tokenBudget ?? asked.budget }
  const reranks = affordable && deps.models.reranker !== null && wanted.name === asked.strategy && request.options?.rerank !== false
  const wider = reranks ? pool(room) : room
  const walked = await walk(
    deps,
    { ...retrieval(request, text), ...wider, strategy: strategy.name, near, ...(vector ? { vector } : {}) },
    meter,
  )
  if (walked.kind === 'behind') return { kind: 'refused', code: 'behind', version: walked.version }
  if (walked.kind !== 'evidence') return { kind: 'refused', code: walked.kind }
  if (walked.partial) meter.degraded.add('index')
  const evidence = reranks ? packed(await reranked(deps, text, walked.evidence, meter), room) : walked.evidence
  return { ...walked, kind: 'found', strategy: strategy.name, question: text, evidence, terms: weighed(walked), meter }
}

function weighed({ frequencies, passages }: Extract<Walked, { kind: 'evidence' }>): AskedTerms {
  return new Map(frequencies.map(([term, count]) => [term, { weight: idf(passages, count), isKnown: count > 0 }]))
}

interface Reading {
  readonly embeds: boolean
  readonly question: Promise<Posed> | undefined
}

/** The question as it is looked up, and its vector. The budget is asked beside embedding; before it where there is one, or a rewrite would cost. */
async function understood(
  deps: AskDeps,
  request: QueryRequest,
  { embeds, question }: Reading,
  meter: Meter,
): Promise<{ readonly text: string; readonly vector?: Vector }> {
  const budget = deps.corpus.purse().then((purse) => meter.hold(purse))
  const leans = (request.history ?? []).length > 0
  if (leans || isCapped(deps)) await budget
  const text = leans ? await standalone(deps, request, meter) : request.query
  const posing =
    embeds && (question !== undefined || affords(deps, meter, 'question', embeddingOf(text)))
      ? (!leans && question) || posed(deps, text)
      : undefined
  const [pose] = await Promise.all([posing && meter.time('embed', posing), budget])
  if (pose) meter.pay(pose.spent, pose.calls, 'question')
  if (meter.degraded.has('budget')) return { text }
  if (pose && !pose.vector) meter.degraded.add('embedding')
  return { text, ...(pose?.vector ? { vector: pose.vector } : {}) }
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

function retrieval(request: SearchRequest, text: string): Omit<RetrieveRequest, 'strategy' | 'near' | 'topK' | 'budget'> {
  const { options = {}, filters, minVersion, trace = false } = request
  return { text, trace, options, ...(filters ? { filters } : {}), ...(minVersion === undefined ? {} : { minVersion }) }
}
