/** OpenAI's chat interface: corpora are its models. Questions go through our own `query`; errors have OpenAI's form. */
import type { AnswerEvent } from '../../client/client'
import { chatCompletion, chatModel, chatModels, chatSchema } from '../../contract/chat'
import type { ProblemCode } from '../../contract/problem'
import { isEnabled, strategies as known } from '../../core/strategies/registry'
import type { CorpusRecord } from '../../ports/catalogue'
import { limitStranger, recordOfName } from '../access'
import { KIB, MIB, readJson } from '../body'
import type { Ctx } from '../context'
import { brokenOff, chatErrorOf, chunks, completion, type Head } from '../doors/chat-reply'
import { modelParts, questionOf } from '../doors/chat-request'
import { insideClient, isLoamError } from '../doors/inside'
import { hasCorpus, hasScope, visibleUids } from '../principal'
import { notFound, Problem } from '../problem'
import { route } from '../route'
import { runningModels } from '../running-models'

const LIMIT = 4 * MIB // a long conversation
const STRANGER_LIMIT = 256 * KIB // the same to a public corpus, from who sends no key
const PAGE = 200 // corpora looked up at once
const MAX = 1000 // corpora listed

export const openaiRoutes = [
  route({
    method: 'get',
    path: '/v1/models',
    id: 'listModels',
    tag: 'chat',
    summary: 'List each corpus, and each with each of its strategies, as a model',
    description: '`running` says which models embed, write, judge and rank, how much each reads, and where it runs.',
    access: 'reader',
    answers: { 200: { description: 'The models.', schema: chatModels } },
    foreign: true,
  }).answer(async (c) => {
    const principal = c.get('principal')
    const { models, judge, modelPlaces } = c.get('world')
    const found: CorpusRecord[] = []
    for (let rows: readonly CorpusRecord[] = []; found.length < MAX; found.push(...rows)) {
      rows = await c.get('world').catalogue.corpora(visibleUids(principal), found.at(-1)?.name ?? '', PAGE)
      if (rows.length === 0) break
    }
    return { status: 200, body: { object: 'list', data: found.flatMap(modelsOf), running: runningModels(models, judge, modelPlaces) } }
  }),
  route({
    method: 'get',
    path: '/v1/models/{model}',
    id: 'getModel',
    tag: 'chat',
    summary: 'Get a model',
    access: 'key',
    answers: { 200: { description: 'The model.', schema: chatModel } },
    problems: ['not_found'],
    foreign: true,
  }).answer(async (c) => {
    const id = c.req.param('model') ?? ''
    const principal = c.get('principal')
    const record = await recordOfName(c, modelParts(id)[0], true)
    const seen = record && principal && hasScope(principal, 'read') && (hasCorpus(principal, record) || record.public)
    const found = seen && modelsOf(record).find((one) => one.id === id)
    if (!found) throw notFound('corpus')
    return { status: 200, body: found }
  }),
  route({
    method: 'post',
    path: '/v1/chat/completions',
    id: 'createChatCompletion',
    tag: 'chat',
    summary: 'Answer from a corpus, as a chat completion',
    description:
      'The last message of the user is the question, what stands before it the history; system messages are not followed. Streams with `stream: true`. The answer carries `citations` besides what OpenAI defines; so does the last chunk of a stream.',
    access: 'body',
    body: {
      schema: chatSchema,
      limit: LIMIT,
      readBy: 'handler',
      example: { model: 'manuals', messages: [{ role: 'user', content: 'When is bread baked?' }] },
    },
    answers: { 200: { description: 'The completion.', schema: chatCompletion } },
    problems: ['not_found'],
    foreign: true,
  }).answer(async (c) => {
    await limitStranger(c)
    const chat = await readJson(c, chatSchema, c.get('principal') ? LIMIT : STRANGER_LIMIT)
    const { corpus, question } = questionOf(chat)
    const { world, requestId } = { world: c.get('world'), requestId: c.get('requestId') }
    const head = { id: `chatcmpl-${requestId}`, created: Math.floor(world.now() / 1000), model: chat.model }
    const client = insideClient(c).corpus(corpus)
    if (chat.stream) return { response: await streamCompletion(c, head, client.ask(question), chat.stream_options?.include_usage === true) }
    const result = await client.query(question).catch(throwAsProblem)
    return { status: 200, body: completion(head, result, { chunks: chat.ai_search_options != null }) }
  }),
]

/** Whether errors on this path have OpenAI's form. */
export function speaksChat(path: string): boolean {
  return path === '/v1/models' || path.startsWith('/v1/models/') || path.startsWith('/v1/chat/')
}

export function chatProblem(problem: Pick<Problem, 'code' | 'detail' | 'more'>, requestId: string): Response {
  const { status, body } = chatErrorOf(problem, requestId)
  const headers = new Headers({ 'content-type': 'application/json', 'x-request-id': requestId, 'cache-control': 'no-store' })
  if (problem.more.retryAfter !== undefined) headers.set('retry-after', String(Math.max(1, Math.ceil(problem.more.retryAfter))))
  return new Response(JSON.stringify(body), { status, headers })
}

function modelsOf({ name, strategies, created }: CorpusRecord) {
  const names = [name, ...[...known.keys()].filter((one) => isEnabled(one, strategies)).map((one) => `${name}:${one}`)]
  return names.map((id) => ({ id, object: 'model' as const, created: Math.floor(created / 1000), owned_by: 'loam' }))
}

/** What our own front door refused, refused here. */
function throwAsProblem(error: unknown): never {
  if (!isLoamError(error)) throw error
  const { errors, retryAfter } = error.more
  throw new Problem(error.code as ProblemCode, error.message, {
    ...(errors ? { errors } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}

/** The first event is awaited: while nothing is sent, a status can still tell. */
async function streamCompletion(c: Ctx, head: Head, events: AsyncGenerator<AnswerEvent, void, void>, usage: boolean): Promise<Response> {
  const first = await events.next().catch(throwAsProblem)
  const lines = chunks(head, resume(first, events), usage)
  const encoder = new TextEncoder()
  const requestId = c.get('requestId')
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await lines.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (error) {
        const failure = isLoamError(error) ? error : { code: 'internal', message: 'Something went wrong on our side.' }
        controller.enqueue(encoder.encode(brokenOff(failure, requestId)))
        controller.close()
      }
    },
    async cancel() {
      await lines.return()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-request-id': requestId } })
}

async function* resume<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void, void>): AsyncGenerator<T, void, void> {
  try {
    if (first.done) return
    yield first.value
    yield* rest
  } finally {
    await rest.return()
  }
}
