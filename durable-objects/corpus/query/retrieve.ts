/**
 * Answers a question from one version of the graph, synchronously: entry points (entry-points.ts), then the strategy's walk, then texts and places.
 * Writes nothing (stale texts found are only promoted).
 */
import { VisibleGraph } from '../../../src/core/access/visible-graph'
import { reachedBy } from '../../../src/core/channels/reached-by'
import { type Evidence, present } from '../../../src/core/evidence'
import type { Admits, GraphReader } from '../../../src/core/graph/reader'
import { frequenciesOf, questionTerms } from '../../../src/core/language/question-terms'
import { MAX_TERMS } from '../../../src/core/reader/question-terms'
import { presentation, retrieveSelected } from '../../../src/core/selection'
import { embeddingModelOf, embeddingOf, isEmbeddedBy, type Settings } from '../../../src/core/settings'
import { rerankWeightFor } from '../../../src/core/strategies/auto/rerank-weight'
import { isEnabled, isVisibleValue, strategies } from '../../../src/core/strategies/registry'
import type { Options, Query, Strategy } from '../../../src/core/strategy'
import type { AskedTerms } from '../../../src/core/text/asked-terms'
import { movedMeanwhile } from '../../../src/embedding-mismatch'
import type { FacetCounts, RetrieveRequest, RetrieveResult } from '../../../src/ports/retrieval'
import type { Sql } from '../../sql'
import { newReadAllowance } from '../outbox/nearest-unindexed'
import type { CorpusContext } from '../store'
import { listLanguagesOf } from '../tables/spoken'
import { datesReader, documentsWithin, sightWithin, withDates } from './dates'
import { removedFor, withEarlier } from './earlier'
import { type EntryPointRequest, entryPoints, namedEntryPoints } from './entry-points'
import { withLocations } from './locations'
import { admittedBySaved } from './saved-filters'
import { sightOf, visibleGraph } from './visibility'
import { countFacets, worthOf } from './worth'

const MAX_COUNTED = 100 // hits whose documents are counted by their metadata

export function retrieve(context: CorpusContext, request: RetrieveRequest): RetrieveResult {
  const strategy = strategies.get(request.strategy)
  if (!strategy || !isEnabled(request.strategy, context.config.strategies)) return { kind: 'strategy_not_enabled' }
  if (request.vector && isOfOther(context, request.embedded, request.vector)) {
    return { kind: 'moved', embedding: embeddingOf(context.config.settings) }
  }
  const documents = admittedBySaved(context, request.filters)
  if (documents && 'missing' in documents) return { kind: 'filter_unknown', filter: documents.missing }
  const { sight, graph: whole, few, dates } = seenBy(context, request)
  const admits = documents && admitsChunk(whole, documents)
  const graph = admits ? filtered(whole, admits) : whole
  const allowed = newReadAllowance()
  const question = questionTerms(whole, request.text)
  const asked = {
    text: request.text,
    terms: question.terms,
    ...(admits ? { admits } : {}),
    ...(documents ? { documents } : {}),
  }
  const query = request.vector
    ? withEntryPoints(context, strategy, asked, request.names, {
        ...asked,
        vector: request.vector,
        shown: request.near,
        documents,
        allowed,
        graph: whole,
        sight,
        few,
      })
    : { ...asked, near: {} }
  const { settings } = context.config
  const weight = request.pool ? rerankWeightFor(graph, request, settings) : 0
  const pool = request.pool && (weight > 0 || request.options.select === 'model') ? request.pool : undefined
  const { topK, budget } = pool ?? request
  const options = {
    topK,
    budget,
    trace: request.trace,
    own: request.options,
    ...(request.whole === undefined ? {} : { whole: request.whole }),
  }
  const worth = worthOf(request, graph, dates)
  const scores = new Map(request.scores ?? [])
  const found = retrieveSelected(strategy, graph, { query, scores, options, settings, documents, worth })
  const { version } = context.graph
  if (found.kind === 'wanted') return { kind: 'wanted', pairs: found.pairs, version }
  const { overview } = found
  // Pieces that were chosen to complement each other are not re-ranked.
  const isChosen = overview !== undefined && overview.kind !== 'topic'
  const shown = isChosen ? { topK: request.whole ?? request.topK, budget: request.budget } : { topK, budget }
  const limits = { ...shown, ...presentation(request.options), ...(documents ? { documents } : {}) }
  const facets = request.facets
    ? facetsOf(context.sql, strategy, graph, { query, scores, options, settings, documents }, request.facets)
    : undefined
  const evidence = withEarlier(context, withDates(context.sql, withLocations(context, graph, present(graph, found.found, limits))))
  return {
    kind: 'evidence',
    evidence,
    ...(request.judged ? removedFor(context, request.text, evidence) : {}),
    ...(overview ? { overview } : {}),
    ...(pool && !isChosen
      ? {
          pool: {
            weight,
            paths: pathsOf(graph, evidence),
            ...(worth ? { worth: evidence.map((one) => worth(one.document ?? undefined)) } : {}),
          },
        }
      : {}),
    version,
    ...(facets ? { facets } : {}),
    ...rarity(context.graph, question),
    ...(request.trace && found.trace !== undefined ? { trace: found.trace } : {}),
    ...(allowed.isExceeded ? { partial: true as const } : {}),
  }
}

/** The graph as the asker may see it, in the requested period. */
export function seenBy(context: CorpusContext, { asker, period }: Pick<RetrieveRequest, 'asker' | 'period'>) {
  const { sql, graph } = context
  const own = sightOf(context, asker)
  const dates = datesReader(sql)
  if (!period) {
    const few = (max: number) => own && graph.access.readableDocuments(own, graph.count('document'), max)
    return { sight: own, graph: visibleGraph(context, own), few, dates }
  }
  const sight = sightWithin(graph, own, period, dates)
  const few = (max: number) => documentsWithin(sql, period, sight.document, max)
  return { sight, graph: new VisibleGraph(graph, sight, isVisibleValue), few, dates }
}

interface Walk {
  readonly query: Query
  readonly scores: ReadonlyMap<string, number>
  readonly options: Options
  readonly settings: Settings
  readonly documents: ReadonlySet<string> | undefined
}

/** Over everything that the strategy finds, not only what is shown. */
function facetsOf(sql: Sql, strategy: Strategy, graph: GraphReader, walk: Walk, keys: readonly string[]): FacetCounts {
  const { query, scores, options, settings, documents } = walk
  const wide = strategy.retrieve(graph, query, scores, { ...options, topK: MAX_COUNTED }, settings)
  const hits = wide.kind === 'evidence' ? wide.found.flatMap((one) => [one.id, ...(one.support ?? [])]) : []
  const admits = (document: string): boolean => documents?.has(document) ?? true
  return countFacets(graph, hits, keys, admits, (ids) => listLanguagesOf(sql, ids))
}

/** Is this a vector from another model than the corpus's? */
export function isOfOther({ graph, config }: CorpusContext, embedded: string | undefined, vector?: Int8Array): boolean {
  if (vector && vector.length !== graph.dimensions) return true
  const own = embeddingModelOf(config.settings)?.id
  return embedded !== undefined && own !== undefined && !isEmbeddedBy(config.settings, { id: embedded, dimensions: graph.dimensions })
}

/** Refuses vectors from the model that the corpus had before it was moved. */
export function refuseMoved(context: CorpusContext, embedded: string | undefined): void {
  if (embedded !== undefined && isOfOther(context, embedded)) throw movedMeanwhile(embedded, context.config.settings)
}

/** The sentence by which each was reached: whatever chooses from the pool cannot see it in the piece itself. */
function pathsOf(graph: GraphReader, evidence: readonly Evidence[]): (string | null)[] {
  const passages = evidence.filter((one) => one.chunk !== null)
  const paths = reachedBy(
    graph,
    passages.map((one) => one.id),
  )
  const byId = new Map(passages.map((one, i) => [one.id, paths[i]]))
  return evidence.map((one) => byId.get(one.id) ?? null)
}

function withEntryPoints(
  context: CorpusContext,
  strategy: Strategy,
  asked: Omit<Query, 'near'>,
  said: RetrieveRequest['names'],
  request: EntryPointRequest,
): Query {
  const names = namedEntryPoints(context, strategy, said, request)
  return { ...asked, vector: request.vector, near: entryPoints(context, strategy, request), ...(names ? { names } : {}) }
}

/** What the answer is judged by: the rarity of each term in the question. */
function rarity(graph: GraphReader, question: AskedTerms) {
  return { frequencies: frequenciesOf(graph, question, MAX_TERMS), passages: graph.count('passage') }
}

export function admitsChunk(graph: GraphReader, documents: ReadonlySet<string>): (chunk: string) => boolean {
  const known = new Map<string, boolean>()
  return (chunk) => {
    const before = known.get(chunk)
    if (before !== undefined) return before
    const verdict = graph.placements(chunk).some((place) => documents.has(place.document))
    known.set(chunk, verdict)
    return verdict
  }
}

/** The same graph, but lexical matches outside the filter are skipped. */
export function filtered(graph: GraphReader, admits: Admits): GraphReader {
  const match: GraphReader['match'] = (words, limit) => graph.match(words, limit, admits)
  return new Proxy(graph, {
    get: (target, name) => {
      if (name === 'match') return match
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
