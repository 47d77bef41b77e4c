/** A question's body as the flows take it, and the errors of a question that is not answered. */
import { displayName } from '../contract/nearest'
import type { querySchema, SearchResult, searchSchema } from '../contract/questions'
import type { Asker } from '../core/access/labels'
import { type Period, spanOf } from '../core/text/iso-date'
import type { AskDeps, Outcome, QueryRequest, Refusal, SearchRequest } from '../flows/ask-types'
import { judgeWith } from '../flows/role-models'
import type { Actor } from '../ports/audit'
import type { CorpusRecord } from '../ports/catalogue'
import type { Tracer } from '../ports/tracing'
import { callAs } from './acting'
import { askerOf } from './asker'
import { actorOf, type Ctx } from './context'
import { configOf, embeddingFor } from './corpus-config'
import { countQuestion, keyKeeper } from './key-limits'
import { notFound, Problem } from './problem'
import type { Answered } from './reply'
import { serverTiming } from './server-timing'
import { toolsOf } from './tools'
import { tracedWorld } from './traced-world'
import type { Wired } from './wired'

/** What a corpus is asked with. */
export async function depsFor(c: Ctx, record: CorpusRecord): Promise<AskDeps> {
  await countQuestion(c)
  const world = c.get('world')
  const config = configOf(world, record)
  const by = { record, config, actor: actorOf(c), key: keyKeeper(c, config.prices), asker: await askerOf(c) }
  const [tracer, untraced] = [c.get('tracer'), c.get('untraced')]
  return tracer ? tracedDeps({ world, untraced, tracer }, by) : depsIn(world, by)
}

interface By extends Pick<AskDeps, 'config' | 'key'> {
  readonly record: CorpusRecord
  readonly actor: Actor
  readonly asker: Asker
}

function depsIn(world: Wired, { record, config, actor, key, asker }: By): AskDeps {
  const { now, later } = world
  const { models, index } = embeddingFor(world, config)
  const judge = judgeWith(world.models, world.judge, config.settings.roleModels)
  const moved: NonNullable<AskDeps['moved']> = (embedding) => embeddingFor(world, { settings: { ...config.settings, ...embedding } })
  const corpus = callAs(world.corpus(record.uid, undefined, config.settings.replicas), actor)
  return { corpus, config, models, judge, index, moved, key, asker, now, later }
}

/** A part of the question with its own span makes the same calls through that span. */
function tracedDeps({ world, untraced, tracer }: { world: Wired; untraced: Wired; tracer: Tracer }, by: By): AskDeps {
  return {
    ...depsIn(world, by),
    inSpan(name) {
      const { tracer: inner, end } = tracer.open(name, { 'loam.corpus': by.record.uid })
      return { deps: tracedDeps({ world: tracedWorld(untraced, inner), untraced, tracer: inner }, by), end }
    },
  }
}

type SearchBody = Omit<ReturnType<typeof searchSchema.parse>, 'min_version'> & { readonly min_version?: number | undefined }
type OfOneCorpus = 'tools' | 'tool_choice' | 'tool_turns' | 'cache' | 'store' | 'conversation' | 'previous_turn'
type Parsed = ReturnType<typeof querySchema.parse>
type QueryBody = Omit<Parsed, 'stream' | 'min_version' | OfOneCorpus> & Pick<SearchBody, 'min_version'> & Partial<Pick<Parsed, OfOneCorpus>>
export function searchOf(body: SearchBody): SearchRequest {
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

export function queryOf(body: QueryBody): QueryRequest {
  const { history, response_type, min_confidence, generator, unsupported, cache } = body
  const tools = toolsOf(body)
  return {
    ...searchOf(body),
    ...(history === undefined ? {} : { history }),
    ...(response_type === undefined ? {} : { responseType: response_type }),
    ...(min_confidence === undefined ? {} : { minConfidence: min_confidence }),
    ...(generator === undefined ? {} : { generator }),
    ...(unsupported === undefined ? {} : { unsupported }),
    ...(tools ? { tools } : {}),
    ...(cache === undefined ? {} : { cache }),
  }
}

function periodOf({ as_of, since, until }: SearchBody): Period | undefined {
  if (as_of === undefined && since === undefined && until === undefined) return undefined
  const [asOf, from, to] = [as_of, since, until].map((date) => (date === undefined ? undefined : spanOf(date)))
  return { ...(asOf ? { asOf } : {}), ...(from ? { since: from.start } : {}), ...(to ? { until: to.end } : {}) }
}

function withoutAbsent({ saved, document, metadata, language }: NonNullable<SearchBody['filters']>): NonNullable<SearchRequest['filters']> {
  return {
    ...(document ? { document } : {}),
    ...(metadata ? { metadata } : {}),
    ...(language ? { language } : {}),
    ...(saved === undefined ? {} : { saved: [saved].flat() }),
  }
}

export function requireAnswered<T>(c: Ctx, outcome: Outcome<T>): T {
  if (outcome.kind === 'answered') return outcome.result
  throw refusalProblem(c, outcome)
}

export function withTiming<T extends Pick<SearchResult, 'timing_ms' | 'usage'>>(c: Ctx, result: T): Answered<200, T> {
  serverTiming(c, result)
  return { status: 200, body: result }
}

export function refusalProblem(c: Ctx, { code, version, filter = '' }: Omit<Refusal, 'kind'>): Problem {
  switch (code) {
    case 'strategy_not_enabled':
      return new Problem('strategy_not_enabled', 'This corpus has not enabled that strategy.')
    case 'behind':
      return new Problem('version_not_reached', 'The corpus has not reached `min_version` in time.', {
        ...(version === undefined ? {} : { members: { version } }),
        retryAfter: 2,
      })
    case 'filter_unknown': {
      const errors = [{ path: 'filters.saved', message: `${displayName(filter)} is unknown` }]
      return new Problem('invalid', 'The corpus has no saved filter of that name; see `errors`.', { errors })
    }
    case 'expansion_unavailable': {
      const message = 'needs a text model, and this deployment has none (TEXT_MODEL); `none` searches for the question as it is'
      return new Problem('invalid', 'The question cannot be expanded here; see `errors`.', {
        errors: [{ path: 'options.expand', message }],
      })
    }
    case 'gone':
      for (const name of namesAsked(c)) c.get('caches').corpora.forget(name)
      return notFound('corpus')
  }
}

function namesAsked(c: Ctx): readonly string[] {
  const record: CorpusRecord | undefined = c.get('corpus')
  return record ? [record.name] : []
}
