/**
 * A question that asks to be kept, or continues a kept conversation: earlier turns become its history before it is asked, and it is
 * kept with its answer before the answer says so. A conversation belongs to the key and the person it speaks for.
 */

import type { AskEvent, QueryResult, SearchResult } from '../contract/questions'
import { auditDefaults } from '../ports/audit'
import type { ConversationObject, Earlier } from '../ports/conversations'
import type { Message } from '../ports/models'
import { noKey } from './access'
import { callAs } from './acting'
import { AS, askerOf } from './asker'
import { actorOf, type Ctx } from './context'
import { notFound, Problem } from './problem'

interface Asked {
  readonly query: string
  readonly store?: boolean | undefined
  readonly conversation?: string | undefined
  readonly previous_turn?: string | undefined
}

type Answered = Omit<QueryResult, 'trace' | 'evidence'>

export interface Keeping {
  readonly history: readonly Message[]
  /** Where it will be kept; undefined: it only continues from a kept conversation. */
  readonly place: QueryResult['conversation']
  /** The same answer, with where it was kept. */
  keep<T extends Answered>(result: T, evidence: QueryResult['evidence']): Promise<T>
}

const newId = (prefix: 'conv' | 'turn'): string => `${prefix}_${crypto.randomUUID().replaceAll('-', '')}`

/** Undefined: nothing of this is asked for. */
export async function keepingOf(c: Ctx, { query, store, conversation, previous_turn: turn }: Asked): Promise<Keeping | undefined> {
  const follows = conversation !== undefined || turn !== undefined
  if (!follows && store !== true) return undefined
  const owner = await ownerOf(c)
  requireKept(c)
  const object = conversationsOf(c)
  const earlier = follows ? await earlierOf(c, object, turn === undefined ? { owner, id: conversation ?? '' } : { owner, turn }) : undefined
  const history = (earlier?.turns ?? []).flatMap(({ question, answer }): Message[] => [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ])
  const place = store === false ? undefined : { id: earlier?.id ?? newId('conv'), turn: newId('turn') }
  return {
    history,
    place,
    async keep(result, evidence) {
      if (!place || result.tool_calls) return result
      const kept = { id: place.turn, question: query, leans: earlier?.leans ?? null, ...partsOf(result, evidence) }
      const isKept = await object.keepTurn({ owner, id: place.id, begins: !earlier }, kept).catch(() => false)
      return isKept ? { ...result, conversation: place } : result
    },
  }
}

/** The same stream; its first event says where it will be kept, its last event that it was. */
export async function* keptStream(
  keeping: Keeping | undefined,
  events: AsyncGenerator<AskEvent, void, void>,
): AsyncGenerator<AskEvent, void, void> {
  if (!keeping) return yield* events
  let found: SearchResult | undefined
  for await (const event of events) {
    if (event.event === 'done') yield { event: 'done', data: await keeping.keep(event.data, found?.evidence ?? []) }
    else if (event.event === 'retrieval') {
      found = event.data
      yield keeping.place ? { event: 'retrieval', data: { ...found, conversation: keeping.place } } : event
    } else yield event
  }
}

/** Who may find it again: only this key and, if it speaks for a named person, only that person. */
export async function ownerOf(c: Ctx): Promise<string> {
  const principal = c.get('principal')
  if (!principal) throw noKey()
  const asker = await askerOf(c)
  const own = new Set(principal.principals)
  const named = asker === 'all' ? [] : c.req.header(AS) === undefined ? asker.filter((one) => !own.has(one)) : asker
  const people = named.filter((one) => one.startsWith('user:'))
  const whom = people.length > 0 ? people : named
  return [principal.id, ...whom].join(' ')
}

export function conversationsOf(c: Ctx): ConversationObject {
  return callAs(c.get('world').conversations(c.get('corpus').uid), actorOf(c))
}

function requireKept(c: Ctx): void {
  const { conversation_days: days } = { ...auditDefaults, ...c.get('corpus').audit }
  if (days > 0) return
  const errors = [{ path: 'store', message: 'this corpus keeps no conversations: `audit.conversation_days` is 0' }]
  throw new Problem('invalid', 'The conversation cannot be kept; see `errors`.', { errors })
}

type Place = Parameters<ConversationObject['earlierTurns']>[0]

async function earlierOf(c: Ctx, object: ConversationObject, place: Place): Promise<Earlier> {
  const earlier = await object.earlierTurns(place, await askerOf(c))
  switch (earlier.kind) {
    case 'found':
      return earlier
    case 'missing':
      throw notFound('conversation')
    case 'full':
      throw new Problem('conflict', 'This conversation has reached 100 turns. Start another.')
    case 'moved':
      throw new Problem(
        'conflict',
        'This turn is no longer the last of its conversation. Continue from the last one, or start another conversation.',
      )
  }
}

/**
 * What an answer rests on: the documents it quotes, if it consists only of quotations; otherwise everything that a model was shown,
 * including summaries and communities unless each statement is supported by what it cites.
 */
function partsOf({ answer, answered, citations, version, grounded, generator }: Answered, evidence: QueryResult['evidence']) {
  const shown = evidence.flatMap((one) => [one.document, ...(one.also ?? []).map((also) => also.document)])
  const quotes = generator === 'extractive' && grounded && citations.length > 0
  const documents = quotes ? citations.map((one) => one.document) : shown.filter((one) => one !== null)
  const nodes = grounded ? [] : evidence.flatMap((one) => (one.document === null ? [one.id] : []))
  return { answer, answered, citations, version, documents: [...new Set(documents)], nodes: [...new Set(nodes)] }
}
