/**
 * Which statements new versions of documents changed, if the corpus keeps that. Answered by the corpus's object, which keeps it with
 * the document.
 */
import { type Changes, changes } from '../../contract/changes'
import type { ChangePlace } from '../../ports/changes'
import { askerOf } from '../asker'
import { type Ctx, objectOf } from '../context'
import { encode, notACursor, placeOf } from '../cursor'
import { cursor, limitOf } from '../parameters'
import { idOf } from '../path'
import { notFound } from '../problem'
import { route } from '../route'
import { sinceOf, sinceOfList } from '../since'

const limit = limitOf(20, 100)
const since = sinceOfList('changes')
const dates = { published_at: { value: '2024-01-01', source: 'given' as const } }
const example = {
  data: [
    {
      document: 'prices',
      title: 'Prices',
      url: null,
      active: true,
      replaced_at: '2026-11-26T09:00:00.000Z',
      replaced_in: 2,
      earlier: { quote: 'The ferry costs 30 thalers.', content_version: 1, dates },
      current: { quote: 'The ferry costs 40 thalers.', start: 120, end: 147, content_version: 2 },
    },
  ],
  next_cursor: null,
  days: 365,
}
const answers = { 200: { description: 'A page of changes, the latest first.', schema: changes, example } }

export const changeRoutes = [
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/documents/{document}/changes',
    id: 'listDocumentChanges',
    tag: 'documents',
    summary: 'List what new versions of a document changed, the latest first',
    description: 'Statements that give another number, date or name than before, if the corpus keeps them (`settings.earlier`).',
    access: ['read'],
    parameters: [cursor, limit, since],
    answers,
    problems: ['document_not_found', 'invalid'],
  }).answer(async (c) => ({ status: 200, body: await listed(c, idOf(c, 'document')) })),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/changes',
    id: 'listChanges',
    tag: 'documents',
    summary: 'List what new versions of documents changed, the latest first',
    description:
      'In all documents you may read: statements that give another number, date or name than before, if the corpus keeps them (`settings.earlier`). A page may hold fewer than `limit`, or none, and still have a `next_cursor`: one call looks past 5,000 changes of documents you may not read.',
    access: ['read'],
    parameters: [cursor, limit, since],
    answers,
    problems: ['invalid'],
  }).answer(async (c) => ({ status: 200, body: await listed(c, null) })),
]

async function listed(c: Ctx, document: string | null): Promise<Changes> {
  const { after, limit: asked } = placeOf(c, limit)
  const request = { document, since: sinceOf(c), after: after === '' ? null : placeIn(after), limit: asked }
  const found = await objectOf(c).changes(request, await askerOf(c))
  if (!found) throw notFound('document')
  return { data: found.rows.map(({ change }) => change), next_cursor: found.next && encode(cursorOf(found.next)), days: found.days }
}

const cursorOf = ({ at, n, part }: ChangePlace): string => [at, n, ...(part === undefined ? [] : [part])].join(':')

function placeIn(cursor: string): ChangePlace {
  const [, at, n, part] = /^(\d{1,15}):(\d{1,15})(?::(\d{1,3}))?$/.exec(cursor) ?? []
  if (!at || !n) throw notACursor()
  return { at: Number(at), n: Number(n), ...(part === undefined ? {} : { part: Number(part) }) }
}
