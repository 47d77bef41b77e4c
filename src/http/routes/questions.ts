/**
 * Questions: search, query (streamed or not), compare. Nothing of them is stored unless the corpus logs questions or a question asks
 * for it.
 */

import { compareResult, compareSchema, queryResult, querySchema, searchResult, searchSchema } from '../../contract/questions'
import { defaultStrategies } from '../../core/strategies/registry'
import { abortable } from '../../flows/aborting'
import { compare, query, queryStream, search } from '../../flows/ask'
import { lacksExpander } from '../../flows/expand/ask-model'
import { keepingOf, keptStream } from '../kept-turn'
import { depsFor, queryOf, refusalProblem, requireAnswered, searchOf, withTiming } from '../question-body'
import { route } from '../route'
import { seen, seenStream } from '../seen-question'
import { eventStream } from '../sse'
import { requireCallable } from '../tools'

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
  }).answer(async (c, asked) => {
    const found = requireAnswered(c, await search(await depsFor(c, c.get('corpus')), searchOf(asked)))
    return withTiming(c, seen(c, asked.query, found))
  }),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/query',
    id: 'query',
    tag: 'questions',
    summary: 'Answer a question with checked citations, and say what they support',
    description:
      '`store: true` keeps question and answer for the key; `conversation` continues a kept one. With `stream: true`, server-sent events: `retrieval`, `delta`*, `citation`*, `usage`, `done`; `error` ends the stream. A request refused before the first event has an HTTP status.',
    access: ['read'],
    body: { schema: querySchema, example: { ...question, history: [{ role: 'user', content: 'Tell me about the mill.' }] } },
    answers: { 200: { description: 'The answer.', schema: queryResult, events: EVENTS } },
    problems: ['strategy_not_enabled', 'version_not_reached', 'model_unavailable', 'conversation_not_found', 'conflict'],
  }).answer(async (c, { stream, ...asked }) => {
    const keeping = await keepingOf(c, asked)
    const deps = await depsFor(c, c.get('corpus'))
    requireCallable(deps.models, asked)
    const request = { ...queryOf(asked), ...(keeping?.history.length ? { history: keeping.history } : {}) }
    const events = (gone: AbortSignal) => keptStream(keeping, seenStream(c, asked.query, queryStream(abortable(deps, gone), request)))
    if (stream) return { response: await eventStream(c, events, (refused) => refusalProblem(c, refused)) }
    const answer = seen(c, asked.query, requireAnswered(c, await query(deps, request)))
    return withTiming(c, keeping ? await keeping.keep(answer, answer.evidence) : answer)
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
    const deps = await depsFor(c, c.get('corpus'))
    if (lacksExpander(deps.models, rest)) throw refusalProblem(c, { code: 'expansion_unavailable' })
    return { status: 200, body: await compare(deps, { ...rest, strategies }) }
  }),
]
