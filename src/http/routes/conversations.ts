/**
 * Conversations that questions asked to keep (`store`): for the key that asked, and the person it asked for. For anybody else they do
 * not exist.
 */
import { conversationHead, conversationSchema, renamedSchema } from '../../contract/conversations'
import { listOf } from '../../contract/pages'
import type { ConversationHead } from '../../ports/conversations'
import { askerOf } from '../asker'
import type { Ctx } from '../context'
import { conversationAsMarkdown } from '../conversation-markdown'
import { page, placeOf } from '../cursor'
import { isoTime } from '../iso-time'
import { conversationsOf, ownerOf } from '../kept-turn'
import { cursor, limit, type Parameter } from '../parameters'
import { nameOf } from '../path'
import { notFound, Problem } from '../problem'
import { route } from '../route'

const base = '/v1/corpora/{corpus}/conversations'
const one = `${base}/{conversation}`
const format: Parameter = {
  name: 'format',
  in: 'query',
  description: '`markdown`: a text to keep or send to others.',
  schema: { type: 'string', enum: ['json', 'markdown'], default: 'json' },
}
const mine = { tag: 'questions', access: ['read'], needsKey: true } as const

export const conversationRoutes = [
  route({
    ...mine,
    method: 'get',
    path: base,
    id: 'listConversations',
    summary: 'List your kept conversations, latest first',
    description: 'Conversations that this key asked to keep (`store: true`), on behalf of the same person.',
    parameters: [cursor, limit],
    answers: { 200: { description: 'A page of conversations.', schema: listOf(conversationHead) } },
    problems: ['invalid'],
  }).answer(async (c) => {
    const { after, limit: wanted } = placeOf(c)
    const [changed = '', id = ''] = after.split(' ')
    const from = after === '' ? null : { changed: Number(changed) || 0, id }
    const rows = await conversationsOf(c).conversations({ owner: await ownerOf(c), after: from, limit: wanted + 1 })
    const { data, next_cursor } = page(rows, wanted, (last) => `${last.changed} ${last.id}`)
    return { status: 200, body: { data: data.map(headOf), next_cursor } }
  }),
  route({
    ...mine,
    method: 'get',
    path: one,
    id: 'getConversation',
    summary: 'Get or export a kept conversation, with what you may see of it now',
    description:
      'An answer is withheld if it rests on a document that was deleted or that the reader may not see now, or if an earlier turn it follows does. `withheld` says why.',
    parameters: [format],
    answers: { 200: { description: 'The conversation.', schema: conversationSchema } },
    problems: ['conversation_not_found', 'invalid'],
  }).answer(async (c) => {
    const form = c.req.query('format') || 'json'
    if (form !== 'json' && form !== 'markdown')
      throw new Problem('invalid', 'The format must be json or markdown.', { errors: [{ path: 'format', message: 'json or markdown' }] })
    const found = await conversationsOf(c).conversation(await placeIn(c), await askerOf(c))
    if (!found) throw notFound('conversation')
    const { data, ...head } = found
    const body = { ...headOf(head), data: data.map(({ at, ...turn }) => ({ ...turn, at: isoTime(at) })) }
    if (form === 'json') return { status: 200, body }
    const headers = { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'no-store' }
    return { response: new Response(conversationAsMarkdown(c.get('corpus').name, body), { headers }) }
  }),
  route({
    ...mine,
    method: 'patch',
    path: one,
    id: 'renameConversation',
    summary: 'Rename a kept conversation',
    body: { schema: renamedSchema, example: { title: 'Bread' } },
    answers: { 200: { description: 'The renamed conversation.', schema: conversationHead } },
    repeatable: true,
    problems: ['conversation_not_found'],
  }).answer(async (c, { title }) => {
    const renamed = await conversationsOf(c).renameConversation(await placeIn(c), title.trim())
    if (!renamed) throw notFound('conversation')
    return { status: 200, body: headOf(renamed) }
  }),
  route({
    ...mine,
    method: 'delete',
    path: one,
    id: 'deleteConversation',
    summary: 'Delete a kept conversation',
    answers: { 204: { description: 'The conversation is deleted.' } },
    repeatable: true,
    problems: ['conversation_not_found'],
  }).answer(async (c) => {
    if ((await conversationsOf(c).forgetConversations(await placeIn(c))) === 0) throw notFound('conversation')
    return { status: 204 }
  }),
  route({
    ...mine,
    method: 'delete',
    path: base,
    id: 'deleteConversations',
    summary: 'Delete all your kept conversations',
    answers: { 204: { description: 'All of them are deleted.' } },
    repeatable: true,
  }).answer(async (c) => {
    await conversationsOf(c).forgetConversations({ owner: await ownerOf(c), id: null })
    return { status: 204 }
  }),
]

const placeIn = async (c: Ctx) => ({ owner: await ownerOf(c), id: nameOf(c, 'conversation') })

function headOf({ id, title, turns, created, changed }: ConversationHead) {
  return { id, title, turns, created_at: isoTime(created), changed_at: isoTime(changed) }
}
