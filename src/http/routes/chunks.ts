/** A document's chunks: what was read of it, and how; and their correction. Answered by the corpus's object, which has them. */
import { chunkCorrectionSchema, correctedChunk, documentChunks } from '../../contract/chunks'
import type { Corrected } from '../../ports/jobs'
import { askerOf } from '../asker'
import { objectOf } from '../context'
import { numberedPlaceOf, withOpaqueCursor } from '../cursor'
import { countDocuments } from '../key-limits'
import { cursor, limitOf, wait } from '../parameters'
import { idOf } from '../path'
import { notFound, Problem } from '../problem'
import { route } from '../route'
import { answerAccepted } from '../waiting'
import { expectedVersion, ifMatch } from './documents'
import { requireAccepted } from './taken'

const limit = limitOf(20, 100)

export const chunkRoutes = [
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/documents/{document}/chunks',
    id: 'listChunks',
    tag: 'documents',
    summary: 'List a document’s chunks in the order of its text',
    description:
      'With their texts, their places (offsets, page, headings), what read them, and the entities they mention. Belongs to the content now served; empty before that is indexed.',
    access: ['read'],
    parameters: [cursor, limit],
    answers: { 200: { description: 'A page of chunks.', schema: documentChunks } },
    problems: ['document_not_found', 'invalid'],
  }).answer(async (c) => {
    const found = await objectOf(c).chunks(idOf(c, 'document'), numberedPlaceOf(c, limit), await askerOf(c))
    if (!found) throw notFound('document')
    return { status: 200, body: { ...found, ...withOpaqueCursor(found) } }
  }),
  route({
    method: 'patch',
    path: '/v1/corpora/{corpus}/documents/{document}/chunks/{chunk}',
    id: 'correctChunk',
    tag: 'documents',
    summary: 'Change what a chunk of a document says',
    description:
      'The returned job indexes the document again with the chunk’s text replaced; until then it is served as before. Sending the original text again keeps the correction; sending another text replaces it.',
    access: ['write'],
    parameters: [wait, ifMatch],
    body: { schema: chunkCorrectionSchema, example: { text: 'Bread is baked in the old mill on Wednesdays.' } },
    answers: {
      200: {
        description: 'The chunk already has that text; or, with `wait`, the correction is indexed and visible.',
        schema: correctedChunk,
      },
      202: {
        description: 'Accepted; visible when the job has succeeded.',
        schema: correctedChunk,
        example: { document: 'mill', job: 'j_1' },
      },
    },
    problems: [
      'document_not_found',
      'chunk_not_found',
      'conflict',
      'precondition_failed',
      'over_budget',
      'corpus_full',
      'storage_full',
      'database_full',
      'index_full',
      'too_large',
      'invalid',
    ],
    repeatable: true,
  }).answer(async (c, { text, ordinal }) => {
    const document = idOf(c, 'document')
    const correction = { document, chunk: idOf(c, 'chunk'), text, ...(ordinal === undefined ? {} : { ordinal }), ...expectedVersion(c) }
    const asker = await askerOf(c)
    // Only the chunk is new: the other errors are known.
    const asNew = [{ id: document, text, title: '', url: null, metadata: {} }]
    const { corrected } = await countDocuments(c, asNew, async () => {
      const corrected = await objectOf(c).correctChunk(correction, asker)
      return { kind: corrected?.kind ?? 'missing', corrected }
    })
    if (corrected?.kind === 'unchanged') return { status: 200, body: { document, status: 'unchanged' } }
    return answerAccepted(c, requireCorrected(corrected).job, { document })
  }),
]

function requireCorrected(corrected: Corrected | null): ReturnType<typeof requireAccepted> {
  if (!corrected) throw notFound('document')
  switch (corrected.kind) {
    case 'no_chunk':
      throw notFound('chunk')
    case 'ambiguous': {
      const message = `the document has this chunk ${corrected.places} times`
      throw new Problem('invalid', 'The chunk occurs several times. Give its `ordinal`.', { errors: [{ path: 'ordinal', message }] })
    }
    case 'changing':
      throw new Problem('conflict', 'Another version of this document, or its deletion, is still in progress and will change its chunks.')
    case 'blank':
      throw new Problem('invalid', 'Nothing would be left of the document. Delete it instead.', {
        errors: [{ path: 'text', message: 'must not be blank' }],
      })
    case 'too_large':
      throw new Problem('too_large', 'This would make the document’s text too large.')
    default:
      return requireAccepted(corrected)
  }
}
