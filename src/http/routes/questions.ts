/** Questions: search, query (whole or streamed), compare. Nothing of them is stored. */

import type { RefusalCode, SearchResult } from '../../contract/questions'
import { compareResult, compareSchema, queryResult, querySchema, searchResult, searchSchema } from '../../contract/questions'
import { defaultStrategies } from '../../core/strategies/registry'
import { type Period, spanOf } from '../../core/text/iso-date'
import { withAbort } from '../../flows/aborting'
import { compare, query, queryStream, search } from '../../flows/ask'
import type { AskDeps, Outcome, QueryRequest, SearchRequest } from '../../flows/ask-types'
import { askerOf } from '../asker'
import { type Ctx, objectOf } from '../context'
import { configOf, embeddingFor } from '../corpus-config'
import { keyKeeper } from '../key-limits'
import { notFound, Problem } from '../problem'
import type { Answered } from '../reply'
import { route } from '../route'
import { serverTiming } from '../server-timing'
import { eventStream } from '../sse'

const question = { query: 'When is bread baked?', strategy: 'auto', top_k: 5 } as const
const EVENTS = `event: delta\ndata: {"text":"Bread is baked on Tuesdays [1]."}\n\n`

export const questionRoutes = [
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/search',
    id: 'search',
    tag: 'questions',
    summary: 'Find evidence for a question, best first',
    access: ['read'],
    body: { schema: searchSchema, example: question },
    answers: { 200: { description: 'The evidence.', schema: searchResult } },
    problems: ['strategy_not_enabled', 'version_not_reached'],
  }).answer(async (c, asked) => withTiming(c, requireAnswered(c, await search(await depsOf(c), searchOf(asked))))),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/query',
    id: 'query',
    tag: 'questions',
    summary: 'Answer a question with checked citations, and say what they support',
    description:
      'With `stream: true` server-sent events: `retrieval`, `delta`*, `citation`*, `usage`, `done`; `error` ends the stream. What is refused before the first event is a status.',
    access: ['read'],
    body: { schema: querySchema, example: { ...question, history: [{ role: 'user', content: 'Tell me about the mill.' }] } },
    answers: { 200: { description: 'The answer.', schema: queryResult, events: EVENTS } },
    problems: ['strategy_not_enabled', 'version_not_reached', 'model_unavailable'],
  }).answer(async (c, { stream, ...asked }) => {
    const deps = await depsOf(c)
    const events = (gone: AbortSignal) =>
      queryStream({ ...deps, models: withAbort(deps.models, gone), judge: deps.judge && withAbort(deps.judge, gone) }, queryOf(asked))
    if (stream) return { response: await eventStream(c, events, (code, version) => refusalProblem(c, code, version)) }
    return withTiming(c, requireAnswered(c, await query(deps, queryOf(asked))))
  }),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/compare',
    id: 'compare',
    tag: 'questions',
    summary: 'Ask several strategies the same question, with cost and time',
    access: ['read'],
    body: { schema: compareSchema, example: { query: question.query, strategies: ['hybrid', ...defaultStrategies.slice(0, 1)] } },
    answers: { 200: { description: 'One result per strategy.', schema: compareResult } },
  }).answer(async (c, { strategies, ...asked }) => {
    const { strategy: _, ...rest } = queryOf(asked)
    return { status: 200, body: await compare(await depsOf(c), { ...rest, strategies }) }
  }),
]

function withTiming<T extends SearchResult>(c: Ctx, result: T): Answered<200, T> {
  serverTiming(c, result)
  return { status: 200, body: result }
}

async function depsOf(c: Ctx): Promise<AskDeps> {
  const world = c.get('world')
  const { judge, now, later } = world
  const config = configOf(world, c.get('corpus'))
  const { models, index } = embeddingFor(world, config)
  const moved: NonNullable<AskDeps['moved']> = (embedding) => embeddingFor(world, { settings: { ...config.settings, ...embedding } })
  return { corpus: objectOf(c), config, models, judge, index, moved, key: keyKeeper(c, config.prices), asker: await askerOf(c), now, later }
}

type SearchBody = ReturnType<typeof searchSchema.parse>
type QueryBody = Omit<ReturnType<typeof querySchema.parse>, 'stream'>

function searchOf(body: SearchBody): SearchRequest {
  const { query, strategy, top_k, token_budget, options, filters, freshness, boosts, facets, min_version, trace } = body
  const period = periodOf(body)
  return {
    query,
    ...(strategy === undefined ? {} : { strategy }),
    ...(top_k === undefined ? {} : { topK: top_k }),
    ...(token_budget === undefined ? {} : { tokenBudget: token_budget }),
    ...(options === undefined ? {} : { options }),
    ...(filters === undefined ? {} : { filters: withoutAbsent(filters) }),
    ...(period ? { period } : {}),
    ...(freshness === undefined ? {} : { freshness }),
    ...(boosts ? { boosts } : {}),
    ...(facets ? { facets } : {}),
    ...(min_version === undefined ? {} : { minVersion: min_version }),
    ...(trace === undefined ? {} : { trace }),
  }
}

function queryOf(body: QueryBody): QueryRequest {
  const { history, response_type, min_confidence, unsupported } = body
  return {
    ...searchOf(body),
    ...(history === undefined ? {} : { history }),
    ...(response_type === undefined ? {} : { responseType: response_type }),
    ...(min_confidence === undefined ? {} : { minConfidence: min_confidence }),
    ...(unsupported === undefined ? {} : { unsupported }),
  }
}

function periodOf({ as_of, since, until }: SearchBody): Period | undefined {
  if (as_of === undefined && since === undefined && until === undefined) return undefined
  const [asOf, from, to] = [as_of, since, until].map((date) => (date === undefined ? undefined : spanOf(date)))
  return { ...(asOf ? { asOf } : {}), ...(from ? { since: from.start } : {}), ...(to ? { until: to.end } : {}) }
}

function withoutAbsent({ document, metadata }: NonNullable<SearchBody['filters']>): NonNullable<SearchRequest['filters']> {
  return { ...(document ? { document } : {}), ...(metadata ? { metadata } : {}) }
}

function requireAnswered<T>(c: Ctx, outcome: Outcome<T>): T {
  if (outcome.kind === 'answered') return outcome.result
  throw refusalProblem(c, outcome.code, outcome.version)
}

function refusalProblem(c: Ctx, code: RefusalCode, version?: number): Problem {
  switch (code) {
    case 'strategy_not_enabled':
      return new Problem('strategy_not_enabled', 'This corpus has not enabled that strategy.')
    case 'behind':
      return new Problem('version_not_reached', 'The corpus has not reached min_version in time.', {
        ...(version === undefined ? {} : { members: { version } }),
        retryAfter: 2,
      })
    case 'gone':
      c.get('caches').corpora.forget(c.get('corpus').name)
      return notFound('corpus')
  }
}
