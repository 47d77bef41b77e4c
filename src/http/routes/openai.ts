/** OpenAI's chat interface: corpora are its models. Questions go through our own `query`; errors have OpenAI's form. */
import { chatCompletion, chatModel, chatModels, chatSchema } from '../../contract/chat'
import { isEnabled, strategies as known } from '../../core/strategies/registry'
import type { CorpusRecord } from '../../ports/catalogue'
import { limitStranger, recordOfName } from '../access'
import { KIB, MIB, readJson } from '../body'
import { brokenOff, chatErrorOf, chunks, completion } from '../doors/chat-reply'
import { MAKER, modelParts, questionOf, storedOf } from '../doors/chat-request'
import { streamWithMarkers, withMarkers } from '../doors/content-markers'
import { streamWithDisagreements, withDisagreements } from '../doors/disagreements-in-text'
import { insideClient } from '../doors/inside'
import { streamLines, throwAsProblem } from '../doors/lines'
import { hasCorpus, hasScope, visibleUids } from '../principal'
import { notFound, type Problem } from '../problem'
import { route } from '../route'
import { modelChoices, runningModels } from '../running-models'

export const CHAT_LIMIT = 4 * MIB // a long conversation
export const STRANGER_LIMIT = 256 * KIB // the same, to a public corpus without a key
const PAGE = 200 // corpora looked up at once
const MAX = 1000 // corpora listed

export const openaiRoutes = [
  route({
    method: 'get',
    path: '/v1/models',
    id: 'listModels',
    tag: 'chat',
    summary: 'List models: each corpus, each corpus with each of its strategies, and the embedding model',
    description: '`running` lists the models that embed, write, judge and rank, how much each reads, and where it runs.',
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
    // Shown only to keys that may name it: embedding is charged to a corpus, and this model belongs to none.
    const embedding = principal?.corpora === null ? [modelOf(models.embedding.id, 0)] : []
    const data = [...found.flatMap(modelsOf), ...embedding]
    return {
      status: 200,
      body: { object: 'list', data, running: runningModels(models, judge, modelPlaces), choices: modelChoices(models, modelPlaces) },
    }
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
    if (principal?.corpora === null && hasScope(principal, 'read') && id === c.get('world').models.embedding.id)
      return { status: 200, body: modelOf(id, 0) }
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
      'The last user message is the question; the messages before it are the history. System messages are ignored. `citation_markers` puts the sources into the text. `tools` are passed to the answering model along with the sources: its calls are returned as `tool_calls`, and `role: tool` messages are passed back to it; 400 if the model cannot call functions. Streams with `stream: true`. In addition to OpenAI’s fields the answer has `citations`, and so does the last chunk of a stream.',
    access: 'body',
    body: {
      schema: chatSchema,
      limit: CHAT_LIMIT,
      readBy: 'handler',
      example: { model: 'manuals', messages: [{ role: 'user', content: 'When is bread baked?' }] },
    },
    answers: { 200: { description: 'The completion.', schema: chatCompletion } },
    problems: ['not_found'],
    foreign: true,
  }).answer(async (c) => {
    await limitStranger(c)
    const chat = await readJson(c, chatSchema, c.get('principal') ? CHAT_LIMIT : STRANGER_LIMIT)
    const asked = questionOf(chat)
    const { corpus } = asked
    const { store, conversation } = chat
    const kept = storedOf(asked, { store: c.get('principal') ? store : undefined, conversation: conversation ?? undefined }, 'messages')
    const question = { ...asked.question, ...kept }
    const { world, requestId } = { world: c.get('world'), requestId: c.get('requestId') }
    const head = { id: `chatcmpl-${requestId}`, created: Math.floor(world.now() / 1000), model: chat.model }
    const client = insideClient(c).corpus(corpus)
    const style = chat.citation_markers
    if (chat.stream) {
      const usage = chat.stream_options?.include_usage === true
      const lines = (events: ReturnType<typeof client.ask>) =>
        chunks(head, streamWithDisagreements(streamWithMarkers(events, style), style), usage)
      return { response: await streamLines(c, client.ask(question), lines, (failure) => brokenOff(failure, requestId)) }
    }
    const result = withDisagreements(withMarkers(await client.query(question).catch(throwAsProblem), style), style)
    return { status: 200, body: completion(head, result, { chunks: chat.ai_search_options != null }) }
  }),
]

/** Whether errors on this path have OpenAI's form. */
export function speaksChat(path: string): boolean {
  return /^\/v1\/(?:models|chat|responses|embeddings)(?:\/|$)/.test(path)
}

export function chatProblem(problem: Pick<Problem, 'code' | 'detail' | 'more'>, requestId: string): Response {
  const { status, body } = chatErrorOf(problem, requestId)
  const headers = new Headers({ 'content-type': 'application/json', 'x-request-id': requestId, 'cache-control': 'no-store' })
  if (problem.more.allow) headers.set('allow', problem.more.allow.join(', '))
  if (problem.more.retryAfter !== undefined) headers.set('retry-after', String(Math.max(1, Math.ceil(problem.more.retryAfter))))
  return new Response(JSON.stringify(body), { status, headers })
}

/** Each by its own name, and by one with the maker's prefix, for clients that list models of several makers. */
function modelsOf({ name, strategies, created }: CorpusRecord) {
  const names = [name, ...[...known.keys()].filter((one) => isEnabled(one, strategies)).map((one) => `${name}:${one}`)]
  return [...names, ...names.map((one) => MAKER + one)].map((id) => modelOf(id, created))
}

function modelOf(id: string, created: number) {
  return { id, object: 'model' as const, created: Math.floor(created / 1000), owned_by: 'loam' }
}
