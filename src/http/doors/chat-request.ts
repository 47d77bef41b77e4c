/**
 * A chat in OpenAI's form as a question to a corpus. Unsupported parameters that would change the answer are refused; the rest is
 * ignored.
 */
import type { Question } from '../../client/client'
import type { Chat } from '../../contract/chat'
import { NAME } from '../access'
import { notFound, Problem } from '../problem'
import { toolsOf } from './chat-tools'

const MAX_TURNS = 50 // of the history, the latest
const MAX_TURN = 8000 // characters; below 32 KiB in any script

export interface CorpusQuestion {
  readonly corpus: string
  readonly question: Question
}

/** `member`: of the body, that holds the messages. */
type Asked = Pick<Chat, 'model' | 'messages' | 'ai_search_options'> & Partial<Pick<Chat, 'tools' | 'tool_choice'>>

export function questionOf(chat: Asked, member = 'messages'): CorpusQuestion {
  const [corpus, strategy] = modelParts(chat.model)
  if (!NAME.test(corpus)) throw notFound('corpus') // no name at all: nothing to ask for
  const last = chat.messages.findLastIndex((message) => message.role === 'user')
  const query = last < 0 ? '' : textOf(chat.messages[last]?.content, member)
  if (query.trim() === '') throw unfitProblem(member, 'a user message with text is required')
  const tools = toolsOf(chat, chat.messages.slice(last + 1), (content) => textOf(content, member))
  return { corpus, question: { query, ...historyOf(chat.messages.slice(0, last), member), ...retrievalOf(chat, strategy), ...tools } }
}

/** Before a corpus's name, for lists with models of several makers. */
export const MAKER = 'loam/'

/** `manuals:erarag` and `loam/manuals:erarag` → `manuals`, `erarag`. */
export function modelParts(model: string): readonly [corpus: string, strategy?: string] {
  const name = model.startsWith(MAKER) ? model.slice(MAKER.length) : model
  const at = name.indexOf(':')
  return at < 0 ? [name] : [name.slice(0, at), name.slice(at + 1)]
}

function historyOf(messages: Chat['messages'], member: string): Pick<Question, 'history'> {
  const turns = messages.flatMap(({ role, content }) => {
    const text = role === 'user' || role === 'assistant' ? textOf(content, member).slice(0, MAX_TURN) : ''
    return text === '' ? [] : [{ role: role === 'user' ? ('user' as const) : ('assistant' as const), content: text }]
  })
  return turns.length === 0 ? {} : { history: turns.slice(-MAX_TURNS) }
}

function retrievalOf({ ai_search_options }: Pick<Chat, 'ai_search_options'>, strategy?: string): Partial<Question> {
  const { retrieval_type, max_num_results, filters } = ai_search_options?.retrieval ?? {}
  const named = strategy ?? retrieval_type
  const metadata = Object.entries(filters ?? {}).map(([key, wanted]) => [key, filterOf(wanted)])
  return {
    // An unknown strategy is reported by the schema of our own API.
    ...(named === undefined ? {} : { strategy: named as Question['strategy'] }),
    ...(max_num_results === undefined ? {} : { top_k: max_num_results }),
    ...(metadata.length === 0 ? {} : { filters: { metadata: Object.fromEntries(metadata) } }),
    ...(ai_search_options?.reranking?.enabled === false ? { options: { rerank: false } } : {}),
  }
}

type Wanted = NonNullable<NonNullable<NonNullable<Asked['ai_search_options']>['retrieval']>['filters']>[string]

/** Operators of AI Search as our conditions. */
function filterOf(wanted: Wanted) {
  if (typeof wanted !== 'object') return wanted
  const { $eq, $ne, $in, $nin = [], $gt, $gte, $lt, $lte } = wanted
  const any = $eq === undefined ? $in : $in === undefined || $in.includes($eq) ? [$eq] : []
  const not = $ne === undefined ? $nin : [$ne, ...$nin]
  const within = Object.entries({ gt: $gt, gte: $gte, lt: $lt, lte: $lte }).filter(([, limit]) => limit !== undefined)
  return { ...(any ? { in: any } : {}), ...(not.length > 0 ? { not } : {}), ...Object.fromEntries(within) }
}

function textOf(content: Chat['messages'][number]['content'], member: string): string {
  if (content == null) return ''
  if (typeof content === 'string') return content
  const other = content.find((part) => part.type !== 'text')
  if (other) throw unfitProblem(member, 'only text parts are supported')
  return content.map((part) => part.text ?? '').join('\n')
}

/** The messages before the question are its history; a kept conversation supplies them itself, so that it is known what they rest on. */
export function storedOf(
  { question }: CorpusQuestion,
  {
    store,
    conversation,
    previous,
  }: { store?: boolean | null | undefined; conversation?: string | undefined; previous?: string | undefined },
  member: string,
): Pick<Question, 'store' | 'conversation' | 'previous_turn'> {
  const isBefore = (question.history ?? []).length > 0
  const follows = conversation !== undefined || previous !== undefined
  if (follows && isBefore) throw unfitProblem(member, 'the conversation keeps the earlier messages: send only the new one')
  if (!follows && (store !== true || isBefore)) return {}
  return {
    ...(typeof store === 'boolean' ? { store } : {}),
    ...(conversation === undefined ? {} : { conversation }),
    ...(previous === undefined ? {} : { previous_turn: previous }),
  }
}

export function unfitProblem(path: string, message: string): Problem {
  return new Problem('invalid', message, { errors: [{ path, message }] })
}
