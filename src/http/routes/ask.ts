/** Questions: search, query (whole or streamed), compare. Nothing of them is stored. */
import { Hono } from 'hono'
import { compareSchema, querySchema, searchSchema } from '../../contract/questions'
import { aborting } from '../../flows/aborting'
import { compare, query, queryStream, search } from '../../flows/ask'
import type { AskDeps, Outcome, QueryRequest, RefusalCode, SearchRequest, SearchResult } from '../../flows/ask-types'
import { noCorpus, within } from '../access'
import { askerOf } from '../asker'
import { json } from '../body'
import { type Ctx, type Http, objectOf } from '../context'
import { keyKeeper } from '../key-limits'
import { Problem } from '../problem'
import { serverTiming } from '../server-timing'
import { eventStream } from '../sse'
import { configOf } from './corpora'

const base = '/v1/corpora/:corpus'

export const askRoutes = new Hono<Http>()
  .post(`${base}/search`, within('read'), async (c) => {
    const asked = await json(c, searchSchema)
    return timed(c, answered(c, await search(await depsOf(c), searchOf(asked))))
  })
  .post(`${base}/query`, within('read'), async (c) => {
    const { stream, ...asked } = await json(c, querySchema)
    const deps = await depsOf(c)
    const events = (gone: AbortSignal) =>
      queryStream({ ...deps, models: aborting(deps.models, gone), judge: deps.judge && aborting(deps.judge, gone) }, queryOf(asked))
    if (stream) return eventStream(c, events, (code, version) => refused(c, code, version))
    return timed(c, answered(c, await query(deps, queryOf(asked))))
  })
  .post(`${base}/compare`, within('read'), async (c) => {
    const { strategies, ...asked } = await json(c, compareSchema)
    const { strategy: _, ...rest } = queryOf(asked)
    return c.json(await compare(await depsOf(c), { ...rest, strategies }))
  })

function timed<T extends SearchResult>(c: Ctx, result: T) {
  serverTiming(c, result)
  return c.json(result)
}

async function depsOf(c: Ctx): Promise<AskDeps> {
  const world = c.get('world')
  const { models, judge, index, now, later } = world
  const config = configOf(world, c.get('corpus'))
  return { corpus: objectOf(c), config, models, judge, index, key: keyKeeper(c, config.prices), asker: await askerOf(c), now, later }
}

type SearchBody = ReturnType<typeof searchSchema.parse>
type QueryBody = Omit<ReturnType<typeof querySchema.parse>, 'stream'>

function searchOf(asked: SearchBody): SearchRequest {
  const { query, strategy, top_k, token_budget, options, filters, min_version, trace } = asked
  return {
    query,
    ...(strategy === undefined ? {} : { strategy }),
    ...(top_k === undefined ? {} : { topK: top_k }),
    ...(token_budget === undefined ? {} : { tokenBudget: token_budget }),
    ...(options === undefined ? {} : { options }),
    ...(filters === undefined ? {} : { filters: definite(filters) }),
    ...(min_version === undefined ? {} : { minVersion: min_version }),
    ...(trace === undefined ? {} : { trace }),
  }
}

function queryOf(asked: QueryBody): QueryRequest {
  const { history, response_type, min_confidence, unsupported } = asked
  return {
    ...searchOf(asked),
    ...(history === undefined ? {} : { history }),
    ...(response_type === undefined ? {} : { responseType: response_type }),
    ...(min_confidence === undefined ? {} : { minConfidence: min_confidence }),
    ...(unsupported === undefined ? {} : { unsupported }),
  }
}

function definite({ document, metadata }: NonNullable<SearchBody['filters']>): NonNullable<SearchRequest['filters']> {
  return { ...(document ? { document } : {}), ...(metadata ? { metadata } : {}) }
}

function answered<T>(c: Ctx, outcome: Outcome<T>): T {
  if (outcome.kind === 'answered') return outcome.result
  throw refused(c, outcome.code, outcome.version)
}

function refused(c: Ctx, code: RefusalCode, version?: number): Problem {
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
      return noCorpus()
  }
}
