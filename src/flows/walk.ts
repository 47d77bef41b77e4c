/**
 * The walk over the graph, restarted with scores until it has all it wants. The cross-encoder is not part of the corpus object, so the walk
 * names the pairs it lacks; they are scored here, and it starts again with the table and the version for which it named them. If the
 * version has moved twice, or the walk asks too often, embeddings score instead, and the trace says so.
 */
import type { RetrieveRequest, RetrieveResult } from '../ports/retrieval'
import { corpusKeeper } from './allowance'
import type { AskDeps } from './ask-types'
import { rerankingBound } from './call-bounds'
import { extendTrace } from './extend-trace'
import type { Meter } from './meter'

const RESTARTS = 8 // more than the scoring rounds of the deepest walk
const MOVES = 2 // changes of version after which the walk stops chasing

export type Walked = Exclude<RetrieveResult, { kind: 'wanted' }>

/** The first read also makes the reservation in its `hold`. */
export async function walk(deps: AskDeps, { hold, ...request }: RetrieveRequest, meter: Meter): Promise<Walked> {
  let ahead = hold
  const table = new Map<string, number>()
  const turns = { taken: 0, moved: 0, version: undefined as number | undefined }
  for (;;) {
    const known = turns.version === undefined ? {} : { scores: [...table], version: turns.version }
    const result = await retrieve(deps, { ...request, ...known, ...(ahead ? { hold: ahead } : {}) }, meter)
    ahead = undefined
    if (result.kind !== 'wanted') return result
    turns.taken++
    if (turns.version !== undefined && result.version !== turns.version) turns.moved++
    turns.version = result.version
    if (turns.moved >= MOVES || turns.taken >= RESTARTS) {
      meter.degraded.add('scorer')
      return settled(deps, request, 'embedding', meter)
    }
    if (!deps.models.reranker) {
      if (request.options.scorer === 'reranker') meter.degraded.add('reranker')
      return settled(deps, request, 'lexical', meter)
    }
    if (!(await score(deps, request.text, result.pairs, table, meter))) return settled(deps, request, 'embedding', meter)
  }
}

async function retrieve(deps: AskDeps, request: RetrieveRequest, meter: Meter): Promise<RetrieveResult> {
  const { allowance } = meter
  const result = await meter.time('retrieve', deps.corpus.retrieve(request))
  if (result.kind !== 'evidence' && result.kind !== 'wanted') return result
  // The corpus was given a budget a moment ago.
  if (result.held === 'unasked') allowance.add(corpusKeeper(deps))
  if (result.held === 'granted' && request.hold) allowance.granted(corpusKeeper(deps), request.hold)
  return result
}

/** The walk with a scorer that needs no model call. */
async function settled(deps: AskDeps, request: RetrieveRequest, scorer: string, meter: Meter): Promise<Walked> {
  const options = { ...request.options, scorer }
  const result = await meter.time('retrieve', deps.corpus.retrieve({ ...request, options }))
  if (result.kind === 'wanted') throw new Error(`strategy ${request.strategy} wants scores though its scorer is ${scorer}`)
  return withScorer(result, scorer, request.trace)
}

/** Fills the table. False if the re-ranker gave nothing, or the budget does not allow it. */
async function score(
  deps: AskDeps,
  question: string,
  pairs: readonly { readonly key: string; readonly text: string }[],
  table: Map<string, number>,
  meter: Meter,
): Promise<boolean> {
  const missing = pairs.filter((pair) => !table.has(pair.key))
  if (missing.length === 0) return true
  const texts = missing.map((pair) => pair.text)
  try {
    const reply = await meter.call('rerank', rerankingBound(question, texts), ({ mayRepeat }) =>
      deps.models.rerank(question, texts, { mayRepeat }),
    )
    for (const [i, pair] of reply ? missing.entries() : []) table.set(pair.key, reply?.scores[i] ?? 0)
    return reply !== undefined
  } catch {
    meter.degraded.add('reranker')
    return false
  }
}

function withScorer(result: Walked, scorer: string, trace: boolean): Walked {
  if (result.kind !== 'evidence' || !trace) return result
  return { ...result, trace: extendTrace(result.trace, { scorer }) }
}
