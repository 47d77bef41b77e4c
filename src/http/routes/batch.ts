/** Many documents put and deleted as one version. */
import { createMiddleware } from 'hono/factory'
import { batch, batchSchema } from '../../contract/documents'
import { MIB } from '../body'
import { type Http, objectOf } from '../context'
import { withTexts } from '../files'
import { countDocuments } from '../key-limits'
import { wait } from '../parameters'
import { Problem } from '../problem'
import { endReading, endReadingOf } from '../reading-turn'
import { route } from '../route'
import { answerAccepted } from '../waiting'
import { inputOf, requireAccepted, versionOf } from './taken'

const BATCH_LIMIT = 8 * MIB // JSON may need more bytes than the text
const MAX_BATCH_TEXT = 4 * MIB // bytes of text that are applied as one version: two such batches at once fit into an isolate's 128 MB, here and in the object
const example = {
  text: 'Bread is baked in the old mill on Tuesdays.',
  title: 'The mill',
  url: 'https://example.com/mill',
  metadata: { year: 1912 },
}

/** Before any of it is read, so that the sender of a large batch learns where to send it. */
const batchFits = createMiddleware<Http>(async (c, next) => {
  if (Number(c.req.header('content-length') ?? 0) > BATCH_LIMIT) throw batchTooLarge()
  await next()
})

const batchTooLarge = (): Problem => {
  const detail = `A batch is one version and has at most ${MAX_BATCH_TEXT} bytes of text (${BATCH_LIMIT} of JSON). Send several batches, or send the documents as JSON lines to \`:import\`, which accepts ${16 * MIB} bytes and makes one job for every ${MAX_BATCH_TEXT}.`
  return new Problem('too_large', detail, { members: { limit: MAX_BATCH_TEXT, of: 'batch_bytes' } })
}

const encoder = new TextEncoder()
const textIn = (documents: readonly { readonly text: string }[]): number =>
  documents.reduce((sum, { text }) => sum + encoder.encode(text).length, 0)

export const batchRoutes = [
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/documents:batch',
    id: 'batchDocuments',
    tag: 'documents',
    summary: 'Put and delete many documents as one version',
    description:
      'At most 1,000 documents and 4 MiB of text, including 20 files in base64 (`content_base64`). `:import` accepts more, as several versions.',
    access: ['write'],
    parameters: [wait],
    body: {
      schema: batchSchema,
      limit: BATCH_LIMIT,
      inTurn: 'once',
      example: { upserts: [{ id: 'mill', ...example }], deletes: ['old-mill'] },
    },
    answers: {
      200: { description: 'Nothing has changed; or, with `wait`, all documents are indexed and visible.', schema: batch },
      202: { description: 'Accepted.', schema: batch, example: { job: 'j_1', documents: [{ document: 'mill', status: 'queued' }] } },
    },
    problems: ['over_budget', 'corpus_full', 'storage_full', 'database_full', 'index_full', 'document_not_found'],
    repeatable: true,
  }).answer(
    async (c, { upserts: sent, deletes }) => {
      const upserts = await withTexts(c, sent, { uid: c.get('corpus').uid }, (n) => `upserts.${n}`)
      endReadingOf(c, upserts)
      if (textIn(upserts) > MAX_BATCH_TEXT) throw batchTooLarge()
      const inputs = upserts.map(({ id, ...rest }) => ({ id, ...inputOf(rest) }))
      const outcome = await countDocuments(c, inputs, () => objectOf(c).accept({ kind: 'batch', upserts: inputs, deletes }))
      endReading(c)
      if (outcome.kind === 'unchanged')
        return { status: 200, body: { status: 'unchanged', documents: outcome.documents, ...versionOf(outcome) } }
      const { job, documents } = requireAccepted(outcome)
      return answerAccepted(c, job, { documents })
    },
    { behind: batchFits },
  ),
]
