/** Documents: put, add, batch, list, show, delete. Answered by the corpus's object, so that what was accepted is visible at once. */
import { document, documentPatchSchema, documentSchema, newDocumentSchema, type Put, patched, put } from '../../contract/documents'
import { fileTypes } from '../../contract/file-types'
import { accepted } from '../../contract/jobs'
import { listOf } from '../../contract/pages'
import { dateNames } from '../../core/text/iso-date'
import type { DocumentInput } from '../../ports/documents'
import { askerOf } from '../asker'
import { MIB, parseWith, readJson } from '../body'
import { type Ctx, objectOf } from '../context'
import { withText } from '../files'
import { sealedPlaceOf, withSealedCursor } from '../hidden-place'
import { countDocuments } from '../key-limits'
import { cursor, header, idPrefix, limit, type Parameter, wait } from '../parameters'
import { idOf } from '../path'
import { notFound, Problem } from '../problem'
import { RAW_LIMIT, rawDocument, requireFit } from '../reading'
import { endReading, endReadingOf } from '../reading-turn'
import type { Answered } from '../reply'
import { route } from '../route'
import { answerAccepted } from '../waiting'
import { correctionOf, inputOf, requireAccepted, unreadIn, versionOf } from './taken'

const JSON_LIMIT = 12 * MIB // a file of 8 MiB in base64; JSON may need six bytes for each byte of a text

const FILE = 'Send a file as the body itself (16 MiB), or in JSON as `content_base64` (8 MiB).'
/** Of every kind that is read. `application/json` is a document of the API. */
const raw = Object.fromEntries(
  Object.entries(fileTypes).flatMap(([type, { name, media }]) =>
    type === 'json' ? [] : media.map((one) => [one, `A file: ${name}. If it cannot be read, the answer is 422 and says why.`]),
  ),
)
const ofRaw: readonly Parameter[] = [
  { name: 'title', in: 'query', description: 'For a raw body.', schema: { type: 'string', maxLength: 1000 } },
  { name: 'url', in: 'query', description: 'For a raw body: where it comes from.', schema: { type: 'string', maxLength: 2048 } },
  ...dateNames.map((name) => ({
    name,
    in: 'query' as const,
    description: 'For a raw body: an ISO 8601 date.',
    schema: { type: 'string' as const },
  })),
  {
    name: 'language',
    in: 'query',
    description: 'For a raw body: the code of its language.',
    schema: { type: 'string', maxLength: 35 },
  },
  {
    name: 'access',
    in: 'query',
    description: 'For a raw body: a label. May be repeated.',
    schema: { type: 'array', items: { type: 'string' } },
  },
]
export const ifMatch = header('If-Match', 'The ETag of the document as you know it. 412 if it has changed since.')
const ifNoneMatch = header('If-None-Match', '`*`: only if it does not exist yet.', { type: 'string', pattern: '^[*]$' })
const example = {
  text: 'Bread is baked in the old mill on Tuesdays.',
  title: 'The mill',
  url: 'https://example.com/mill',
  metadata: { year: 1912 },
}
const body = { schema: newDocumentSchema, example, raw, limit: RAW_LIMIT, readBy: 'handler', inTurn: 'once' } as const
const fits = { behind: requireFit(JSON_LIMIT) }
const answers = {
  200: {
    description: 'Identical to the stored document; or, with `wait`, indexed and visible.',
    schema: put,
    example: { status: 'unchanged', document: 'mill' },
  },
  202: { description: 'Accepted. Visible when the job has succeeded.', schema: put, example: { document: 'mill', job: 'j_1' } },
}
const problems = [
  'over_budget',
  'corpus_full',
  'storage_full',
  'database_full',
  'index_full',
  'precondition_failed',
  'invalid_encoding',
  'unreadable_document',
  'model_unavailable',
] as const

export const documentRoutes = [
  route({
    method: 'put',
    path: '/v1/corpora/{corpus}/documents/{document}',
    id: 'putDocument',
    tag: 'documents',
    summary: 'Create or replace a document under an id of yours',
    description: `A changed document replaces the old one when it is ready; until then the old one is served. ${FILE}`,
    access: ['write'],
    parameters: [...ofRaw, wait, ifMatch, ifNoneMatch],
    body,
    answers,
    problems,
    repeatable: true,
  }).answer(async (c) => {
    const id = idOf(c, 'document')
    return putOne(c, { id, ...(await contentOf(c, id)) })
  }, fits),
  route({
    method: 'post',
    path: '/v1/corpora/{corpus}/documents',
    id: 'addDocument',
    tag: 'documents',
    summary: 'Add a document under a generated id',
    description: FILE,
    access: ['write'],
    parameters: [...ofRaw, wait],
    body,
    answers,
    problems,
    repeatable: true,
  }).answer(async (c) => {
    // The same for a request and its repeats.
    const name =
      c
        .get('repeatId')
        ?.replaceAll(/[^A-Za-z0-9]/g, '')
        .slice(0, 32) ?? crypto.randomUUID().replaceAll('-', '')
    return putOne(c, { id: `doc_${name}`, ...(await contentOf(c, `doc_${name}`)) })
  }, fits),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/documents',
    id: 'listDocuments',
    tag: 'documents',
    summary: 'List documents by id',
    description:
      'Those you may read. A page may hold fewer than `limit`, or none, and still have a `next_cursor`: one call looks past 5,000 documents you may not read.',
    access: ['read'],
    parameters: [cursor, limit, idPrefix],
    answers: { 200: { description: 'A page of documents, without their texts.', schema: listOf(document) } },
    problems: ['invalid'],
  }).answer(async (c) => {
    const { after, limit } = await sealedPlaceOf(c)
    const found = await objectOf(c).documents(after === '' ? null : after, limit, await askerOf(c), c.req.query('prefix'))
    return { status: 200, body: await withSealedCursor(c, found, ({ document }) => document) }
  }),
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/documents/{document}',
    id: 'getDocument',
    tag: 'documents',
    summary: 'Get a document with its text',
    access: ['read'],
    answers: { 200: { description: 'The document. Use its ETag for `If-Match`.', schema: document } },
    problems: ['document_not_found', 'invalid'],
  }).answer(async (c) => {
    const found = await objectOf(c).document(idOf(c, 'document'), await askerOf(c))
    if (!found) throw notFound('document')
    return { status: 200, body: found, headers: { etag: `"${found.content_version}"` } }
  }),
  route({
    method: 'patch',
    path: '/v1/corpora/{corpus}/documents/{document}',
    id: 'patchDocument',
    tag: 'documents',
    summary: 'Change a document’s access labels or language, or switch it off or on',
    description:
      'In effect from the returned version on; the text is not read again. A document that is switched off is left out of every question. Another `language` changes how words are stemmed, so the returned job indexes the document again.',
    access: ['write'],
    body: { schema: documentPatchSchema, example: { access: ['group:finance'], active: true, language: 'de' } },
    answers: {
      200: {
        description: 'The change is in effect.',
        schema: patched,
        example: { document: 'mill', access: ['group:finance'], active: true, version: 13 },
      },
      202: { description: 'The job indexes the document again in this language. Labels and switch are in effect.', schema: patched },
    },
    repeatable: true,
    problems: ['document_not_found', 'over_budget', 'corpus_full', 'storage_full', 'database_full', 'index_full', 'invalid'],
  }).answer(async (c, { access, active, language }) => {
    const id = idOf(c, 'document')
    const change = { ...(access ? { access } : {}), ...(active === undefined ? {} : { active }) }
    const object = objectOf(c)
    const asker = await askerOf(c)
    const changed = await object.setAccess(id, change, asker)
    if (!changed) throw notFound('document')
    const body = { document: id, ...changed, ...(language === undefined ? {} : { language }) }
    const accepted = language === undefined ? undefined : await object.setLanguage(id, language, asker)
    if (accepted === null) throw notFound('document')
    if (!accepted || accepted.kind === 'unchanged') return { status: 200, body }
    return { status: 202, body: { ...body, job: requireAccepted(accepted).job } }
  }),
  route({
    method: 'delete',
    path: '/v1/corpora/{corpus}/documents/{document}',
    id: 'deleteDocument',
    tag: 'documents',
    summary: 'Delete a document',
    description: 'When the job has succeeded, none of its text is left in any table, index or sink.',
    access: ['write'],
    parameters: [wait, ifMatch],
    answers: {
      200: { description: 'With `wait`: the document is gone everywhere.', schema: accepted },
      202: { description: 'Accepted.', schema: accepted },
    },
    repeatable: true,
    problems: ['document_not_found', 'precondition_failed', 'invalid'],
  }).answer(async (c) => {
    const outcome = await objectOf(c).accept({ kind: 'delete', upserts: [], deletes: [idOf(c, 'document')], ...expectedVersion(c) })
    return answerAccepted(c, requireAccepted(outcome).job, {})
  }),
]

async function putOne(c: Ctx, document: DocumentInput): Promise<Answered<200 | 202, Put>> {
  endReadingOf(c, [document])
  const request = { kind: 'ingest' as const, upserts: [document], deletes: [], ...expectedVersion(c) }
  const outcome = await countDocuments(c, [document], () => objectOf(c).accept(request))
  endReading(c)
  const about = { document: document.id, ...unreadIn(document) }
  if (outcome.kind === 'unchanged')
    return { status: 200, body: { status: 'unchanged', ...about, ...correctionOf(outcome), ...versionOf(outcome) } }
  const accepted = requireAccepted(outcome)
  return answerAccepted(c, accepted.job, { ...about, ...correctionOf(accepted) })
}

/** A raw body's title and origin are in the query string. */
async function contentOf(c: Ctx, document: string): Promise<Omit<DocumentInput, 'id'>> {
  const as = { uid: c.get('corpus').uid, document }
  const raw = await rawDocument(c, as)
  const { title, url, language } = c.req.query()
  const given = Object.fromEntries(dateNames.flatMap((name) => (c.req.query(name) === undefined ? [] : [[name, c.req.query(name)]])))
  const access = c.req.queries('access')
  if (!raw) {
    const beside = Object.entries({ title, url, language, access, ...given }).find(([, value]) => value !== undefined)
    if (beside) throw besideJson(beside[0])
    return inputOf(await withText(c, await readJson(c, newDocumentSchema, JSON_LIMIT), as))
  }
  const { dates, file, ...read } = raw
  const sent = { ...dates, ...given, ...read, title: title ?? raw.title, url, language, ...(access ? { access } : {}) }
  return inputOf({ ...parseWith(documentSchema, sent), file })
}

const besideJson = (path: string): Problem =>
  new Problem('invalid', 'Query parameters describe raw bodies only.', { errors: [{ path, message: 'belongs in the JSON body' }] })

/** If-Match names the content version the caller has seen; `If-None-Match: *` means: only if there is none. */
export function expectedVersion(c: Ctx): { readonly ifMatch?: number } {
  if (c.req.header('if-none-match')?.trim() === '*') return { ifMatch: 0 }
  const header = c.req.header('if-match')?.trim()
  if (header === undefined || header === '*') return {}
  const version = /^(?:W\/)?"?(\d{1,15})"?$/.exec(header)?.[1]
  if (version === undefined) throw new Problem('precondition_failed', 'If-Match is not a content version of this document.')
  return { ifMatch: Number(version) }
}
