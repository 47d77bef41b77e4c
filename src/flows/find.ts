/**
 * From a question to evidence: embed it, enter the graph, walk, order, pack. The same for search, query and compare. A question over budget
 * is answered from the keyword channel, and a question that cannot be embedded without its vector; both are flagged.
 */

import type { SearchResult } from '../contract/questions'
import { idf } from '../core/channels/lexical'
import type { Vector } from '../core/graph/types'
import type { QuestionTerms } from '../core/reader/question-terms'
import { strategies } from '../core/strategies/registry'
import { mismatch } from '../embedding-mismatch'
import type { RetrieveRequest, RetrieveResult } from '../ports/retrieval'
import { isCapped } from './allowance'
import type { AskDeps, EvidenceLimit, QueryRequest, Refusal, SearchRequest } from './ask-types'
import { answeringAhead, embeddingBound, NOT_EMBEDDED, rerankingAhead } from './call-bounds'
import { type EmbeddedQuestion, embedQuestion, entryPoints } from './entry-points'
import { expansionFor, expansionKind, lacksExpander } from './expand/ask-model'
import { withParts } from './expand/parts'
import { extendTrace } from './extend-trace'
import { rewriteFollowUp } from './follow-up'
import type { Found, QuestionStart } from './found'
import { Meter } from './meter'
import { namedEntryPoints } from './named-entry-points'
import { rerankPool } from './rank'
import { chooserOf, select } from './select'
import { type Walked, walk } from './walk'

export const questionDefaults = {
  strategy: 'auto',
  topK: 10,
  budget: 4000, // tokens
  whole: 24, // pieces, in place of `topK`, if the question is about a whole
} as const

const KEYWORDS = 'keyword' // the one strategy that never looks at vectors

export async function find(deps: AskDeps, request: QueryRequest, start: QuestionStart): Promise<Found | Refusal> {
  if (lacksExpander(deps.models, request)) return { kind: 'refused', code: 'expansion_unavailable' }
  const found = await findPlain(deps, request, start)
  if (found.kind === 'refused' || expansionKind(request) !== 'decompose') return found
  return withParts(deps, request, found, { start, room: roomOf(request), embeds: found.strategy !== KEYWORDS, find: findPlain })
}

/** ms before a question is asked again by another model: partitions of a corpus change to it one after the other, in a moment. */
const AGAIN_AFTER = [0, 250, 500, 1000] as const

/**
 * If a corpus was moved to another embedding model meanwhile, it is asked again with the new one. While some of its partitions have that and some still
 * the old one, no vector can be compared with those of all: if that lasts, it is asked without one.
 */
async function findPlain(deps: AskDeps, request: QueryRequest, start: QuestionStart): Promise<Found | Refusal> {
  let found = await findWith(deps, request, start)
  if (found.kind !== 'moved') return found
  if (!deps.moved) throw mismatch([deps.models.embedding], found.embedding)
  const { question: _, ...rest } = start
  for (const wait of AGAIN_AFTER) {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    found = await findWith({ ...deps, ...deps.moved(found.embedding) }, request, rest)
    if (found.kind !== 'moved') return found
  }
  const { embedding } = found
  found = await findWith(deps, request, { ...rest, isUnembedded: true })
  if (found.kind === 'moved') throw mismatch([deps.models.embedding], embedding)
  return found
}

type Moved = Extract<RetrieveResult, { kind: 'moved' }>

async function findWith(
  deps: AskDeps,
  request: QueryRequest,
  { allowance, writes = false, isCompared = false, ...given }: QuestionStart,
): Promise<Found | Refusal | Moved> {
  const meter = new Meter(deps.now, allowance)
  const wanted = strategies.get(request.strategy ?? questionDefaults.strategy)
  if (!wanted) return { kind: 'refused', code: 'strategy_not_enabled' }
  const { text, vector, expanded } = await readQuestion(deps, request, { embeds: wanted.name !== KEYWORDS, ...given }, meter)
  const affordable = !meter.degraded.has('budget')
  const strategy = affordable ? wanted : (strategies.get(KEYWORDS) ?? wanted)
  const [near, names] = await Promise.all([
    meter.time('entries', entryPoints(deps, strategy, vector, meter)),
    namedEntryPoints(deps, strategy, { text, vector }, meter),
  ])
  const room = roomOf(request)
  const chooser = affordable ? chooserOf(deps, wanted.name, request.options) : undefined
  const wider = rerankPool(room)
  const ahead = affordable
    ? { ...(chooser === 'rerank' ? rerankingAhead(text, wider) : {}), ...(writes ? answeringAhead(deps, request, room) : {}) }
    : {}
  const lookup = {
    ...retrieval(deps, request, text),
    ...(deps.asker ? { asker: deps.asker } : {}),
    ...(isCompared && deps.judge?.text ? { judged: true as const } : {}),
    ...room,
    ...(chooser ? { pool: wider } : {}),
    strategy: strategy.name,
    near,
    ...names,
    ...(vector ? { vector, embedded: deps.models.embedding.id } : {}),
  }
  const hold = isCapped(deps) ? allowance.holdFor(ahead) : {}
  // Other ceilings are asked in parallel.
  const [walked] = await Promise.all([walk(deps, { ...lookup, ...hold }, meter), deps.key && allowance.foresee(deps.key, ahead)])
  if (walked.kind === 'behind') return { kind: 'refused', code: 'behind', version: walked.version }
  if (walked.kind === 'moved') return walked
  if (walked.kind === 'filter_unknown') return { kind: 'refused', code: walked.kind, filter: walked.filter }
  if (walked.kind !== 'evidence') return { kind: 'refused', code: walked.kind }
  if (walked.partial) meter.degraded.add('index')
  if (walked.skipped) meter.degraded.add('partitions')
  const asked = weighTerms(walked)
  const selected = await select(deps, request, { question: text, asked, by: chooser, walked, room }, meter)
  const own = {
    kind: 'found',
    strategy: strategy.name,
    question: text,
    terms: asked,
    meter,
    at: request.period?.asOf?.start ?? deps.now(),
  } as const
  const found = { ...walked, ...selected, ...own, ...(expanded ? { expanded } : {}) }
  if (!expanded || !request.trace) return found
  return { ...found, trace: extendTrace(found.trace, { expansion: { by: 'hyde', passage: expanded[0] ?? null } }) }
}

/** `whole` only if the asker has not said how many. */
function roomOf({ topK, tokenBudget }: QueryRequest): EvidenceLimit & { readonly whole?: number } {
  const budget = tokenBudget ?? questionDefaults.budget
  return topK === undefined ? { topK: questionDefaults.topK, whole: questionDefaults.whole, budget } : { topK, budget }
}

function weighTerms({ frequencies, passages }: Extract<Walked, { kind: 'evidence' }>): QuestionTerms {
  return new Map(frequencies.map(([term, count]) => [term, { weight: idf(passages, count), isKnown: count > 0 }]))
}

interface Reading extends Pick<QuestionStart, 'question' | 'expansion' | 'isUnembedded'> {
  readonly embeds: boolean
}

/** The question as it is searched for, and its vector. */
async function readQuestion(
  deps: AskDeps,
  request: QueryRequest,
  { embeds, question, expansion, isUnembedded }: Reading,
  meter: Meter,
): Promise<{ readonly text: string; readonly vector?: Vector; readonly expanded?: readonly string[] }> {
  const leans = (request.history ?? []).length > 0
  const text = leans ? await rewriteFollowUp(deps, request, meter) : request.query
  const isLike = expansionKind(request) === 'hyde'
  if (isUnembedded) meter.degraded.add('embedding')
  if (!embeds || isUnembedded) return { text, ...(isLike ? { expanded: [] } : {}) }
  const shared = leans ? undefined : expansion
  const like = isLike ? (await expansionFor(deps, { kind: 'hyde', question: text, shared }, meter)).texts : undefined
  const pose = await embedPosed(deps, { text, like: like?.[0] }, leans ? undefined : question, meter)
  if (pose && !pose.vector) meter.degraded.add('embedding')
  return { text, ...(pose?.vector ? { vector: pose.vector } : {}), ...(like ? { expanded: pose?.vector ? like : [] } : {}) }
}

/** Undefined: over budget. */
async function embedPosed(
  deps: AskDeps,
  { text, like }: { readonly text: string; readonly like: string | undefined },
  question: Promise<EmbeddedQuestion> | undefined,
  meter: Meter,
): Promise<EmbeddedQuestion | undefined> {
  if (!question) {
    const call = await meter.begin('question', embeddingBound(text, ...(like === undefined ? [] : [like])))
    return call && meter.time('embed', embedQuestion(deps, text, call, like))
  }
  const pose = await meter.time('embed', question)
  if (pose === NOT_EMBEDDED) meter.degraded.add('budget')
  else meter.pay(pose.spent, pose.calls, 'question') // what it would have cost alone
  return pose === NOT_EMBEDDED ? undefined : pose
}

export function searchResult({ strategy, evidence, expanded, facets, trace, version, skipped, served, meter }: Found): SearchResult {
  return {
    strategy,
    evidence,
    ...(expanded ? { expanded: [...expanded] } : {}),
    ...(facets ? { facets } : {}),
    ...(trace === undefined ? {} : { trace }),
    version,
    ...(skipped ? { skipped_partitions: [...skipped] } : {}),
    ...(served ? { served_by: served.by, staleness: served.staleness } : {}),
    degraded: meter.flags,
    usage: meter.usage,
    timing_ms: meter.timing,
  }
}

function retrieval(
  { now }: AskDeps,
  request: SearchRequest,
  text: string,
): Omit<RetrieveRequest, 'strategy' | 'near' | 'topK' | 'budget' | 'asker'> {
  const { boosts, facets } = request
  const { options = {}, filters, period, freshness = 0, minVersion, trace = false } = request
  return {
    text,
    trace,
    options,
    ...(filters ? { filters } : {}),
    ...(period ? { period } : {}),
    ...(boosts && boosts.length > 0 ? { boosts } : {}),
    ...(facets && facets.length > 0 ? { facets } : {}),
    ...(freshness > 0 ? { freshness: { weight: freshness, now: period?.asOf?.end ?? now() } } : {}),
    ...(minVersion === undefined ? {} : { minVersion }),
  }
}
