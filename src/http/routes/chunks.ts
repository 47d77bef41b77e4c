/** A document's chunks: what was read of it, and how. Answered by the corpus's object, which has them. */
import { documentChunks } from '../../contract/chunks'
import { askerOf } from '../asker'
import { objectOf } from '../context'
import { numberedPlaceOf, withOpaqueCursor } from '../cursor'
import { cursor, limitOf } from '../parameters'
import { idOf } from '../path'
import { notFound } from '../problem'
import { route } from '../route'

const limit = limitOf(20, 100)

export const chunkRoutes = [
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/documents/{document}/chunks',
    id: 'listChunks',
    tag: 'documents',
    summary: 'List a document’s chunks in the order of its text',
    description:
      'With their texts, where each stands (offsets, page, headings), who read it, and whom it mentions. Of the content that is served: none before that is indexed.',
    access: ['read'],
    parameters: [cursor, limit],
    answers: { 200: { description: 'A page of chunks.', schema: documentChunks } },
    problems: ['document_not_found', 'invalid'],
  }).answer(async (c) => {
    const found = await objectOf(c).chunks(idOf(c, 'document'), numberedPlaceOf(c, limit), await askerOf(c))
    if (!found) throw notFound('document')
    return { status: 200, body: { ...found, ...withOpaqueCursor(found) } }
  }),
]
